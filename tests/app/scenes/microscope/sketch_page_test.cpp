// The scenes of pictures and of kernels with a sketch, which needs no CUDA in the build: the threads of pixels, and its
// source beside PTX and machine code.

#include <gtest/gtest.h>

#include <limits>

#include "app/platform/platform.h"
#include "app/scenes/image/image_scene.h"
#include "app/scenes/microscope/microscope_scene.h"
#include "app/session/sketch_file.h"
#include "app/ui/ui_context.h"
#include "compute/core/resources.h"
#include "compute/gpu/device.h"
#include "compute/warp/compile.h"
#include "compute/warp/nvrtc.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

class MicroscopeSketch : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!warp::Nvrtc().opened() && warp::toolkit_program("nvcc").empty()) GTEST_SKIP() << warp::nvrtc_cure;
    platform_ = threadscape::testing::headless_or_skip(100, 100);
    if (!platform_) GTEST_SKIP() << "no OpenGL";
    ui_ = std::make_unique<UiContext>(*platform_, FontChoice::built_in, std::string{});
    apply_theme(Theme::dark, 1.0f);
    workspace_.set_source("photo.png", threadscape::testing::test_photo());
    workspace_.choose_algorithm(open_sketch(asset_folder() / "sketches" / "blur.cu"));
    live_ = std::make_unique<LiveView>(interop::probe_route(platform_->context(), gpu::devices().first()), [] {});
    live_->finish(workspace_);
    scene_ = std::make_unique<MicroscopeScene>(shaders_);
    scene_->prefer_completeness();
    scene_->show(static_cast<int>(MicroscopeShow::code));
  }
  void TearDown() override {
    scene_.reset();
    target_ = {};
    live_.reset();
    ui_.reset();
  }
  void resize(int width, int height) { target_ = gl::Framebuffer(width, height); }
  void frame(Scene& scene, float x = -10.0f, float y = -10.0f, float wheel = 0.0f) {
    (void)platform_->poll(false);
    ImGui::GetIO().AddMousePosEvent(x, y);
    if (wheel != 0.0f) ImGui::GetIO().AddMouseWheelEvent(0.0f, wheel);
    ui_->begin_frame();
    scene.draw(*live_, target_);
    const ImVec2 size{static_cast<float>(target_.width()), static_cast<float>(target_.height())};
    scene.interact(*live_, {0, 0}, size, x >= 0);
    ui_->drop_frame();
  }
  /// Puts the mouse there, and draws what it marks.
  void hover(float x, float y) {
    frame(*scene_, x, y);
    frame(*scene_, x, y);
  }
  [[nodiscard]] double figure(std::string_view name) const {
    for (const auto& [known, value] : scene_->figures())
      if (known == name) return value;
    return std::numeric_limits<double>::quiet_NaN();
  }
  [[nodiscard]] MicroscopeView& look() { return scene_->settings()->as<MicroscopeView>(); }

  std::unique_ptr<Platform> platform_;
  std::unique_ptr<UiContext> ui_;
  gl::ShaderLibrary shaders_;
  Workspace workspace_;
  std::unique_ptr<LiveView> live_;
  gl::Framebuffer target_;
  std::unique_ptr<MicroscopeScene> scene_;
};

TEST_F(MicroscopeSketch, AMouseOverTheResultNamesTheThread) {
  resize(96, 64);
  ImageScene image(shaders_);
  image.show(static_cast<int>(ImageShow::result));
  frame(image, 40.0f, 20.0f);
  EXPECT_EQ(image.thread(), "") << "nothing was executed yet";
  frame(*scene_);
  // A pixel of the view is one of the picture; the threads of all pixels are looked for once.
  ASSERT_NE(live_->observer().threads_of(*live_->shown(), true), nullptr);
  frame(image, 40.5f, 20.5f);
  EXPECT_EQ(image.thread(), "block 7 (1, 2), warp 4, lane 8 of blur");
  frame(image, 95.5f, 63.5f);
  EXPECT_EQ(image.thread(), "block 23 (2, 7), warp 7, lane 31 of blur");
  frame(image);
  EXPECT_EQ(image.thread(), "");
}

TEST_F(MicroscopeSketch, ThePixelOfASketchIsShownByItsStore) {
  resize(1000, 560);
  look().column = 40;
  look().row = 20;
  frame(*scene_);
  EXPECT_EQ(look().block, 7);
  EXPECT_EQ(look().warp, 4);
  EXPECT_EQ(figure("line"), 17) << "out(x, y) = ...";
}

TEST_F(MicroscopeSketch, ALineCountsWhatIsInlinedIntoIt) {
  resize(1000, 560);
  look().column = 40;
  look().row = 20;
  scene_->show(static_cast<int>(MicroscopeShow::source));
  frame(*scene_);
  frame(*scene_);
  ASSERT_GE(scene_->listed().size(), 17u);
  EXPECT_GT(scene_->listed()[14].figure, 2 * scene_->listed()[13].figure) << "in.mirror(), and the loop around it";
}

TEST_F(MicroscopeSketch, WhatBelongsToALineIsMarked) {
  resize(1280, 720);
  frame(*scene_);
  frame(*scene_);
  EXPECT_GE(figure("columns"), 2);
  EXPECT_EQ(figure("marked source"), 1) << "the line of the shown instruction";
  // Lines of the source from the top down: those with code have instructions of PTX, the head has none.
  bool some = false, none = false;
  for (float y = 70; y < 600; y += 7) {
    hover(200, y);
    if (figure("marked source") == 0) continue;
    (figure("marked ptx") > 0 ? some : none) = true;
  }
  EXPECT_TRUE(some);
  EXPECT_TRUE(none);
  // Instructions belong to lines.
  std::size_t marking = 0;
  for (float y = 70; y < 600; y += 14) {
    hover(800, y);
    if (figure("marked source") > 0 && figure("marked ptx") > 0) ++marking;
  }
  EXPECT_GT(marking, 10u);
}

TEST_F(MicroscopeSketch, ColumnsFoldAway) {
  resize(1600, 800);
  frame(*scene_);
  const bool disassembles = !warp::toolkit_program("nvdisasm").empty();
  EXPECT_EQ(figure("columns"), disassembles ? 3 : 2);
  EXPECT_EQ(figure("marked sass") > 0, disassembles);
  resize(400, 300);
  frame(*scene_);
  EXPECT_EQ(figure("columns"), 2) << "PTX is below the source";
  for (const auto& [width, height] : {std::pair{1, 1}, {60, 600}, {300, 20}}) {
    resize(width, height);
    frame(*scene_);
  }
}

TEST_F(MicroscopeSketch, ClicksAndTheWheelMoveThePage) {
  resize(700, 200);
  frame(*scene_);
  std::set<int> reached;
  for (float y = 60; y < 160; y += 6) {
    hover(600, y);
    ImGui::GetIO().AddMouseButtonEvent(0, true);
    frame(*scene_, 600, y);
    ImGui::GetIO().AddMouseButtonEvent(0, false);
    frame(*scene_, 600, y);
    reached.insert(look().step);
  }
  EXPECT_GT(reached.size(), 3u);
  hover(100, 100);
  const double before = figure("marked ptx");
  std::set<double> marked;
  for (int i = 0; i < 12; ++i) {
    frame(*scene_, 100, 100, 1.0f);
    hover(100, 100);
    marked.insert(figure("marked ptx"));
  }
  EXPECT_GT(marked.size() + (marked.contains(before) ? 0 : 1), 1u) << "other lines come under the mouse";
}

}  // namespace
}  // namespace threadscape::app
