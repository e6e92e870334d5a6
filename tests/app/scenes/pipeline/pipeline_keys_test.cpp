// Tests of the keys of the scene `pipeline` in a whole window.

#include <gtest/gtest.h>

#include <filesystem>

#include "app/scenes/pipeline/pipeline_scene.h"
#include "app/scenes/scene_set.h"
#include "compute/io/pictures/image_file.h"
#include "compute/run/verify.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

class PipelineKeysTest : public TestedWindowTest {
 protected:
  void SetUp() override {
    TestedWindowTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    tested_->choose("rasterize", {{"mesh", "cube"}, {"subdivision", "2"}, {"width", "160"}, {"height", "120"}});
    const SceneType& type = find_scene("pipeline", tested_->workspace.algorithm());
    tested_->window_.scenes().choose(type);
    scene_ = &tested_->window_.scenes().scene(type);
  }
  void show(std::string_view stage) {
    scene_->show(find_show(find_scene("pipeline", tested_->workspace.algorithm()), stage));
    tested_->settle();
  }
  [[nodiscard]] PipelineView& look() { return scene_->settings()->as<PipelineView>(); }
  /// The picture of the view, which is saved as a file of this name. The rest of the window says, for example, how busy
  /// the machine is.
  [[nodiscard]] HostArray view(const char* name) {
    const auto path = folder_.path() / name;
    tested_->frame();
    tested_->window_.save_view(path);
    tested_->frames_until([&] { return std::filesystem::exists(path) && !tested_->live_.files().busy(); });
    return io::load_picture(path).pixels;
  }

  Scene* scene_ = nullptr;
};

TEST_P(PipelineKeysTest, SpaceAtTheLastStepBeginsWithTheFirst) {
  show("fragments");
  ASSERT_EQ(look().drawn, -1);  // All triangles are drawn.
  look().pace = PipelineView::slowest;
  tested_->press(ImGuiKey_Space);
  EXPECT_TRUE(scene_->animating());
  EXPECT_GE(look().drawn, 0);
  tested_->press(ImGuiKey_Space);
  EXPECT_FALSE(scene_->animating());
  EXPECT_GE(look().drawn, 0);  // It stops where it is.
}

TEST_P(PipelineKeysTest, TheCoordinatesOfAVertexFitIntoANarrowPanel) {
  show("picture");
  for (const auto& [width, height] : {std::pair{1280, 720}, {1920, 1080}}) {
    tested_->platform_->resize(width, height);
    tested_->settle();
    const ImGuiWindow* panel = ImGui::FindWindowByName("Pixel###pixel");
    ASSERT_NE(panel, nullptr);
    EXPECT_LE(panel->ContentSizeIdeal.x, panel->WorkRect.GetWidth() + 1.0f) << "z is cut off";
  }
}

TEST_P(PipelineKeysTest, FitShowsTheTriangleAgainInTheStageCoverage) {
  show("coverage");
  const HostArray fitted = view("fitted.png");
  tested_->press(ImGuiKey_1);
  EXPECT_TRUE(compare(view("one.png").view(), fitted.view(), Tolerance::exact()).has_value());
  tested_->press(ImGuiKey_F);
  const auto mismatch = compare(view("again.png").view(), fitted.view(), Tolerance::exact());
  EXPECT_FALSE(mismatch.has_value()) << to_string(*mismatch);
}

INSTANTIATE_TEST_SUITE_P(Platforms, PipelineKeysTest, ::testing::Values(Where::window, Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
