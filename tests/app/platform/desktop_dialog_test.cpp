// Tests of the dialogs of the desktop, against a portal on a bus of its own.

#include "app/platform/desktop_dialog.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <memory>

#include "compute/io/file_uri.h"
#include "tests/support/app/fake_portal.h"

namespace threadscape::app {
namespace {

namespace fs = std::filesystem;
using threadscape::testing::FakePortal;
using threadscape::testing::PortalPlan;
using threadscape::testing::PrivateBus;

class DesktopDialogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    bus_ = std::make_unique<PrivateBus>();
    if (!bus_->trouble().empty()) GTEST_SKIP() << bus_->trouble();
  }
  DialogAnswer ask(const PortalPlan& plan, const DialogRequest& request = {.title = "Open"}) {
    portal_ = std::make_unique<FakePortal>(bus_->address(), plan);
    return ask_portal(request, {});
  }
  std::unique_ptr<PrivateBus> bus_;
  std::unique_ptr<FakePortal> portal_;
};

TEST(FileUri, NamesPaths) {
  EXPECT_EQ(io::path_of_uri("file:///pictures/a%20b/%C3%A4.png"), fs::path("/pictures/a b/\xc3\xa4.png"));
  EXPECT_EQ(io::path_of_uri("file://localhost/a.png"), fs::path("/a.png"));
  EXPECT_EQ(io::path_of_uri("file:///50%.png"), fs::path("/50%.png"));
  EXPECT_EQ(io::path_of_uri("file:///a%2"), fs::path("/a%2"));
  EXPECT_TRUE(io::path_of_uri("https://example.org/a.png").empty());
  EXPECT_TRUE(io::path_of_uri("file://localhost").empty());
}

TEST(DesktopDialogPatterns, MatchBothCases) {
  EXPECT_EQ(pattern_of(".png"), "*.[pP][nN][gG]");
  EXPECT_EQ(pattern_of(".r32"), "*.[rR]32");
}

TEST_F(DesktopDialogTest, ChosenFilesArriveAndTheRequestHasTheFormOfThePortal) {
  const DialogAnswer answer =
      ask({.uris = {"file:///tmp/a%20b.png", "file:///tmp/c.png"}}, {.title = "Open a file",
                                                                     .several = true,
                                                                     .folder = "/tmp",
                                                                     .kind = "Pictures",
                                                                     .extensions = {".png", ".tif"},
                                                                     .parent = "x11:2a00003"});
  EXPECT_EQ(answer.unavailable, "");
  EXPECT_EQ(answer.paths, (std::vector<fs::path>{"/tmp/a b.png", "/tmp/c.png"}));
  ASSERT_EQ(portal_->calls().size(), 1u);
  const testing::PortalCall call = portal_->calls().front();
  EXPECT_EQ(call.method, "OpenFile");
  EXPECT_EQ(call.title, "Open a file");
  EXPECT_EQ(call.parent, "x11:2a00003");
  EXPECT_TRUE(call.several);
  EXPECT_FALSE(call.directory);
  EXPECT_EQ(call.folder, std::string("/tmp\0", 5));  // The portal asks for the zero at the end.
  ASSERT_EQ(call.filters.size(), 2u);
  EXPECT_EQ(call.filters[0].first, "Pictures");
  EXPECT_EQ(call.filters[0].second, (std::vector<std::string>{"*.[pP][nN][gG]", "*.[tT][iI][fF]"}));
  EXPECT_EQ(call.filters[1].second, std::vector<std::string>{"*"});
}

TEST_F(DesktopDialogTest, ADialogForSavingSuggestsANameAndReturnsTheChosenItem) {
  const DialogAnswer answer = ask({.uris = {"file:///tmp/x.jpg"}, .quality = "70"},
                                  {.title = "Save",
                                   .saves = true,
                                   .name = "photo-sobel.png",
                                   .choice = DialogChoice{"quality", "Quality", {{"0", "usual"}, {"70", "70"}}, "0"}});
  EXPECT_EQ(answer.paths, std::vector<fs::path>{"/tmp/x.jpg"});
  EXPECT_EQ(answer.choice, "70");
  const testing::PortalCall call = portal_->calls().at(0);
  EXPECT_EQ(call.method, "SaveFile");
  EXPECT_EQ(call.name, "photo-sobel.png");
  EXPECT_EQ(call.choices, (std::vector<std::string>{"0", "70"}));
}

TEST_F(DesktopDialogTest, ACancelledDialogNamesNoFiles) {
  const DialogAnswer answer = ask({.code = 1});
  EXPECT_TRUE(answer.paths.empty());
  EXPECT_EQ(answer.unavailable, "");
}

TEST_F(DesktopDialogTest, PortalsThatChooseAnotherPathForTheRequestAreHeard) {
  EXPECT_EQ(ask({.uris = {"file:///a.png"}, .own_handle = true}).paths, std::vector<fs::path>{"/a.png"});
}

TEST_F(DesktopDialogTest, EveryFailureOfThePortalIsAReason) {
  EXPECT_NE(ask_portal({.title = "Open"}, {}).unavailable.find("no portal"), std::string::npos);
  EXPECT_NE(ask({.code = 2}).unavailable.find("without an answer"), std::string::npos);
  portal_.reset();
  EXPECT_NE(ask({.leaves = true}).unavailable.find("has ended"), std::string::npos);
  portal_.reset();
  bus_.reset();
  setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere", 1);
  EXPECT_NE(ask_portal({.title = "Open"}, {}).unavailable.find("no session bus"), std::string::npos);
  unsetenv("DBUS_SESSION_BUS_ADDRESS");
}

TEST_F(DesktopDialogTest, AnOpenDialogIsClosedWhenItsOwnerEnds) {
  FakePortal portal(bus_->address(), {.answers = false});
  {
    DesktopDialog dialog([] {});
    dialog.ask({.title = "Open"});
    while (portal.calls().empty())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_TRUE(dialog.waiting());
    EXPECT_FALSE(dialog.take());
  }
  EXPECT_TRUE(portal.closed());
}

}  // namespace
}  // namespace threadscape::app
