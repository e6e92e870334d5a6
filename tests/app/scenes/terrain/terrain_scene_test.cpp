// Tests of the scene of terrains without a GPU, where the number of triangles follows the times of pictures, which are
// invented here.

#include "app/scenes/terrain/terrain_scene.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include "app/platform/platform.h"
#include "app/ui/ui_context.h"
#include "compute/registry/registry.h"
#include "render/capture.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/compute/host_arrays.h"

namespace threadscape::app {
namespace {

/// A rough terrain, of which the settings show 131,000 triangles, in a view of 320 x 200 pixels.
class QuickTerrain : public ::testing::Test {
 protected:
  void SetUp() override {
    platform_ = threadscape::testing::headless_or_skip(320, 200);
    if (!platform_) return;
    ui_ = std::make_unique<UiContext>(*platform_, FontChoice::built_in, std::string{});
    apply_theme(Theme::dark, 1.0f);
    workspace_.choose_algorithm(find_algorithm("diamond_square"));
    ParamBox params = workspace_.algorithm().defaults();
    params.assign("n", "8");
    params.assign("roughness", "0.1");
    workspace_.set_parameters(std::move(params));
    live_ = std::make_unique<LiveView>(interop::probe_route(platform_->context(), gpu::devices().first()), [] {});
    live_->finish(workspace_);
    target_ = gl::Framebuffer(320, 200);
    scene_ = quick_scene();
  }
  [[nodiscard]] std::unique_ptr<TerrainScene> quick_scene() {
    auto scene = std::make_unique<TerrainScene>(shaders_);
    // A picture takes 40 ms, and a rest ends after some frames.
    scene->set_clock([this] { return now_ms_ += call_ms_; });
    scene->prefer_speed();
    scene->settings()->assign("pixel_error", "0");
    return scene;
  }
  void TearDown() override {
    scene_.reset();
    live_.reset();
    ui_.reset();
  }
  [[nodiscard]] HostArray draw(TerrainScene& scene) {
    (void)platform_->poll(false);
    ui_->begin_frame();
    scene.draw(*live_, target_);
    ui_->drop_frame();
    return render::capture(target_);
  }
  /// Draws until nothing is left to draw. Returns the last picture.
  [[nodiscard]] HostArray rested(TerrainScene& scene) {
    HostArray picture = draw(scene);
    int frames = 0;
    for (; scene.animating() && frames < 200; ++frames)
      picture = draw(scene);
    EXPECT_LT(frames, 200);
    return picture;
  }
  [[nodiscard]] double triangles() const {
    for (const auto& [name, value] : scene_->figures())
      if (name == std::string_view("triangles")) return value;
    return 0.0;
  }
  std::unique_ptr<Platform> platform_;
  std::unique_ptr<UiContext> ui_;
  gl::ShaderLibrary shaders_;
  Workspace workspace_;
  std::unique_ptr<LiveView> live_;
  gl::Framebuffer target_;
  std::unique_ptr<TerrainScene> scene_;
  double now_ms_ = 0.0, call_ms_ = 40.0;
};

TEST_F(QuickTerrain, SlowPicturesInMotionHaveFewerTrianglesAndRestShowsAll) {
  (void)rested(*scene_);
  const double all = triangles();
  scene_->settings()->assign("azimuth", "10");
  const HostArray moving = draw(*scene_);
  EXPECT_LT(triangles(), all / 1.3);
  EXPECT_TRUE(scene_->animating());
  EXPECT_TRUE(testing::same_pixels(draw(*scene_), moving)) << "nothing is drawn anew at once";
  const HostArray resting = rested(*scene_);
  EXPECT_GT(triangles(), all / 1.1);
  EXPECT_FALSE(testing::same_pixels(resting, moving));
  EXPECT_TRUE(testing::same_pixels(draw(*scene_), resting));
}

/// Pixels of slow pictures are four times as few, and are enlarged to the view.
TEST_F(QuickTerrain, SlowPicturesAreEnlarged) {
  (void)rested(*scene_);
  call_ms_ = 200.0;
  scene_->settings()->assign("azimuth", "10");
  const HostArray slow = draw(*scene_);
  scene_->settings()->assign("azimuth", "11");
  (void)draw(*scene_);
  scene_->settings()->assign("azimuth", "10");
  const HostArray enlarged = draw(*scene_);
  EXPECT_FALSE(testing::same_pixels(enlarged, slow));
  const auto a = slow.image<Rgba8>(), b = enlarged.image<Rgba8>();
  double difference = 0.0;
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 320; ++x)
      difference += std::abs(int{a(x, y).r} - int{b(x, y).r});
  EXPECT_LT(difference / (320.0 * 200.0), 16.0) << "another part of the terrain";
  call_ms_ = 1.0;
  EXPECT_TRUE(testing::same_pixels(draw(*scene_), enlarged)) << "it is kept";
}

TEST_F(QuickTerrain, PicturesForFilesAreThoseAtRest) {
  (void)rested(*scene_);
  scene_->settings()->assign("azimuth", "10");
  const HostArray moving = draw(*scene_);
  (void)platform_->poll(false);
  ui_->begin_frame();
  scene_->finish(*live_, target_);
  ui_->drop_frame();
  const HostArray finished = render::capture(target_);
  EXPECT_FALSE(testing::same_pixels(finished, moving));
  EXPECT_FALSE(scene_->animating());
  EXPECT_TRUE(testing::same_pixels(draw(*scene_), finished));
  const auto other = quick_scene();
  other->settings()->assign("azimuth", "10");
  EXPECT_TRUE(testing::same_pixels(rested(*other), finished)) << "the way to a picture changes it";
}

/// Another view that was displayed meanwhile has drawn over the target, and then has let the scene release its own.
TEST_F(QuickTerrain, APictureThatWasReleasedIsDrawnAnew) {
  const HostArray before = rested(*scene_);
  target_.clear({1.0f, 0.0f, 0.0f, 1.0f});
  EXPECT_TRUE(testing::same_pixels(draw(*scene_), before)) << "the kept picture";
  target_.clear({1.0f, 0.0f, 0.0f, 1.0f});
  scene_->release_targets();
  EXPECT_TRUE(testing::same_pixels(draw(*scene_), before)) << "a new picture";
}

}  // namespace
}  // namespace threadscape::app
