// Tests of the scene that shows a reconstruction beside its phantom: figures, mouse and keys, and what is shown if
// there is no phantom.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "app/platform/platform.h"
#include "app/scenes/compare/compare_scene.h"
#include "app/scenes/compare/truth_volume.h"
#include "app/scenes/scene_set.h"
#include "app/ui/ui_context.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction.h"
#include "compute/registry/registry.h"
#include "render/capture.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

constexpr int voxels = 24, width = 1000, height = 560;

class CompareSceneTest : public ::testing::Test {
 protected:
  void SetUp() override {
    platform_ = threadscape::testing::headless_or_skip(width, height);
    if (!platform_) return;
    ui_ = std::make_unique<UiContext>(*platform_, FontChoice::built_in, std::string{});
    apply_theme(Theme::dark, 1.0f);
    workspace_.choose_algorithm(find_algorithm("reconstruction"));
    for (const auto& [name, value] :
         {std::pair{"voxels", "24"}, {"detector_pixels", "36"}, {"pixel_size", "1.5"}, {"step", "12"}})
      workspace_.set_parameter(name, value);
    live_ = std::make_unique<LiveView>(interop::probe_route(platform_->context(), gpu::devices().first()), [] {});
    target_ = gl::Framebuffer(width, height);
    scene_ = std::make_unique<CompareScene>(shaders_);
  }
  void TearDown() override {
    scene_.reset();
    target_ = {};
    live_.reset();
    ui_.reset();
  }
  void frame(float x = 0.0f, float y = 0.0f, float wheel = 0.0f) {
    (void)platform_->poll(false);
    ImGui::GetIO().AddMousePosEvent(x, y);
    if (wheel != 0.0f) ImGui::GetIO().AddMouseWheelEvent(0, wheel);
    ui_->begin_frame();
    scene_->draw(*live_, target_);
    scene_->interact(*live_, {0, 0}, {width, height}, true);
    ui_->drop_frame();
  }
  /// Finishes the run and draws frames until the scene has computed all its figures.
  void settle() {
    live_->finish(workspace_);
    do
      frame();
    while (scene_->animating());
    frame();
  }
  void press(ImGuiKey key) {
    ImGui::GetIO().AddKeyEvent(key, true);
    frame();
    ImGui::GetIO().AddKeyEvent(key, false);
    frame();
  }
  void drag(int button, float x0, float y0, float x1, float y1) {
    frame(x0, y0);
    ImGui::GetIO().AddMouseButtonEvent(button, true);
    frame(x0, y0);
    frame(x1, y1);
    ImGui::GetIO().AddMouseButtonEvent(button, false);
    frame(x1, y1);
  }
  [[nodiscard]] double figure(std::string_view name) const {
    for (const auto& [known, value] : scene_->figures())
      if (known == name) return value;
    return std::numeric_limits<double>::quiet_NaN();
  }
  [[nodiscard]] const CompareView& look() const { return scene_->settings()->as<CompareView>(); }

  std::unique_ptr<Platform> platform_;
  std::unique_ptr<UiContext> ui_;
  gl::ShaderLibrary shaders_;
  Workspace workspace_;
  std::unique_ptr<LiveView> live_;
  gl::Framebuffer target_;
  std::unique_ptr<CompareScene> scene_;
};

TEST_F(CompareSceneTest, ThePhantomIsMadeAgainOnlyIfItChanges) {
  TruthVolume truth;
  truth.wait_always();
  Work work = workspace_.work();
  const auto version_with = [&](std::string_view name, std::string_view value) {
    work.params.assign(name, value);
    truth.update(work);
    EXPECT_NE(truth.texture(), nullptr) << name;
    return truth.version();
  };
  EXPECT_EQ(version_with("voxels", "20"), 1u);
  // The reference volume is kept while parameters change that only describe the scanner or the filter.
  EXPECT_EQ(version_with("source_distance", "300"), 1u);
  EXPECT_EQ(version_with("detector_pixels", "50"), 1u);
  EXPECT_EQ(version_with("step", "9"), 1u);
  EXPECT_EQ(version_with("filter", "hann"), 1u);
  EXPECT_EQ(version_with("voxels", "22"), 2u);
  EXPECT_EQ(version_with("phantom", "cavity"), 3u);
  EXPECT_EQ(version_with("geometry", "source"), 4u);
  EXPECT_EQ(version_with("pixels", "201"), 5u);  // The number of voxels stays, but each is larger.
}

TEST(CompareScenes, ReconstructionsAreComparedUnlessTheVolumeIsAskedFor) {
  const AlgorithmInfo& reconstruction = find_algorithm("reconstruction");
  EXPECT_EQ(find_scene("", reconstruction).name, "compare");
  EXPECT_EQ(find_scene("volume", reconstruction).name, "volume");
  EXPECT_EQ(find_show(find_scene("compare", reconstruction), "y"), 2);
  EXPECT_THROW((void)find_scene("compare", find_algorithm("projection")), UsageError);
}

