// Tests that inputs which algorithms make themselves are made on the worker thread, while the old contents stay
// displayed. The test decides when an input is complete, so no result depends on timing.

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <semaphore>
#include <thread>

#include "app/live/live_view.h"
#include "app/platform/platform.h"
#include "compute/algorithms/sequences/sorting/sorting.h"
#include "compute/core/errors.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

/// The event for which make_input() of the algorithm waits.
struct Gate {
  std::counting_semaphore<> open{0};
  std::atomic<int> entered{0};
  std::atomic<bool> fails{false}, on_drawing_thread{false};
  std::thread::id drawing_thread = std::this_thread::get_id();
};
Gate* gate = nullptr;

HostArray make_behind_gate(const ParamBox& params, std::uint64_t seed) {
  if (std::this_thread::get_id() == gate->drawing_thread)
    gate->on_drawing_thread = true;  // and nobody would open the gate
  else {
    ++gate->entered;
    gate->open.acquire();
  }
  if (gate->fails) throw UsageError("there are no such numbers");
  return Sorting::make_input(params.as<Sorting::Params>(), seed);
}

enum class Way { serial, openmp, interop, staged };

void PrintTo(Way way, std::ostream* out) {
  constexpr std::array names{"serial", "openmp", "interop", "staged"};
  *out << names[static_cast<std::size_t>(way)];
}

class LiveViewInputTest : public ::testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    const bool on_device = GetParam() == Way::interop || GetParam() == Way::staged;
    if (on_device && !gpu::devices().first().available()) GTEST_SKIP() << gpu::devices().first().obstacle();
    platform_ = threadscape::testing::headless_or_skip(
        64, 64, gpu::devices().first().available() ? gpu::devices().first().info().ordinal : -1);
    if (!platform_) return;
    try {
      route_ = interop::probe_route(platform_->context(), gpu::devices().first(),
                                    GetParam() == Way::interop  ? interop::Route::interop
                                    : GetParam() == Way::staged ? std::optional(interop::Route::staged)
                                                                : std::nullopt);
    } catch (const BackendAbsent& error) {
      GTEST_SKIP() << error.what();
    }
    gate = &gate_;
    gated_ = find_algorithm("sorting");
    gated_.own_input->make = make_behind_gate;
    live_ = std::make_unique<LiveView>(route_, [] {});
    workspace_.choose_algorithm(gated_);
    workspace_.choose_backend(on_device                   ? Backend::cuda
                              : GetParam() == Way::serial ? Backend::serial
                                                          : Backend::openmp);
    set_count(100);
    gate_.open.release();
    settle();
    expect_sorted(100);
  }
  void TearDown() override {
    EXPECT_FALSE(gate_.on_drawing_thread);
    gate_.open.release(1000);  // whatever still waits
    live_.reset();
  }

  void set_count(int count) { workspace_.set_parameter("count", std::to_string(count)); }
  /// Wants another input, which is being made when this returns.
  void begin_to_make(int count) {
    const int before = gate_.entered;
    set_count(count);
    frames_until([&] { return gate_.entered > before; });
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i)
      live_->update(workspace_);
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
  [[nodiscard]] int shown_count() const {
    return live_->shown() ? live_->shown()->params.as<Sorting::Params>().count : 0;
  }
  /// Checks that the displayed input and output belong together.
  void expect_sorted(int count) {
    ASSERT_TRUE(live_->shown());
    EXPECT_EQ(shown_count(), count);
    EXPECT_EQ(live_->shown()->source_id, live_->input_version());
    ASSERT_TRUE(live_->source());
    const HostIn input = live_->source()->picture.pixels.view();
    EXPECT_EQ(input.shape.width, count);
    EXPECT_EQ(live_->input()->shape(), input.shape);
    RunRequest request = live_->shown()->request();
    request.backend = Backend::serial;
    request.variant = 0;
    const HostArray expected = Runner().run(request, input).output, shown = live_->output()->read();
    ASSERT_EQ(shown.shape(), expected.shape());
    EXPECT_EQ(std::memcmp(shown.data(), expected.data(), static_cast<std::size_t>(count) * 4), 0);
  }

  Gate gate_;
  AlgorithmInfo gated_;
  std::unique_ptr<Platform> platform_;
  interop::RouteReport route_;
  Workspace workspace_;
  std::unique_ptr<LiveView> live_;
};

