// Tests of the scene that shows kernels on the emulated device. Builds without kernels say so; the others step.

#include "app/scenes/microscope/microscope_scene.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "app/platform/platform.h"
#include "app/ui/ui_context.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

constexpr int width = 1000, height = 560;

class MicroscopeSceneDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    platform_ = threadscape::testing::headless_or_skip(width, height);
    if (!platform_) return;
    ui_ = std::make_unique<UiContext>(*platform_, FontChoice::built_in, std::string{});
    apply_theme(Theme::dark, 1.0f);
    workspace_.choose_algorithm(find_algorithm("sorting"));
    workspace_.set_parameter("count", "4096");
    live_ = std::make_unique<LiveView>(interop::probe_route(platform_->context(), gpu::devices().first()), [] {});
    target_ = gl::Framebuffer(width, height);
    scene_ = std::make_unique<MicroscopeScene>(shaders_);
    scene_->prefer_completeness();
    look().variant = 2;  // bitonic_shared, which has a kernel with barriers.
    look().kernel = 2;
    live_->finish(workspace_);
    frame();
  }
  void TearDown() override {
    scene_.reset();
    target_ = {};
    live_.reset();
    ui_.reset();
  }
  void frame(float x = 0.0f, float y = 0.0f) {
    (void)platform_->poll(false);
    ImGui::GetIO().AddMousePosEvent(x, y);
    ui_->begin_frame();
    scene_->draw(*live_, target_);
    scene_->interact(*live_, {0, 0}, {width, height}, true);
    ui_->drop_frame();
  }
  void press(ImGuiKey key) {
    ImGui::GetIO().AddKeyEvent(key, true);
    frame();
    ImGui::GetIO().AddKeyEvent(key, false);
    frame();
  }
  [[nodiscard]] double figure(std::string_view name) const {
    for (const auto& [known, value] : scene_->figures())
      if (known == name) return value;
    return std::numeric_limits<double>::quiet_NaN();
  }
  [[nodiscard]] MicroscopeView& look() { return scene_->settings()->as<MicroscopeView>(); }
  [[nodiscard]] bool has_kernels() const { return gpu::devices().emulated().available(); }

  std::unique_ptr<Platform> platform_;
  std::unique_ptr<UiContext> ui_;
  gl::ShaderLibrary shaders_;
  Workspace workspace_;
  std::unique_ptr<LiveView> live_;
  gl::Framebuffer target_;
  std::unique_ptr<MicroscopeScene> scene_;
};

TEST_F(MicroscopeSceneDevice, IsThereForAlgorithmsWithKernels) {
  for (const AlgorithmInfo& algorithm : algorithms())
    EXPECT_EQ(MicroscopeScene::can_show(algorithm), !algorithm.variants_of(Backend::cuda).empty()) << algorithm.name;
}

TEST_F(MicroscopeSceneDevice, SaysThatTheBuildHasNoKernels) {
  if (!platform_) return;
  if (has_kernels()) GTEST_SKIP() << "this build has kernels";
  EXPECT_TRUE(scene_->figures().empty());
  EXPECT_FALSE(scene_->animating());
  press(ImGuiKey_X);
  EXPECT_TRUE(scene_->figures().empty());
}

TEST_F(MicroscopeSceneDevice, KeysGoForwardsAndBack) {
  if (!platform_) return;
  if (!has_kernels()) GTEST_SKIP() << gpu::devices().emulated().obstacle();
  EXPECT_GT(figure("kernels"), 1);
  EXPECT_EQ(look().step, 0);
  press(ImGuiKey_X);
  press(ImGuiKey_X);
  EXPECT_EQ(look().step, 2);
  press(ImGuiKey_Z);
  EXPECT_EQ(look().step, 1);
  press(ImGuiKey_Z);
  press(ImGuiKey_Z);
  EXPECT_EQ(look().step, 0);
  look().step = 1 << 30;
  frame();
  EXPECT_EQ(look().step + 1, figure("instructions"));
}

TEST_F(MicroscopeSceneDevice, LinesAndBarriersAreReached) {
  if (!platform_) return;
  if (!has_kernels()) GTEST_SKIP() << gpu::devices().emulated().obstacle();
  const double line = figure("line");
  press(ImGuiKey_N);
  EXPECT_NE(figure("line"), line);
  press(ImGuiKey_B);
  const int first = look().step;
  press(ImGuiKey_B);
  EXPECT_GT(look().step, first);
  // Another scene with these settings shows the place of this one.
  MicroscopeScene other(shaders_);
  other.prefer_completeness();
  other.settings()->as<MicroscopeView>() = look();
  other.draw(*live_, target_);
  EXPECT_EQ(other.figures(), scene_->figures());
}

TEST_F(MicroscopeSceneDevice, ClickedLinesAreReached) {
  if (!platform_) return;
  if (!has_kernels()) GTEST_SKIP() << gpu::devices().emulated().obstacle();
  scene_->show(static_cast<int>(MicroscopeShow::ptx));
  frame();
  // Rows are below each other: clicks from the top down reach instructions one after another.
  std::set<int> reached;
  for (int y = 60; y < 300; y += 10) {
    frame(100.0f, static_cast<float>(y));
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    frame(100.0f, static_cast<float>(y));
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    frame(100.0f, static_cast<float>(y));
    reached.insert(look().step);
  }
  EXPECT_GT(reached.size(), 5U);
}

TEST_F(MicroscopeSceneDevice, EverySizeIsDrawn) {
  if (!platform_) return;
  for (const auto& [wide, high] : {std::pair{1, 1}, {60, 600}, {300, 20}, {2000, 1200}}) {
    target_ = gl::Framebuffer(wide, high);
    for (const MicroscopeShow show : {MicroscopeShow::source, MicroscopeShow::ptx}) {
      scene_->show(static_cast<int>(show));
      frame();
    }
  }
}

}  // namespace
}  // namespace threadscape::app
