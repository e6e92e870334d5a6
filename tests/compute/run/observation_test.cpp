#include "compute/run/observation.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <utility>

#include "compute/core/errors.h"
#include "compute/core/synthetic.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/warp/stepper.h"

namespace threadscape {
namespace {

/// The observation of a small run of threshold_mean.
struct EmulatedDeviceObservation : ::testing::Test {
  const AlgorithmInfo& algorithm = find_algorithm("threshold_mean");
  HostArray picture = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 1, 64, 32), 1);
  ObserveRequest request{.run = {.algorithm = &algorithm, .params = algorithm.defaults()},
                         .gpu = &warp::gpu_model(90),
                         .instructions = 10'000'000,
                         .kept_bytes = 1 << 20};

  [[nodiscard]] Observation observed(const std::stop_token& stop = {}) const {
    return observe(request, picture.view(), stop);
  }
  static bool has_kernels() { return gpu::devices().emulated().available(); }
};

TEST_F(EmulatedDeviceObservation, NeedsKernelsInTheBuild) {
  if (has_kernels()) GTEST_SKIP() << "this build has kernels";
  EXPECT_THROW((void)observed(), BackendAbsent);
}

TEST_F(EmulatedDeviceObservation, KeepsTheFirstLaunchOfEachKernel) {
  if (!has_kernels()) GTEST_SKIP() << gpu::devices().emulated().obstacle();
  const std::vector<ObservedKernel> kernels = observed().kernels;
  ASSERT_FALSE(kernels.empty());
  for (const ObservedKernel& kernel : kernels) {
    ASSERT_NE(kernel.first, nullptr);
    std::uint64_t executed = 0;
    for (std::uint64_t block = 0; block < kernel.grid.count(); ++block) {
      warp::Stepper stepper(kernel.first, block);
      for (std::uint32_t warp = 0; warp < stepper.warps(); ++warp)
        executed += stepper.trace(warp).size();
    }
    if (kernel.launches == 1) {
      EXPECT_EQ(executed, kernel.study.launch.total.ptx_instructions) << kernel.name;
    }
  }
}

TEST_F(EmulatedDeviceObservation, KeepsNoMoreMemoryThanAllowed) {
  if (!has_kernels()) GTEST_SKIP() << gpu::devices().emulated().obstacle();
  request.kept_bytes = 0;
  const Observation observation = observed();
  for (const ObservedKernel& kernel : observation.kernels)
    EXPECT_EQ(kernel.first, nullptr);
  EXPECT_FALSE(ResultThreads(observation).of(0, 0));
}

TEST_F(EmulatedDeviceObservation, FindsTheThreadOfAPixel) {
  if (!has_kernels()) GTEST_SKIP() << gpu::devices().emulated().obstacle();
  const Observation observation = observed();
  const ResultThreads threads(observation);
  EXPECT_FALSE(threads.of(64, 0));
  EXPECT_FALSE(threads.of(0, -1));
  for (const auto& [x, y] : {std::pair{0, 0}, {63, 31}, {17, 5}}) {
    const std::optional<ElementThread> found = threads.of(x, y);
    ASSERT_TRUE(found) << x << ", " << y;
    const ObservedKernel& kernel = observation.kernels[found->kernel];
    // The thread's store is in the trace of its warp, and one of its lanes writes at the address of the pixel.
    warp::Stepper stepper(kernel.first, found->writer.block);
    const std::uint32_t warp = found->writer.thread / 32;
    bool stores = false;
    for (std::uint64_t i = 0; i < stepper.trace(warp).size(); ++i) {
      const warp::Stepper::Executed& executed = stepper.trace(warp)[i];
      if (executed.function != found->writer.function || executed.instruction != found->writer.operation) continue;
      const warp::WarpStep step = stepper.look(warp, i);
      stores |= step.memory && step.memory->writes && (step.executes >> found->writer.thread % 32 & 1) != 0;
    }
    EXPECT_TRUE(stores) << x << ", " << y;
  }
  std::set<std::pair<std::uint64_t, std::uint32_t>> all;
  std::size_t pixels = 0;
  threads.for_each([&](std::int64_t, std::int64_t, const ElementThread& thread) {
    all.emplace(thread.writer.block, thread.writer.thread);
    ++pixels;
  });
  EXPECT_EQ(pixels, 64U * 32U);
  EXPECT_GE(all.size(), 32U) << "a warp at least";
}

TEST_F(EmulatedDeviceObservation, EndsAtTheLimitAndWhenItIsStopped) {
  if (!has_kernels()) GTEST_SKIP() << gpu::devices().emulated().obstacle();
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW((void)observed(stop.get_token()), Cancelled);
  request.instructions = 10;
  EXPECT_THROW((void)observed(), EnvironmentError);
}

}  // namespace
}  // namespace threadscape