TEST_P(LiveViewInputTest, TheOldPictureStaysWhileTheInputIsMade) {
  const std::uint64_t output = live_->output_version(), input = live_->input_version();
  begin_to_make(200);
  for (int i = 0; i < 20; ++i) {
    frames(1);
    EXPECT_TRUE(live_->busy());
    EXPECT_TRUE(live_->makes_input());
    EXPECT_FALSE(live_->settled(workspace_));
    EXPECT_EQ(live_->output_version(), output);
    EXPECT_EQ(live_->input_version(), input);
  }
  expect_sorted(100);
  EXPECT_EQ(workspace_.problem(), "");
  EXPECT_EQ(workspace_.source(), nullptr);
  EXPECT_EQ(workspace_.input_shape().width, 200);  // known before
  gate_.open.release();
  settle();
  expect_sorted(200);
  EXPECT_EQ(workspace_.source(), live_->source());
  EXPECT_EQ(gate_.entered, 2);
}

TEST_P(LiveViewInputTest, WhatTheInputDoesNotDependOnNeedsNoOther) {
  begin_to_make(200);
  workspace_.set_parameter("stages", "3");
  frames(5);
  gate_.open.release();
  settle();
  expect_sorted(200);
  EXPECT_EQ(live_->shown()->params.as<Sorting::Params>().stages, 3);
  workspace_.set_parameter("stages", "0");
  settle();
  expect_sorted(200);
  EXPECT_EQ(gate_.entered, 2);
}

TEST_P(LiveViewInputTest, DraggingShowsResultsOnTheWay) {
  // The value is always newer than the input that is being made. A run may be overtaken on a busy machine, not all.
  int seen = 0;
  begin_to_make(200);
  for (int count = 201; count < 240 && seen == 0; ++count) {
    set_count(count);
    frames(3);
    const int before = gate_.entered;
    gate_.open.release();
    frames_until([&] {
      if (shown_count() == count - 1) ++seen;
      return gate_.entered > before;
    });
    if (seen > 0) expect_sorted(count - 1);
  }
  EXPECT_GT(seen, 0);
  gate_.open.release();
  settle();
  expect_sorted(workspace_.work().params.as<Sorting::Params>().count);
}

TEST_P(LiveViewInputTest, AnotherAlgorithmHasNoUseForIt) {
  begin_to_make(200);
  workspace_.choose_algorithm(find_algorithm("diamond_square"));
  workspace_.set_parameter("n", "4");
  frames(3);
  gate_.open.release();
  frames_until([this] {
    EXPECT_EQ(live_->input(), nullptr);
    return live_->settled(workspace_);
  });
  EXPECT_EQ(live_->shown()->algorithm->name, "diamond_square");
  EXPECT_EQ(live_->output()->shape().width, 17);
}

TEST_P(LiveViewInputTest, AFileTakesItsPlace) {
  begin_to_make(200);
  Sorting::Params seven;
  seven.count = 7;
  workspace_.set_source("seven.raw", {Sorting::make_input(seven, 1)});
  const std::uint64_t file = workspace_.source()->id;
  frames(3);
  gate_.open.release();
  frames_until([&] {
    EXPECT_EQ(live_->input_version(), file);
    return live_->settled(workspace_);
  });
  EXPECT_EQ(live_->shown()->source_id, file);
  EXPECT_EQ(live_->output()->shape().width, 7);
  workspace_.close();
  gate_.open.release();
  settle();
  expect_sorted(200);
}

