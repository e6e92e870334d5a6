// Tests of the window that opens and saves files in the dialogs of the desktop, against a portal on a bus of its own.

#include <gtest/gtest.h>

#include <fstream>
#include <memory>

#include "tests/support/app/fake_portal.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

namespace fs = std::filesystem;
using threadscape::testing::FakePortal;
using threadscape::testing::PrivateBus;

/// The window without a display, whose dialogs are asked of the portal.
class DesktopWindowTest : public TestedWindowTest {
 protected:
  void SetUp() override {
    bus_ = std::make_unique<PrivateBus>();
    if (!bus_->trouble().empty()) GTEST_SKIP() << bus_->trouble();
    TestedWindowTest::SetUp();
    if (!tested_) return;
    tested_->settle();
    files().set_folder(folder_.path());
    files().use_desktop("", [] {});
  }
  [[nodiscard]] FileBrowser& files() { return tested_->window_.files(); }
  [[nodiscard]] std::string uri(const std::string& name) const { return "file://" + (folder_.path() / name).string(); }
  /// Presses keys and draws until the answer was taken and its work is done.
  void press_and_wait(ImGuiKey key) {
    tested_->press(key, ImGuiMod_Ctrl);
    tested_->frames_until([this] { return !files().asks_desktop() && !tested_->live_.files().busy(); });
    for (int i = 0; i < 3; ++i)
      tested_->frame();
  }
  std::unique_ptr<PrivateBus> bus_;
};

TEST_P(DesktopWindowTest, SavesWhatWasAskedForUnderTheNameOfTheDesktop) {
  FakePortal portal(bus_->address(), {.uris = {uri("of the desktop.png")}});
  press_and_wait(ImGuiKey_S);
  EXPECT_TRUE(fs::exists(folder_.path() / "of the desktop.png"));
  EXPECT_FALSE(files().is_open());
  EXPECT_EQ(portal.calls().at(0).name, "photo-convolution.png");
  EXPECT_EQ(portal.calls().at(0).folder.c_str(), fs::canonical(folder_.path()).string());
}

TEST_P(DesktopWindowTest, OpensWhatTheDesktopNames) {
  fs::copy_file(folder_.path() / "photo.png", folder_.path() / "other.png");
  FakePortal portal(bus_->address(), {.uris = {uri("other.png")}});
  press_and_wait(ImGuiKey_O);
  EXPECT_EQ(tested_->workspace.source()->path.filename(), "other.png");
  portal.plan({.uris = {uri("photo.png"), uri("other.png")}});
  press_and_wait(ImGuiKey_O);
  EXPECT_EQ(tested_->window_.list().size(), 2u);
  portal.plan({.code = 1});
  press_and_wait(ImGuiKey_O);
  EXPECT_FALSE(files().is_open());
}

TEST_P(DesktopWindowTest, WhatFailsIsShownInTheDialogOfTheWindow) {
  FakePortal portal(bus_->address(), {.uris = {uri("picture.xyz")}});
  press_and_wait(ImGuiKey_S);
  EXPECT_TRUE(files().is_open());
  EXPECT_NE(files().trouble().find("'.xyz'"), std::string::npos) << files().trouble();
  tested_->press_in_files("Save the result", "Save as picture.png");
  EXPECT_FALSE(files().is_open());
  for (int i = 0; i < 3; ++i)
    tested_->frame();  // The popup closes.
  std::ofstream(folder_.path() / "broken.png") << "no picture";
  portal.plan({.uris = {uri("broken.png")}});
  press_and_wait(ImGuiKey_O);
  EXPECT_TRUE(files().is_open());
  EXPECT_NE(files().trouble().find("broken.png"), std::string::npos) << files().trouble();
}

TEST_P(DesktopWindowTest, ANameWithoutExtensionDoesNotReplaceAFile) {
  std::ofstream(folder_.path() / "kept.png") << "kept";
  FakePortal portal(bus_->address(), {.uris = {uri("kept")}});
  press_and_wait(ImGuiKey_S);
  EXPECT_TRUE(files().is_open());
  EXPECT_NE(files().trouble().find("exists"), std::string::npos) << files().trouble();
  EXPECT_EQ(fs::file_size(folder_.path() / "kept.png"), 4u);
  tested_->press_in_files("Save the result", "Save");
  tested_->frames_until([this] { return !tested_->live_.files().busy(); });
  EXPECT_GT(fs::file_size(folder_.path() / "kept.png"), 4u);
}

TEST_P(DesktopWindowTest, WithoutAPortalTheDialogIsInsideTheWindow) {
  press_and_wait(ImGuiKey_O);
  EXPECT_TRUE(files().is_open());
  EXPECT_NE(files().why_no_desktop().find("no portal"), std::string::npos) << files().why_no_desktop();
  tested_->press(ImGuiKey_Escape);
  EXPECT_FALSE(files().is_open());
  // The desktop is not asked again, until the user wants it.
  const FakePortal portal(bus_->address(), {.uris = {uri("photo.png")}});
  tested_->press(ImGuiKey_O, ImGuiMod_Ctrl);
  EXPECT_TRUE(files().is_open());
  tested_->press(ImGuiKey_Escape);
  tested_->frame();
  files().want_desktop(true);
  press_and_wait(ImGuiKey_O);
  EXPECT_FALSE(files().is_open());
  EXPECT_EQ(portal.calls().size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Windows, DesktopWindowTest, ::testing::Values(Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