TEST_F(CompareSceneTest, FiguresEqualTheErrorsOfTheReconstruction) {
  settle();
  const HostArray result = live_->output()->read();
  const std::optional<HostArray> truth = Reconstruction::truth(workspace_.work().params.as<Reconstruction::Params>());
  ASSERT_TRUE(truth);
  const Reconstruction::Errors errors = Reconstruction::errors(truth->view(), result.view());
  EXPECT_NEAR(figure("rmse"), errors.rmse, 1e-5 * errors.rmse);
  EXPECT_NEAR(figure("relative"), errors.relative, 1e-5 * errors.relative);
  EXPECT_NEAR(figure("largest"), errors.max, 1e-5 * errors.max);

  // The expected error of the cut across y, which is one slice in memory.
  const auto a = result.view().volume<float>(), b = truth->view().volume<float>();
  const int y = static_cast<int>(figure("slice_y"));
  double squares = 0.0;
  for (int z = 0; z < voxels; ++z)
    for (int x = 0; x < voxels; ++x)
      squares += std::pow(static_cast<double>(a(x, z, y)) - static_cast<double>(b(x, z, y)), 2);
  const double rmse = std::sqrt(squares / (voxels * voxels));
  EXPECT_NEAR(figure("rmse_y"), rmse, 1e-5 * rmse);
}

TEST_F(CompareSceneTest, FramesEndAfterAPhantomThatComesLate) {
  // A phantom of 160^3 voxels takes longer than the scene waits for it, so the first frame asks for the range of the
  // result, which nobody needs once the phantom is there.
  for (const auto& [name, value] : {std::pair{"voxels", "160"}, {"step", "60"}, {"detector_pixels", "16"}})
    workspace_.set_parameter(name, value);
  live_->finish(workspace_);
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  do {
    ASSERT_LT(std::chrono::steady_clock::now(), limit) << "the scene asks for frames without end";
    frame();
  } while (scene_->animating());
  frame();
  EXPECT_GT(figure("rmse"), 0.0);
}

TEST_F(CompareSceneTest, MouseAndKeysChooseSlices) {
  settle();
  EXPECT_NEAR(figure("slice_z"), voxels / 2, 1) << "the middle of the head";
  scene_->settings()->assign("slice_z", "0.5");
  // The picture at the top left is the cut across z. It has about 138 x 138 pixels, and its corner is at (10, 33).
  drag(0, 30, 60, 10 + 0.25f * 138, 33 + 0.25f * 138);
  EXPECT_NEAR(figure("slice_x"), 6, 1);
  EXPECT_NEAR(figure("slice_y"), 18, 1) << "y runs up";
  EXPECT_EQ(figure("slice_z"), voxels / 2);
  frame(45, 70);
  frame(45, 70, 1.0f);
  frame(45, 70);
  EXPECT_EQ(figure("slice_z"), voxels / 2 + 1) << "the wheel goes through the slices";
  press(ImGuiKey_Comma);
  press(ImGuiKey_Comma);
  EXPECT_EQ(figure("slice_z"), voxels / 2 - 1);
  const float window = look().window;
  drag(1, 60, 80, 90, 80);
  EXPECT_GT(look().window, window);
  press(ImGuiKey_R);
  EXPECT_EQ(look().window, 1.0f);
  press(ImGuiKey_L);
  EXPECT_EQ(look().line, ProfileAxis::y);
  EXPECT_TRUE(scene_->show_frame(1, 2));
  frame();
  EXPECT_EQ(figure("slice_z"), voxels / 2);
  // The figures of a cut follow the slice that is shown.
  const double before = figure("rmse_z");
  EXPECT_TRUE(scene_->show_frame(0, 2));
  do
    frame();
  while (scene_->animating());
  frame();
  EXPECT_NE(figure("rmse_z"), before);
}

TEST_F(CompareSceneTest, CutsStartInTheMiddleOfTheCavity) {
  workspace_.set_parameter("phantom", "cavity");
  settle();
  for (const char* name : {"slice_x", "slice_y", "slice_z"})
    EXPECT_NEAR(figure(name), voxels / 4, 1) << "the middle of the cavity";
}

TEST_F(CompareSceneTest, EveryLayoutShowsPictures) {
  settle();
  for (const auto& [wide, high] : {std::pair{1000, 560}, {420, 300}, {300, 800}, {120, 90}, {1600, 200}}) {
    target_ = gl::Framebuffer(wide, high);
    for (int show = 0; show < 4; ++show) {
      SCOPED_TRACE(std::to_string(wide) + " x " + std::to_string(high) + ", " + std::to_string(show));
      scene_->show(show);
      frame();
      const HostArray picture = render::capture(target_);
      const auto pixels = picture.image<Rgba8>();
      int bright = 0;
      for (int y = 0; y < pixels.height; ++y)
        for (int x = 0; x < pixels.width; ++x)
          bright += pixels(x, y).r > 120;
      EXPECT_GT(bright, 150);
    }
  }
}

TEST_F(CompareSceneTest, AResultStaysWhenItsInputIsGone) {
  // The scanner with a point source needs the size of its views, which nothing has any more.
  for (const auto& [name, value] : {std::pair{"geometry", "source"}, {"pixels", "24"}})
    workspace_.set_parameter(name, value);
  settle();
  ASSERT_TRUE(live_->shown());
  workspace_.set_parameter("phantom", "file");
  EXPECT_NO_THROW(settle());
  EXPECT_EQ(live_->source(), nullptr);
  EXPECT_NE(workspace_.problem(), "");
}

TEST_F(CompareSceneTest, WithoutAPhantomTheResultIsShownAlone) {
  const AlgorithmInfo& reconstruction = find_algorithm("reconstruction");
  io::Loaded views;
  views.pixels = reconstruction.own_input->make(workspace_.work().params, 0);
  workspace_.set_source("views.mhd", std::move(views));
  workspace_.set_parameter("phantom", "file");
  settle();
  ASSERT_TRUE(live_->shown());
  EXPECT_TRUE(std::isnan(figure("rmse")));
  EXPECT_GT(figure("high"), 0.5) << "its own values";
}

}  // namespace
}  // namespace threadscape::app
