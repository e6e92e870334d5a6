#include "compute/run/observation.h"

#include <gtest/gtest.h>

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

  [[nodiscard]] std::vector<ObservedKernel> observed(const std::stop_token& stop = {}) const {
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
  const std::vector<ObservedKernel> kernels = observed();
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
  for (const ObservedKernel& kernel : observed())
    EXPECT_EQ(kernel.first, nullptr);
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
