// Tests that the preparation of CUDA runs is made on the worker thread, once for all runs with equal parameters and
// input. The test decides when a preparation is complete, so no result depends on timing.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <semaphore>
#include <thread>

#include "app/live/live_view.h"
#include "app/platform/platform.h"
#include "compute/registry/registry.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/compute/pretended_device.h"

namespace threadscape::app {
namespace {

/// The event for which the preparation of the algorithm waits.
struct PreparationGate {
  std::counting_semaphore<> open{0};
  std::atomic<int> entered{0};
  std::atomic<bool> fails{false}, on_drawing_thread{false};
  std::thread::id drawing_thread = std::this_thread::get_id();
};
PreparationGate* preparation_gate = nullptr;

std::shared_ptr<const Preparation> prepare_behind_gate(const ParamBox&, const HostIn&, std::uint64_t, std::uint64_t,
                                                       const std::stop_token&, Progress*) {
  if (std::this_thread::get_id() == preparation_gate->drawing_thread) {
    preparation_gate->on_drawing_thread = true;  // and nobody would open the gate
  } else {
    ++preparation_gate->entered;
    preparation_gate->open.acquire();
  }
  if (preparation_gate->fails) throw std::bad_alloc();
  return std::make_shared<Preparation>();
}

class PreparationTest : public ::testing::Test {
 protected:
  void SetUp() override {
    platform_ = threadscape::testing::headless_or_skip(64, 64);
    if (!platform_) return;
    preparation_gate = &gate_;
    route_.cuda_route = interop::Route::staged;
    algorithm_ = find_algorithm("convolution");
    algorithm_.preparation =
        PreparationFacet{.needed = [](const ParamBox&, Backend backend) { return backend == Backend::cuda; },
                         .prepare = prepare_behind_gate};
    workspace_.choose_device(device_);
    live_ = std::make_unique<LiveView>(route_, [] {});
    workspace_.choose_algorithm(algorithm_);
    workspace_.choose_backend(Backend::cuda);
    workspace_.set_source("photo", threadscape::testing::test_photo());
  }
  void TearDown() override {
    EXPECT_FALSE(gate_.on_drawing_thread);
    gate_.open.release(1000);  // whatever still waits
    live_.reset();
  }
  /// Fails the test after far more than it can take.
  template <class Done>
  void frames_until(const Done& done) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    do {
      live_->update(workspace_);
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      ASSERT_LT(std::chrono::steady_clock::now(), limit);
    } while (!done());
  }
  void settle() {
    frames_until([this] { return live_->settled(workspace_); });
  }
  void begin() {
    frames_until([this] { return gate_.entered > 0; });
  }

  threadscape::testing::PretendedDevice device_;
  PreparationGate gate_;
  AlgorithmInfo algorithm_;
  std::unique_ptr<Platform> platform_;
  interop::RouteReport route_;
  Workspace workspace_;
  std::unique_ptr<LiveView> live_;
};

TEST_F(PreparationTest, FramesGoOnWhileItIsMade) {
  begin();
  for (int i = 0; i < 20; ++i) {
    live_->update(workspace_);
    EXPECT_TRUE(live_->busy());
    EXPECT_TRUE(live_->prepares());
    EXPECT_EQ(live_->shown(), nullptr);
  }
  gate_.open.release();
  settle();
  ASSERT_NE(live_->shown(), nullptr);
  EXPECT_EQ(*live_->shown(), workspace_.wanted());
}

TEST_F(PreparationTest, ItServesAllRunsOnTheSameParameters) {
  gate_.open.release();
  settle();
  live_->rerun();
  settle();
  EXPECT_EQ(gate_.entered, 1);
  workspace_.set_parameter("size", "5");
  gate_.open.release();
  settle();
  EXPECT_EQ(gate_.entered, 2);
  EXPECT_EQ(*live_->shown(), workspace_.wanted());
}

TEST_F(PreparationTest, ItIsNotTriedAgainAfterCancelling) {
  begin();
  live_->cancel();
  gate_.open.release();
  settle();
  EXPECT_EQ(live_->shown(), nullptr);
  EXPECT_EQ(gate_.entered, 1);
  live_->rerun();
  gate_.open.release();
  frames_until([this] { return live_->shown() != nullptr && live_->settled(workspace_); });
}

TEST_F(PreparationTest, LackOfMemoryIsLogged) {
  gate_.fails = true;
  gate_.open.release();
  settle();
  EXPECT_EQ(live_->shown(), nullptr);
  const auto entries = workspace_.log.entries();
  ASSERT_FALSE(entries.empty());
  EXPECT_EQ(entries.back().level, LogBook::Level::error);
  EXPECT_NE(entries.back().text.find("memory"), std::string::npos);
}

}  // namespace
}  // namespace threadscape::app
