#include "compute/run/device_bench.h"

#include <gtest/gtest.h>

#include "compute/cuda/device.h"
#include "compute/io/synthetic.h"
#include "compute/registry/registry.h"
#include "tests/support/compute/fake_algorithm.h"

namespace threadscape::cuda {
namespace {

TEST(DeviceBench, MeasuresRunsAndTransfers) {
  if (const std::string problem = device_problem(); !problem.empty()) GTEST_SKIP() << problem;
  const AlgorithmInfo fake = describe<FakeInvert>("fake");
  const AlgorithmInfo prepared = describe<FakePrepared>("prepared");
  const HostArray input = io::make_synthetic(io::Pattern::noise, Shape::image(Element::u8, 1, 4096, 4096));
  for (const AlgorithmInfo* algorithm : {&fake, &prepared}) {
    DeviceBench bench({.algorithm = algorithm, .params = algorithm->defaults(), .backend = Backend::cuda}, input.view(),
                      input.shape());
    EXPECT_GT(bench.pairs(), 1);
    FakePrepared::prepared = 0;
    EXPECT_GT(bench.compute_ms(3), 0.0);
    EXPECT_EQ(FakePrepared::prepared, algorithm == &prepared ? 3 : 0) << "each run pays for its preparation";
    HostArray output(input.shape());
    EXPECT_GT(bench.upload_ms(input.view()), 0.0);
    EXPECT_GT(bench.download_ms(output.view()), 0.0);
  }
  EXPECT_GT(device_copy_bandwidth(), 1e10);
}

TEST(DeviceBench, ARunIsRecordedWithItsKernelsAndStillRunsAfterwards) {
  if (const std::string problem = device_problem(); !problem.empty()) GTEST_SKIP() << problem;
  const HostArray input = io::make_synthetic(io::Pattern::noise, Shape::image(Element::u8, 1, 640, 480));
  for (const AlgorithmInfo& algorithm : algorithms()) {
    if (algorithm.name != "sobel" && algorithm.name != "gaussian") continue;
    DeviceBench bench({.algorithm = &algorithm, .params = algorithm.defaults(), .backend = Backend::cuda}, input.view(),
                      input.shape());
    const Kernels kernels = bench.kernels();
    ASSERT_FALSE(kernels.empty()) << algorithm.name;
    for (const KernelFacts& kernel : kernels) {
      EXPECT_GE(kernel.launches, 1);
      EXPECT_GE(kernel.registers, 8) << kernel.name;
      EXPECT_LE(kernel.registers, 255) << kernel.name;
      EXPECT_GE(kernel.blocks_per_multiprocessor, 1) << kernel.name;
      EXPECT_GT(kernel.occupancy, 0.0) << kernel.name;
      EXPECT_LE(kernel.occupancy, 1.0) << kernel.name;
    }
    EXPECT_EQ(bench.kernels(), kernels);
    EXPECT_GT(bench.compute_ms(1), 0.0);
  }
}

TEST(DeviceBench, WantsADevice) {
  if (device_problem().empty()) GTEST_SKIP() << "this machine has a CUDA device";
  EXPECT_THROW((void)device_copy_bandwidth(), BackendAbsent);
}

}  // namespace
}  // namespace threadscape::cuda