TEST_P(LiveViewInputTest, CancelledMakingIsNotTriedAgain) {
  begin_to_make(200);
  live_->cancel();
  gate_.open.release();
  settle();
  frames(5);
  EXPECT_EQ(gate_.entered, 2);
  expect_sorted(100);
  live_->rerun();
  gate_.open.release();
  frames_until([this] { return live_->shown() && live_->settled(workspace_); });
  expect_sorted(200);
}

TEST_P(LiveViewInputTest, WhyItCannotBeMadeIsSaid) {
  gate_.fails = true;
  begin_to_make(200);
  EXPECT_EQ(workspace_.problem(), "");
  gate_.open.release();
  settle();
  EXPECT_EQ(workspace_.problem(), "there are no such numbers");
  frames(5);
  EXPECT_EQ(gate_.entered, 2);
  EXPECT_EQ(shown_count(), 100);
  gate_.fails = false;
  set_count(300);
  EXPECT_EQ(workspace_.problem(), "");
  gate_.open.release();
  settle();
  expect_sorted(300);
}

TEST_P(LiveViewInputTest, AFailureIsTriedAgainWhenAsked) {
  gate_.fails = true;
  begin_to_make(200);
  gate_.open.release();
  settle();
  gate_.fails = false;
  workspace_.check_again();
  live_->rerun();
  gate_.open.release();
  frames_until([this] { return live_->shown() && live_->settled(workspace_); });
  expect_sorted(200);
}

TEST_P(LiveViewInputTest, ComparisonsWaitForIt) {
  begin_to_make(200);
  live_->compare_backends(workspace_, 2);
  frames(5);
  EXPECT_TRUE(live_->comparing());
  gate_.open.release();
  settle();
  expect_sorted(200);
  EXPECT_EQ(workspace_.timings.statistics(Backend::serial).size(), 2u);
  EXPECT_EQ(gate_.entered, 2);
}

TEST_P(LiveViewInputTest, WithoutAWindowItIsWaitedFor) {
  gate_.open.release();
  set_count(200);
  live_->finish(workspace_);
  expect_sorted(200);
  set_count(300);
  EXPECT_THROW(live_->finish(workspace_, [](double) { throw Cancelled(); }), Cancelled);
  gate_.open.release();
  live_->finish(workspace_, [](double done) { EXPECT_LE(done, 1.0); });
  expect_sorted(300);
}

TEST(WorkspaceInput, IsMadeHereAndNowWhereNobodyLooks) {
  Workspace workspace;
  workspace.choose_algorithm(find_algorithm("reconstruction"));
  EXPECT_TRUE(workspace.lacks_input());
  EXPECT_EQ(workspace.source(), nullptr);
  const Work before = workspace.wanted();
  const Shape shape = workspace.input_shape();
  workspace.make_input();
  ASSERT_NE(workspace.source(), nullptr);
  EXPECT_FALSE(workspace.lacks_input());
  EXPECT_EQ(workspace.source()->picture.pixels.shape(), shape);
  EXPECT_EQ(workspace.wanted(), before);  // the same work all along
  workspace.set_parameter("phantom", "file");
  workspace.make_input();
  EXPECT_EQ(workspace.source(), nullptr);
  EXPECT_NE(workspace.problem().find("phantom=file"), std::string::npos);
}

TEST(WorkspaceInput, ItsShapeIsKnownBefore) {
  for (const AlgorithmInfo& algorithm : algorithms()) {
    if (!algorithm.own_input) continue;
    Workspace workspace;
    workspace.choose_algorithm(algorithm);
    for (const FieldRef& field : workspace.work().params.fields())
      if (field.name == "count") workspace.set_parameter("count", "1000");
    const Shape shape = workspace.input_shape();
    workspace.make_input();
    ASSERT_EQ(workspace.problem(), "") << algorithm.name;
    EXPECT_EQ(workspace.source()->picture.pixels.shape(), shape) << algorithm.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, LiveViewInputTest,
                         ::testing::Values(Way::serial, Way::openmp, Way::interop, Way::staged),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace threadscape::app
