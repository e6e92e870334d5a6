// Tests of sessions and of the slot B in the window: a session is saved and dropped again, and B is compared.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <fstream>

#include "app/session/session_file.h"
#include "tests/support/app/tested_window.h"
#include "tests/support/compute/host_arrays.h"

namespace threadscape::app {
namespace {

class SessionWindowTest : public TestedWindowTest {
 protected:
  void SetUp() override {
    TestedWindowTest::SetUp();
    if (tested_) tested_->settle();
  }
  [[nodiscard]] bool is_logged(const std::string& text) const {
    for (const LogBook::Entry& entry : tested_->workspace.log.entries())
      if (entry.text.find(text) != std::string::npos) return true;
    return false;
  }
};

TEST_P(SessionWindowTest, ADroppedSessionIsOneChange) {
  tested_->choose("median", {{"size", "5"}});
  tested_->press(ImGuiKey_C);  // Split.
  tested_->window_.show_panel("log");
  tested_->settle();
  const HostArray result = tested_->result();
  const std::filesystem::path file = folder_.path() / "evening.threadscape.json";
  save_session(file, tested_->window_.session());

  tested_->choose("sobel", {});
  tested_->press(ImGuiKey_R);
  std::filesystem::copy(folder_.path() / "photo.png", folder_.path() / "other.png");
  tested_->frame({folder_.path() / "other.png"});
  tested_->window_.show_panel("timings");
  tested_->settle();
  tested_->frame({file});
  tested_->settle();
  EXPECT_EQ(tested_->workspace.algorithm().name, "median");
  EXPECT_EQ(tested_->parameter("size"), "5");
  EXPECT_EQ(tested_->workspace.picture()->path.filename(), "photo.png");
  EXPECT_EQ(tested_->window_.session().view.show, "split");
  EXPECT_EQ(tested_->window_.session().view.panel, "log");
  EXPECT_TRUE(is_logged("opened session"));
  EXPECT_TRUE(testing::same_pixels(tested_->result().view(), result.view()));
  tested_->press(ImGuiKey_Z, ImGuiMod_Ctrl);
  tested_->settle();
  EXPECT_EQ(tested_->workspace.algorithm().name, "sobel");
  EXPECT_EQ(tested_->workspace.picture()->path.filename(), "other.png");
}

TEST_P(SessionWindowTest, ASessionThatIsNoneChangesNothing) {
  const std::filesystem::path file = folder_.path() / "bad.threadscape.json";
  std::ofstream(file) << R"({"threadscape": 1, "algorithm": "median", "params": {"size": 4}})";
  tested_->frame({file});
  tested_->settle();
  EXPECT_EQ(tested_->workspace.algorithm().name, "convolution");
  EXPECT_TRUE(is_logged("bad.threadscape.json"));
}

TEST_P(SessionWindowTest, TheViewOfASessionMayBeUnknown) {
  const std::filesystem::path file = folder_.path() / "new.threadscape.json";
  std::ofstream(file) << R"({"threadscape": 1, "algorithm": "median",
    "view": {"scene": "hologram", "panel": "smell", "settings": {"hologram": {}, "image": {"gamma": 9}}}})";
  tested_->frame({file});
  tested_->settle();
  EXPECT_EQ(tested_->workspace.algorithm().name, "median");
  for (const char* text : {"hologram", "smell", "gamma"})
    EXPECT_TRUE(is_logged(text)) << text;
}

TEST_P(SessionWindowTest, TheDialogSavesUnderTheRightName) {
  tested_->window_.files().set_folder(folder_.path());
  tested_->window_.ask_save_session();
  for (int i = 0; i < 5; ++i)
    tested_->frame();
  const auto save_as = [this](const char* name) {
    ImGui::ClearActiveID();  // The field with the name would write its own text back.
    tested_->window_.files().choose(name);
    tested_->frame();
    ImGui::ClearActiveID();
    tested_->press_in_files("Save the session", "Save");
  };
  save_as("mine.json");
  EXPECT_NE(tested_->window_.files().trouble().find(".threadscape.json"), std::string::npos);
  save_as("mine");
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "mine.threadscape.json"));
  EXPECT_FALSE(tested_->window_.files().is_open());
}

TEST_P(SessionWindowTest, PicturesAreComparedWithB) {
  tested_->choose("median", {{"size", "3"}});
  const HostArray b = tested_->result();
  tested_->press(ImGuiKey_K);
  ASSERT_TRUE(tested_->workspace.slot.filled());
  EXPECT_TRUE(tested_->workspace.slot.b_times().empty()) << "the first run warms up";
  tested_->choose("median", {{"size", "9"}});
  const HostArray a = tested_->result();
  EXPECT_FALSE(testing::same_pixels(a.view(), b.view()));
  for (const ImGuiKey key : {ImGuiKey_C, ImGuiKey_B, ImGuiKey_D}) {
    tested_->press(key);
    tested_->settle();
    ASSERT_NE(tested_->live_.reference(), nullptr);
    EXPECT_TRUE(testing::same_pixels(tested_->live_.reference()->read().view(), b.view()));
  }
  tested_->press(ImGuiKey_K, ImGuiMod_Shift);
  tested_->settle();
  EXPECT_EQ(tested_->parameter("size"), "3");
  ASSERT_NE(tested_->live_.reference(), nullptr);
  EXPECT_TRUE(testing::same_pixels(tested_->live_.reference()->read().view(), a.view()));
  EXPECT_TRUE(testing::same_pixels(tested_->result().view(), b.view()));
  tested_->workspace.slot.clear();  // From now on, the difference is that to serial.
  tested_->settle();
  ASSERT_NE(tested_->live_.reference(), nullptr);
  EXPECT_TRUE(testing::same_pixels(tested_->live_.reference()->read().view(), b.view()));
}

TEST_P(SessionWindowTest, BOfAnotherAlgorithmAndSizeIsShown) {
  tested_->choose("sobel", {});
  const HostArray b = tested_->result();
  tested_->press(ImGuiKey_K);
  tested_->choose("median", {});
  tested_->press(ImGuiKey_D);
  tested_->settle();
  ASSERT_NE(tested_->live_.reference(), nullptr);
  EXPECT_TRUE(testing::same_pixels(tested_->live_.reference()->read().view(), b.view()));
  tested_->choose("mean", {{"border", "crop"}});  // A smaller picture, which has no difference to that of B.
  tested_->settle();
  EXPECT_EQ(tested_->workspace.problem(), "");
}

INSTANTIATE_TEST_SUITE_P(Sessions, SessionWindowTest, ::testing::Values(Where::window, Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
