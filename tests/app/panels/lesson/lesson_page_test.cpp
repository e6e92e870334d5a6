// The page of a lesson: where its text, the picture and the parameters stand, its tab, and what it offers without a
// lesson.

#include <algorithm>
#include <filesystem>

#include "tests/support/app/tested_window.h"
#include "tests/support/app/text_rectangles.h"

namespace threadscape::app {
namespace {

namespace fs = std::filesystem;

class LessonPageTest : public TestedWindowTest {
 protected:
  void SetUp() override {
    TestedWindowTest::SetUp();
    if (!tested_) return;
    tested_->settle();
    session().keep_in(folder_.path() / "learner");
  }
  [[nodiscard]] LessonSession& session() { return tested_->window_.lesson(); }
  void open() {
    tested_->window_.open_lesson("seams");
    ASSERT_TRUE(session().is_open());
    tested_->settle();
  }
  /// The windows of ImGui that were drawn last and whose own names begin with this, from top to bottom.
  [[nodiscard]] static std::vector<ImGuiWindow*> windows(std::string_view name) {
    std::vector<ImGuiWindow*> found;
    for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->WasActive && fs::path(window->Name).filename().string().starts_with(name)) found.push_back(window);
    std::ranges::sort(found, {}, [](const ImGuiWindow* window) { return window->Pos.y; });
    return found;
  }
};

TEST_P(LessonPageTest, ItsPageHasThePictureBesideTheText) {
  open();
  std::string covered, cut;
  tested_->after_frame = [&] {
    covered = overlapping_text(*ImGui::GetDrawData());
    cut = cut_text(*ImGui::GetDrawData());
  };
  const auto look_at = [&](int width, int height) {
    SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height));
    tested_->platform_->resize(width, height);
    for (int frame = 0; frame < 10; ++frame)  // Columns, text and lists take their sizes one after the other.
      tested_->frame();
    EXPECT_EQ(covered, "");
    EXPECT_EQ(cut, "");
    EXPECT_TRUE(windows("View###view").empty());
    const auto text = windows("text_");
    ASSERT_EQ(text.size(), 1u);
    const auto& [low, high] = tested_->window_.picture();
    const float line = ImGui::GetStyle().FontSizeBase * ImGui::GetStyle().FontScaleDpi;
    EXPECT_GE(text[0]->Size.x, std::min(33 * line, 0.55f * static_cast<float>(width) - 2 * line));
    if (height > width) {
      EXPECT_GE(low.y, text[0]->Rect().Max.y);
      return;
    }
    EXPECT_LE(text[0]->Size.x, 45 * line) << "longer lines are hard to read";
    EXPECT_GE(low.x, text[0]->Rect().Max.x);
    EXPECT_GE((high.x - low.x) * (high.y - low.y), 0.24f * static_cast<float>(width * height));
  };
  for (int theme = 0; theme < 2; ++theme) {
    look_at(1280, 720);
    EXPECT_TRUE(windows("Parameters###parameters").empty()) << "there is no room for them";
    look_at(1920, 1080);
    EXPECT_EQ(windows("Parameters###parameters").size(), 1u);
    look_at(700, 1100);
    tested_->press(ImGuiKey_T);
  }
  for (int press = 0; press < 9; ++press)  // 1.1^9 is 2.4.
    tested_->press(ImGuiKey_Equal, ImGuiMod_Ctrl);
  look_at(1280, 720);
  look_at(1920, 1080);
  tested_->after_frame = {};
}

TEST_P(LessonPageTest, PagesAreTabsAndEachIsPresented) {
  open();
  EXPECT_EQ(windows("text_").size(), 1u);
  tested_->press(ImGuiKey_1, ImGuiMod_Ctrl);
  tested_->frame();
  EXPECT_TRUE(windows("text_").empty());
  EXPECT_EQ(windows("View###view").size(), 1u);
  tested_->press(ImGuiKey_F11);
  tested_->settle();
  EXPECT_TRUE(windows("slide_").empty()) << "the picture is presented alone";
  EXPECT_EQ(windows("Presentation###presentation").size(), 1u);
  tested_->press(ImGuiKey_2, ImGuiMod_Ctrl);  // The window of this test has no lab.
  tested_->settle();
  EXPECT_EQ(windows("slide_").size(), 1u);
  tested_->press(ImGuiKey_F11);
  tested_->settle();
  EXPECT_EQ(windows("text_").size(), 1u);
  // Keys of the scene work beside the text.
  tested_->press(ImGuiKey_D);
  tested_->settle();
  EXPECT_TRUE(tested_->window_.scene().wants_reference());
}

TEST_P(LessonPageTest, WithoutALessonThePageOffersThem) {
  tested_->window_.show_panel("lesson");
  tested_->settle();
  EXPECT_FALSE(session().is_open());
  const auto list = windows("offered");
  ASSERT_EQ(list.size(), 1u);
  ImGui::ActivateItemByID(ImHashStr("Coalescing", 0, list[0]->ChildId));
  tested_->frame();
  tested_->settle();
  ASSERT_TRUE(session().is_open());
  EXPECT_EQ(session().lesson().name, "coalescing");
  ImGui::ActivateItemByID(windows("text_").front()->GetID("Lessons"));
  tested_->frame();
  tested_->settle();
  EXPECT_FALSE(session().is_open());
  EXPECT_EQ(windows("offered").size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Places, LessonPageTest, ::testing::Values(Where::window, Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
