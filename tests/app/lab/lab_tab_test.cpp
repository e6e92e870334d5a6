// The lab in a whole window without a display: a sweep is measured while frames are drawn, and plots become files.

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "app/bench/report_file.h"
#include "app/lab/lab_tab.h"
#include "app/window/window.h"
#include "compute/core/errors.h"
#include "compute/registry/registry.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

/// A window with the lab in it, drawn without a display.
class LabDesk {
 public:
  explicit LabDesk(std::unique_ptr<Platform> platform)
      : platform_(std::move(platform)),
        route_(interop::probe_route(platform_->context())),
        live_(route_, {}),
        window_(*platform_, shaders_, workspace, live_, machine_facts(platform_->context(), route_), {}, {}) {
    workspace.choose_algorithm(find_algorithm("sobel"));
    workspace.set_source("photo.png", testing::test_photo());
    auto tab = std::make_unique<LabTab>([] {}, lab_machine());
    lab = tab.get();
    window_.add_tab(std::move(tab));
    window_.load_everything();
    window_.show_panel("lab");
  }

  void frame() {
    const Input input = platform_->poll(false);
    if (frame_.id() == 0) frame_ = gl::Framebuffer(input.width, input.height);
    live_.update(workspace);
    window_.frame(input, frame_);
  }
  /// Draws frames until `done` returns true. Fails the test after three minutes.
  template <class Done>
  void frames_until(const Done& done) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(3);
    do {
      frame();
      ASSERT_LT(std::chrono::steady_clock::now(), limit) << "the window never got there";
    } while (!done());
  }
  [[nodiscard]] bool logged(std::string_view text) const {
    return std::ranges::any_of(workspace.log.entries(),
                               [&](const LogBook::Entry& entry) { return entry.text.find(text) != std::string::npos; });
  }

  Workspace workspace;
  LabTab* lab = nullptr;

 private:
  gl::ShaderLibrary shaders_;
  std::unique_ptr<Platform> platform_;
  interop::RouteReport route_;
  LiveView live_;
  Window window_;
  gl::Framebuffer frame_;
};

class LabInWindow : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      desk_ = std::make_unique<LabDesk>(make_headless(1280, 720, -1, 1.0f));
    } catch (const EnvironmentError& error) {
      GTEST_SKIP() << error.what();
    }
  }
  std::unique_ptr<LabDesk> desk_;
};

TEST_F(LabInWindow, PointsAppearWhileTheWindowIsDrawn) {
  choose_sweep(desk_->lab->choice(), "size", "16,24,32");
  desk_->lab->choice().backends = {true, true, false};
  desk_->lab->choice().precision = 10.0;  // Any median will do, so that the sweep is short.
  desk_->lab->run(desk_->workspace);
  desk_->frames_until([&] { return desk_->lab->reports().front().rows.size() == 6; });
  for (const std::string_view plot : lab_plot_names) {
    desk_->lab->show(find_lab_plot(plot));
    desk_->lab->enlarge(plot == "roofline");
    desk_->frame();
    desk_->frame();
  }
  // The next sweep begins with empty plots, and stopping it keeps what it has measured.
  desk_->lab->run(desk_->workspace);
  EXPECT_TRUE(desk_->lab->reports().front().rows.empty());
  desk_->lab->stop();
  desk_->lab->wait();
  desk_->frame();
  EXPECT_LE(desk_->lab->reports().front().rows.size(), 6U);
}

TEST_F(LabInWindow, SweepsThatCannotBePlannedAreLogged) {
  choose_sweep(desk_->lab->choice(), "size", "none");
  desk_->lab->run(desk_->workspace);
  EXPECT_TRUE(desk_->logged("lab: 'none': a whole number is wanted"));
  desk_->frame();
}

TEST_F(LabInWindow, ReportsOfOtherMachinesAreAdded) {
  desk_->lab->open_report(TS_SOURCE_DIR "/docs/benchmarks/nvidia-h200-backends.json");
  ASSERT_EQ(desk_->lab->reports().size(), 2U);
  EXPECT_EQ(desk_->lab->reports()[1].rows.size(), 6U);
  EXPECT_THROW(desk_->lab->open_report(TS_SOURCE_DIR "/docs/benchmarks/nvidia-h200-latency-interop.json"), UsageError);
  desk_->frame();
}

}  // namespace
}  // namespace threadscape::app
