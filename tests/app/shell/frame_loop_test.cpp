// Tests how long the loop of the window asks its platform to wait.

#include "app/shell/frame_loop.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "compute/io/file_writer.h"
#include "compute/io/pictures/image_file.h"
#include "compute/warp/compile.h"
#include "compute/warp/nvrtc.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

/// A platform without a window in which nothing happens: it returns at once, as if the whole wait was over. After some
/// sleeps it asks to close.
class IdlePlatform final : public Platform {
 public:
  explicit IdlePlatform(std::unique_ptr<Platform> platform) : platform_(std::move(platform)) {}
  Input poll_for(double seconds) override {
    waits.push_back(seconds);
    Input input = platform_->poll(false);
    time_ += seconds;
    input.time = time_;
    input.delta = static_cast<float>(std::max(seconds, 1e-3));
    input.only_woken = seconds > 0.0;
    after_sleep_ = seconds > 0.0 ? 0 : after_sleep_ + 1;
    input.events = sleeps_ == event_after && after_sleep_ == 0;  // A press ends the sleep.
    if (input.events) input.only_woken = false;
    if (sleeps_ == event_after + 1 && after_sleep_ == 3) input.events = true;  // Its release comes with the last frame.
    if (sleeps_ == event_after + 1) ++frames_after;
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
  int event_after = -2;  ///< The sleep with this number, counted from 0, is ended by an event; -2: none is.
  int frames_after = 0;  ///< Polls that did not sleep, between that sleep and the next one, and that one.

 private:
  std::unique_ptr<Platform> platform_;
  double time_ = 0;
  int sleeps_ = 0, after_sleep_ = 0;
};

/// A platform without a window whose frames take longer than those of a fast display, and that sleeps until it is woken
/// as soon as `patient` is set.
class SlowPlatform final : public Platform {
 public:
  explicit SlowPlatform(std::unique_ptr<Platform> platform) : platform_(std::move(platform)) {}
  Input poll_for(double seconds) override {
    Input input = platform_->poll(false);
    if (patient && seconds > 0.0) {
      std::unique_lock lock(mutex_);
      input.close_requested = !changed_.wait_for(lock, std::chrono::seconds(60), [this] { return woken_; });
      input.only_woken = true;
    }
    const std::lock_guard lock(mutex_);
    woken_ = false;
    input.close_requested |= close;
    return input;
  }
  void wake() override {
    const std::lock_guard lock(mutex_);
    woken_ = true;
    changed_.notify_all();
  }
  void present(const gl::Framebuffer&) override {
    ++frames;
    for (const Stopwatch watch; watch.ms() < 30.0;) {
    }
  }
  gl::Context& context() override { return platform_->context(); }
  void gather_events(double) override {}
  [[nodiscard]] bool headless() const override { return true; }
  void init_ui() override { platform_->init_ui(); }
  void shutdown_ui() override { platform_->shutdown_ui(); }
  void begin_ui_frame() override { platform_->begin_ui_frame(); }
  void resize(int width, int height) override { platform_->resize(width, height); }
  [[nodiscard]] WindowState window_state() const override { return platform_->window_state(); }

  bool patient = false, close = false;
  int frames = 0;

 private:
  std::unique_ptr<Platform> platform_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool woken_ = false;
};

TEST(FrameLoop, ASketchIsCompiledAndRunsBeforeTheNextFrame) {
  if (!warp::Nvrtc().opened() && warp::toolkit_program("nvcc").empty()) GTEST_SKIP() << warp::nvrtc_cure;
  const testing::TemporaryFolder folder;
  const std::filesystem::path photo = folder.path() / "photo.png";
  io::save_picture(photo, threadscape::testing::test_photo().pixels.view(), io::FileColour::rgb);
  io::save_bytes(
      folder.path() / "copied.cu",
      std::string_view("// sketch: loop_copied\n"
                       "// reads: picture gray u8    makes: picture gray u8\n\n"
                       "#include \"threadscape.h\"\n"
                       "__global__ void loop_copied(Image<const unsigned char> in, Image<unsigned char> out) {\n"
                       "  const int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  const int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
                       "  if (out.inside(x, y)) out(x, y) = in(x, y);\n"
                       "}\n"));
  std::unique_ptr<Platform> headless = testing::headless_or_skip(800, 600);
  if (!headless) return;
  SlowPlatform platform(std::move(headless));
  gl::ShaderLibrary shaders(gl::ShaderLibrary::source_folder());
  Workspace workspace;
  const interop::RouteReport route = interop::probe_route(platform.context(), gpu::devices().first());
  LiveView live(route, [&] { platform.wake(); });
  Window window(platform, shaders, workspace, live, machine_facts(platform.context(), route), {}, {});
  window.load_everything();
  const QuitSignals signals;
  int asked_at = 0, shown_at = 0;
  window.open(photo);
  run_frames(platform, shaders, workspace, live, window, signals, [&] {
    if (!window.sketch().is_open() && platform.frames > 8 && workspace.source() && live.settled(workspace)) {
      window.open(folder.path() / "copied.cu");
      window.sketch().run();
      platform.patient = true;
      asked_at = platform.frames;
    } else if (window.sketch().shown() && live.settled(workspace)) {
      shown_at = platform.frames;
      platform.patient = false;
      platform.close = true;
    }
  });
  EXPECT_EQ(window.sketch().trouble(), "");
  ASSERT_GT(shown_at, 0);
  // The compiler may have woken the window a moment before its result can be taken, which costs a frame, and so may the
  // run.
  EXPECT_LE(shown_at - asked_at, 3);
}

TEST(FrameLoop, AnEventAmongTheFramesOfAnotherOneHasItsOwnFrames) {
  std::unique_ptr<Platform> headless = testing::headless_or_skip(800, 600);
  if (!headless) return;
  IdlePlatform platform(std::move(headless));
  platform.event_after = 20;  // The first run and its frames are over by then.
  gl::ShaderLibrary shaders(gl::ShaderLibrary::source_folder());
  Workspace workspace;
  const interop::RouteReport route = interop::probe_route(platform.context(), gpu::devices().first());
  LiveView live(route, [] {});
  Window window(platform, shaders, workspace, live, machine_facts(platform.context(), route), {}, {});
  const QuitSignals signals;
  run_frames(platform, shaders, workspace, live, window, signals, [] {});
  // Three frames follow that of the press, and three that of the release, which is the last of them; then it sleeps.
  EXPECT_EQ(platform.frames_after, 3 + 3 + 1);
}

TEST(FrameLoop, AnIdleWindowWakesAtMostOnceASecond) {
  std::unique_ptr<Platform> headless = testing::headless_or_skip(800, 600);
  if (!headless) return;
  IdlePlatform platform(std::move(headless));
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
