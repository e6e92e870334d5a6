#pragma once
// A scene of pictures without a window, for tests.

#include <gtest/gtest.h>

#include <memory>
#include <string_view>

#include "app/scenes/image/image_scene.h"
#include "app/ui/ui_context.h"
#include "compute/registry/registry.h"
#include "render/capture.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {

/// Shows the test photo, or what an algorithm makes of it, in a view of 480 x 320 pixels.
class ImageSceneTest : public ::testing::Test {
 protected:
  void SetUp() override {
    platform_ = threadscape::testing::headless_or_skip(480, 320);
    if (!platform_) return;
    live_ = std::make_unique<LiveView>(interop::probe_route(platform_->context(), gpu::devices().first()), [] {});
    ui_ = std::make_unique<UiContext>(*platform_, FontChoice::built_in, std::string{});
    apply_theme(Theme::dark, 1.0f);
    scene_ = std::make_unique<ImageScene>(shaders_);
    frame_ = gl::Framebuffer(480, 320);
    workspace_.choose_algorithm(find_algorithm("convolution"));
    workspace_.set_source("photo.png", threadscape::testing::test_photo());
  }
  void set(std::string_view name, std::string_view value) { workspace_.set_parameter(name, value); }
  void look(std::string_view name, std::string_view value) { scene_->settings()->assign(name, value); }
  void frame() {
    (void)platform_->poll(false);
    ui_->begin_frame();
    scene_->draw(*live_, frame_);
    ui_->drop_frame();
  }
  /// The picture of the view once the result is there and nothing changes any more.
  [[nodiscard]] HostArray settled() {
    live_->want_reference(scene_->wants_reference());
    live_->finish(workspace_);
    do {
      frame();
    } while (scene_->animating());
    return render::capture(frame_);
  }
  /// Number of pixels that two views show differently.
  [[nodiscard]] static int differing(const HostArray& a, const HostArray& b) {
    int count = 0;
    for (int y = 0; y < 320; ++y)
      for (int x = 0; x < 480; ++x)
        count += a.image<Rgba8>()(x, y) != b.image<Rgba8>()(x, y) ? 1 : 0;
    return count;
  }

  Workspace workspace_;
  gl::ShaderLibrary shaders_;
  std::unique_ptr<Platform> platform_;
  std::unique_ptr<LiveView> live_;
  std::unique_ptr<UiContext> ui_;
  std::unique_ptr<ImageScene> scene_;
  gl::Framebuffer frame_;
};

}  // namespace threadscape::app
