// Tests of the keys of the scene `pipeline` in a whole window.

#include <gtest/gtest.h>

#include "app/scenes/pipeline/pipeline_scene.h"
#include "app/scenes/scene_set.h"
#include "compute/run/verify.h"
#include "render/capture.h"
#include "tests/support/app/desk.h"

namespace threadscape::app {
namespace {

class PipelineKeysTest : public DeskTest {
 protected:
  void SetUp() override {
    DeskTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    desk_->choose("rasterize", {{"mesh", "cube"}, {"subdivision", "2"}, {"width", "160"}, {"height", "120"}});
    const SceneType& type = find_scene("pipeline", desk_->workspace.algorithm());
    desk_->window_.scenes().choose(type);
    scene_ = &desk_->window_.scenes().scene(type);
  }
  void show(std::string_view stage) {
    scene_->show(find_show(find_scene("pipeline", desk_->workspace.algorithm()), stage));
    desk_->settle();
  }
  [[nodiscard]] PipelineView& look() { return scene_->settings()->as<PipelineView>(); }
  /// The whole window after the frame that follows the last key.
  [[nodiscard]] HostArray picture() {
    desk_->frame();
    return render::capture(desk_->frame_);
  }

  Scene* scene_ = nullptr;
};

TEST_P(PipelineKeysTest, SpaceAtTheLastStepBeginsWithTheFirst) {
  show("fragments");
  ASSERT_EQ(look().drawn, -1);  // All triangles are drawn.
  look().pace = PipelineView::slowest;
  desk_->press(ImGuiKey_Space);
  EXPECT_TRUE(scene_->animating());
  EXPECT_GE(look().drawn, 0);
  desk_->press(ImGuiKey_Space);
  EXPECT_FALSE(scene_->animating());
  EXPECT_GE(look().drawn, 0);  // It stops where it is.
}

TEST_P(PipelineKeysTest, FitShowsTheTriangleAgainInTheStageCoverage) {
  show("coverage");
  const HostArray fitted = picture();
  desk_->press(ImGuiKey_1);
  EXPECT_TRUE(compare(picture().view(), fitted.view(), Tolerance::exact()).has_value());
  desk_->press(ImGuiKey_F);
  desk_->frame();
  const auto mismatch = compare(picture().view(), fitted.view(), Tolerance::exact());
  EXPECT_FALSE(mismatch.has_value()) << to_string(*mismatch);
}

INSTANTIATE_TEST_SUITE_P(Platforms, PipelineKeysTest, ::testing::Values(Where::window, Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
