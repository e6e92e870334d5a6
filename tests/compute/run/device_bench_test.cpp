#include "compute/run/device_bench.h"

#include <gtest/gtest.h>

#include "compute/core/synthetic.h"
#include "compute/gpu/device.h"
#include "compute/gpu/device_ceilings.h"
#include "compute/registry/registry.h"
#include "tests/support/compute/fake_algorithm.h"

namespace threadscape::cuda {
namespace {

TEST(DeviceBench, MeasuresRunsAndTransfers) {
  if (const std::string problem = gpu::devices().first().problem(); !problem.empty()) GTEST_SKIP() << problem;
  const AlgorithmInfo fake = describe<FakeInvert>("fake");
  const AlgorithmInfo prepared = describe<FakePrepared>("prepared");
  const HostArray input = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 1, 4096, 4096));
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
  EXPECT_GT(device_copy_bandwidth(gpu::devices().first()), 1e10);
}

TEST(DeviceBench, ARunIsRecordedWithItsKernelsAndStillRunsAfterwards) {
  if (const std::string problem = gpu::devices().first().problem(); !problem.empty()) GTEST_SKIP() << problem;
  const HostArray input = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 1, 640, 480));
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

TEST(DeviceCeilings, RiseFromMemoryToSharedMemoryAndFromNumbersToMatrices) {
  if (const std::string problem = gpu::devices().first().problem(); !problem.empty()) GTEST_SKIP() << problem;
  const MeasuredCeilings ceilings = device_ceilings(gpu::devices().first());
  ASSERT_EQ(ceilings.reading.size(), 3U);
  for (std::size_t i = 0; i + 1 < ceilings.reading.size(); ++i)
    EXPECT_LT(ceilings.reading[i].per_second, ceilings.reading[i + 1].per_second) << ceilings.reading[i].name;
  // Every thread reads 16 bytes of shared memory at a time, but no multiprocessor more than 128 bytes in a cycle, and
  // no clock is above 3 GHz. A warp adds and multiplies at most 128 pairs of floats in a cycle of a multiprocessor.
  const double cycles = 3e9 * gpu::devices().first().info().multiprocessors;
  EXPECT_LE(ceilings.reading[2].per_second, 128.0 * cycles);
  ASSERT_FALSE(ceilings.arithmetic.empty());
  EXPECT_LE(ceilings.arithmetic[0].per_second, 256.0 * cycles);
  for (std::size_t i = 0; i + 1 < ceilings.arithmetic.size(); ++i)
    EXPECT_LT(ceilings.arithmetic[i].per_second, ceilings.arithmetic[i + 1].per_second) << ceilings.arithmetic[i].name;
}

TEST(DeviceBench, WantsADevice) {
  if (gpu::devices().first().problem().empty()) GTEST_SKIP() << "this machine has a CUDA device";
  EXPECT_THROW((void)device_copy_bandwidth(gpu::devices().first()), BackendAbsent);
  EXPECT_THROW((void)device_ceilings(gpu::devices().first()), BackendAbsent);
}

}  // namespace
}  // namespace threadscape::cuda
