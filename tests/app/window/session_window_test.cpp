// Tests of sessions and of the slot B in the window: a session is saved and dropped again, and B is compared.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <cstring>
#include <fstream>

#include "app/session/session_file.h"
#include "tests/support/app/desk.h"

namespace threadscape::app {
namespace {

bool equal_bytes(HostIn a, HostIn b) {
  if (a.shape != b.shape) return false;
  const std::size_t row = static_cast<std::size_t>(a.shape.width) * a.shape.pixel_bytes();
  for (std::size_t y = 0; y < static_cast<std::size_t>(a.shape.height); ++y)
    if (std::memcmp(a.data + y * a.pitch, b.data + y * b.pitch, row) != 0) return false;
  return true;
}

class SessionWindowTest : public DeskTest {
 protected:
  void SetUp() override {
    DeskTest::SetUp();
    if (desk_) desk_->settle();
  }
  [[nodiscard]] bool is_logged(const std::string& text) const {
    for (const LogBook::Entry& entry : desk_->workspace.log.entries())
      if (entry.text.find(text) != std::string::npos) return true;
    return false;
  }
};

TEST_P(SessionWindowTest, ADroppedSessionIsOneChange) {
  desk_->choose("median", {{"size", "5"}});
  desk_->press(ImGuiKey_C);  // Split.
  desk_->window_.show_panel("log");
  desk_->settle();
  const HostArray result = desk_->result();
  const std::filesystem::path file = folder_.path() / "evening.threadscape.json";
  save_session(file, desk_->window_.session());

  desk_->choose("sobel", {});
  desk_->press(ImGuiKey_R);
  std::filesystem::copy(folder_.path() / "photo.png", folder_.path() / "other.png");
  desk_->frame({folder_.path() / "other.png"});
  desk_->window_.show_panel("timings");
  desk_->settle();
  desk_->frame({file});
  desk_->settle();
  EXPECT_EQ(desk_->workspace.algorithm().name, "median");
  EXPECT_EQ(desk_->parameter("size"), "5");
  EXPECT_EQ(desk_->workspace.picture()->path.filename(), "photo.png");
  EXPECT_EQ(desk_->window_.session().view.show, "split");
  EXPECT_EQ(desk_->window_.session().view.panel, "log");
  EXPECT_TRUE(is_logged("opened session"));
  EXPECT_TRUE(equal_bytes(desk_->result().view(), result.view()));
  desk_->press(ImGuiKey_Z, ImGuiMod_Ctrl);
  desk_->settle();
  EXPECT_EQ(desk_->workspace.algorithm().name, "sobel");
  EXPECT_EQ(desk_->workspace.picture()->path.filename(), "other.png");
}

TEST_P(SessionWindowTest, ASessionThatIsNoneChangesNothing) {
  const std::filesystem::path file = folder_.path() / "bad.threadscape.json";
  std::ofstream(file) << R"({"threadscape": 1, "algorithm": "median", "params": {"size": 4}})";
  desk_->frame({file});
  desk_->settle();
  EXPECT_EQ(desk_->workspace.algorithm().name, "convolution");
  EXPECT_TRUE(is_logged("bad.threadscape.json"));
}

TEST_P(SessionWindowTest, TheViewOfASessionMayBeUnknown) {
  const std::filesystem::path file = folder_.path() / "new.threadscape.json";
  std::ofstream(file) << R"({"threadscape": 1, "algorithm": "median",
    "view": {"scene": "hologram", "panel": "smell", "settings": {"hologram": {}, "image": {"gamma": 9}}}})";
  desk_->frame({file});
  desk_->settle();
  EXPECT_EQ(desk_->workspace.algorithm().name, "median");
  for (const char* text : {"hologram", "smell", "gamma"})
    EXPECT_TRUE(is_logged(text)) << text;
}

TEST_P(SessionWindowTest, TheDialogSavesUnderTheRightName) {
  desk_->window_.files().set_folder(folder_.path());
  desk_->window_.ask_save_session();
  for (int i = 0; i < 5; ++i)
    desk_->frame();
  const auto save_as = [this](const char* name) {
    ImGui::ClearActiveID();  // The field with the name would write its own text back.
    desk_->window_.files().choose(name);
    desk_->frame();
    ImGui::ClearActiveID();
    desk_->press_in_files("Save the session", "Save");
  };
  save_as("mine.json");
  EXPECT_NE(desk_->window_.files().trouble().find(".threadscape.json"), std::string::npos);
  save_as("mine");
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "mine.threadscape.json"));
  EXPECT_FALSE(desk_->window_.files().is_open());
}

TEST_P(SessionWindowTest, PicturesAreComparedWithB) {
  desk_->choose("median", {{"size", "3"}});
  const HostArray b = desk_->result();
  desk_->press(ImGuiKey_K);
  ASSERT_TRUE(desk_->workspace.slot.filled());
  EXPECT_TRUE(desk_->workspace.slot.b_ms());
  desk_->choose("median", {{"size", "9"}});
  const HostArray a = desk_->result();
  EXPECT_FALSE(equal_bytes(a.view(), b.view()));
  for (const ImGuiKey key : {ImGuiKey_C, ImGuiKey_B, ImGuiKey_D}) {
    desk_->press(key);
    desk_->settle();
    ASSERT_NE(desk_->live_.reference(), nullptr);
    EXPECT_TRUE(equal_bytes(desk_->live_.reference()->read().view(), b.view()));
  }
  desk_->press(ImGuiKey_K, ImGuiMod_Shift);
  desk_->settle();
  EXPECT_EQ(desk_->parameter("size"), "3");
  ASSERT_NE(desk_->live_.reference(), nullptr);
  EXPECT_TRUE(equal_bytes(desk_->live_.reference()->read().view(), a.view()));
  EXPECT_TRUE(equal_bytes(desk_->result().view(), b.view()));
  desk_->workspace.slot.clear();  // From now on, the difference is that to serial.
  desk_->settle();
  ASSERT_NE(desk_->live_.reference(), nullptr);
  EXPECT_TRUE(equal_bytes(desk_->live_.reference()->read().view(), b.view()));
}

TEST_P(SessionWindowTest, BOfAnotherAlgorithmAndSizeIsShown) {
  desk_->choose("sobel", {});
  const HostArray b = desk_->result();
  desk_->press(ImGuiKey_K);
  desk_->choose("median", {});
  desk_->press(ImGuiKey_D);
  desk_->settle();
  ASSERT_NE(desk_->live_.reference(), nullptr);
  EXPECT_TRUE(equal_bytes(desk_->live_.reference()->read().view(), b.view()));
  desk_->choose("mean", {{"border", "crop"}});  // A smaller picture, which has no difference to that of B.
  desk_->settle();
  EXPECT_EQ(desk_->workspace.problem(), "");
}

INSTANTIATE_TEST_SUITE_P(Sessions, SessionWindowTest, ::testing::Values(Where::window, Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
