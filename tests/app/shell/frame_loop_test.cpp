// Tests how long the loop of the window asks its platform to wait.

#include "app/shell/frame_loop.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

/// A platform without a window in which nothing happens: it returns at once, as if the whole wait was over. After some
/// sleeps it asks to close.
class IdlePlatform final : public Platform {
 public:
  Input poll_for(double seconds) override {
    waits.push_back(seconds);
    Input input = platform_->poll(false);
    time_ += seconds;
    input.time = time_;
    input.delta = static_cast<float>(std::max(seconds, 1e-3));
    input.only_woken = seconds > 0.0;
    sleeps_ += seconds > 0.0 ? 1 : 0;
    input.close_requested = sleeps_ >= 40 || waits.size() >= 20000;
    return input;
  }
  gl::Context& context() override { return platform_->context(); }
  void gather_events(double) override {}
  void present(const gl::Framebuffer&) override {}
  [[nodiscard]] bool headless() const override { return true; }
  void init_ui() override { platform_->init_ui(); }
  void shutdown_ui() override { platform_->shutdown_ui(); }
  void begin_ui_frame() override { platform_->begin_ui_frame(); }
  void resize(int width, int height) override { platform_->resize(width, height); }
  [[nodiscard]] WindowState window_state() const override { return platform_->window_state(); }

  std::vector<double> waits;

 private:
  std::unique_ptr<Platform> platform_ = make_headless(800, 600);
  double time_ = 0;
  int sleeps_ = 0;
};

TEST(FrameLoop, AnIdleWindowWakesAtMostOnceASecond) {
  IdlePlatform platform;
  gl::ShaderLibrary shaders(gl::ShaderLibrary::source_folder());
  Workspace workspace;
  const interop::RouteReport route = interop::probe_route(platform.context(), gpu::devices().first());
  LiveView live(route, [] {});
  Window window(platform, shaders, workspace, live, machine_facts(platform.context(), route), {}, {});
  const QuitSignals signals;
  run_frames(platform, shaders, workspace, live, window, signals, [] {});
  // The first run and its frames are over by then.
  constexpr std::size_t last = 20;
  ASSERT_GE(platform.waits.size(), last);
  for (std::size_t i = platform.waits.size() - last; i < platform.waits.size(); ++i)
    EXPECT_GE(platform.waits[i], 1.0) << "wait " << i;
}

}  // namespace
}  // namespace threadscape::app
