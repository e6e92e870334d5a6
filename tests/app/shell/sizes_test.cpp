// The window at sizes that no layout was made for, as tiling window managers give them: every scene is drawn without an
// exception and without a panel of a negative size.

#include "compute/core/resources.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

class SizesTest : public TestedWindowTest {
 protected:
  void draw_at(int width, int height) {
    SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height));
    tested_->platform_->resize(width, height);
    for (int i = 0; i < 3; ++i)
      ASSERT_NO_THROW(tested_->frame());
    EXPECT_EQ(tested_->frame_.width(), width);
    EXPECT_EQ(tested_->frame_.height(), height);
  }
};

TEST_P(SizesTest, EverySceneIsDrawn) {
  // One algorithm for each kind of scene, and for the panels that only some of them have.
  for (const char* algorithm :
       {"convolution", "morphology", "chain", "sorting", "reduction", "memory_access", "diamond_square", "seam_carving",
        "rasterize", "phantom", "projection", "temporal_mean"}) {
    SCOPED_TRACE(algorithm);
    tested_->platform_->resize(640, 480);
    tested_->choose(algorithm, {});
    for (const auto& [width, height] :
         {std::pair{1, 1}, {60, 600}, {120, 900}, {600, 60}, {1, 700}, {320, 200}, {333, 777}})
      draw_at(width, height);
  }
}

TEST_P(SizesTest, AnEditorFits) {
  tested_->window_.sketch().begin(asset_folder() / "sketches" / "convolution_shared.cu");
  for (const auto& [width, height] :
       {std::pair{1280, 720}, {1, 1}, {60, 600}, {120, 900}, {600, 60}, {1, 700}, {320, 200}, {333, 777}, {5000, 3000}})
    draw_at(width, height);
}

TEST_P(SizesTest, ALessonAndItsEditorFit) {
  tested_->window_.lesson().keep_in(folder_.path());
  tested_->window_.open_lesson("first_kernel");
  for (const bool edits : {false, true}) {
    if (edits) {
      tested_->window_.lesson().prepare(0);
      tested_->window_.sketch().open(tested_->window_.lesson().own_file(0));
    }
    for (const auto& [width, height] : {std::pair{1280, 720},
                                        {1, 1},
                                        {60, 600},
                                        {120, 900},
                                        {600, 60},
                                        {1, 700},
                                        {320, 200},
                                        {333, 777},
                                        {5000, 3000}})
      draw_at(width, height);
  }
}

TEST_P(SizesTest, LargeScreensAreFilled) {
  draw_at(5000, 3000);
  draw_at(1, 1);
  draw_at(800, 600);
}

TEST_P(SizesTest, EveryTypeFits) {
  const float usual = ImGui::GetStyle().FontSizeBase;
  for (const float size : {9.0f, 40.0f}) {
    ImGui::GetStyle().FontSizeBase = size;
    for (const char* algorithm : {"convolution", "sorting", "seam_carving"}) {
      SCOPED_TRACE(algorithm);
      tested_->platform_->resize(640, 480);
      tested_->choose(algorithm, {});
      for (const auto& [width, height] : {std::pair{1, 1}, {120, 900}, {600, 60}, {1000, 700}})
        draw_at(width, height);
    }
  }
  ImGui::GetStyle().FontSizeBase = usual;
}

INSTANTIATE_TEST_SUITE_P(Places, SizesTest, ::testing::Values(Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
