#include "compute/warp/occupancy.h"

#include <gtest/gtest.h>

#include "compute/core/errors.h"

#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>
#define TS_OCCUPANCY_HEADER 1
#endif

namespace threadscape::warp {
namespace {

// The figures of NVIDIA's occupancy calculator.
TEST(WarpOccupancy, KnownResults) {
  const GpuModel& h100 = gpu_model(90);
  const Occupancy full = occupancy_of(h100, {.threads = 256, .registers = 32, .shared_bytes = 0});
  EXPECT_EQ(full.blocks, 8);
  EXPECT_EQ(full.fraction, 1.0);
  EXPECT_EQ(full.limit, OccupancyLimit::warps);
  const Occupancy few_registers = occupancy_of(h100, {.threads = 256, .registers = 48, .shared_bytes = 0});
  EXPECT_EQ(few_registers.blocks, 5);
  EXPECT_EQ(few_registers.limit, OccupancyLimit::registers);
  EXPECT_EQ(few_registers.fraction, 0.625);
  const Occupancy shared = occupancy_of(h100, {.threads = 256, .registers = 32, .shared_bytes = 48 * 1024});
  EXPECT_EQ(shared.blocks, 4);
  EXPECT_EQ(shared.limit, OccupancyLimit::shared_memory);
  const Occupancy small = occupancy_of(gpu_model(86), {.threads = 32, .registers = 16, .shared_bytes = 0});
  EXPECT_EQ(small.blocks, 16);
  EXPECT_EQ(small.limit, OccupancyLimit::blocks);
}

TEST(WarpOccupancy, WithoutRegistersItIsABound) {
  const Occupancy bound = occupancy_of(gpu_model(90), {.threads = 1024, .registers = {}, .shared_bytes = 0});
  EXPECT_FALSE(bound.registers_known);
  EXPECT_EQ(bound.fraction, 1.0);
}

TEST(WarpOccupancy, WhatCannotRunHasNoBlocks) {
  EXPECT_EQ(occupancy_of(gpu_model(90), {.threads = 2048, .registers = 16, .shared_bytes = 0}).blocks, 0);
  EXPECT_EQ(occupancy_of(gpu_model(90), {.threads = 1024, .registers = 128, .shared_bytes = 0}).blocks, 0);
  EXPECT_EQ(occupancy_of(gpu_model(90), {.threads = 32, .registers = 16, .shared_bytes = 228 * 1024}).blocks, 0);
  EXPECT_EQ(occupancy_of(gpu_model(90), {.threads = 0, .registers = 16, .shared_bytes = 0}).blocks, 0);
}

TEST(WarpOccupancy, CapabilitiesAreParsed) {
  EXPECT_EQ(parse_gpu_model("9.0").name, "H100 SXM");
  EXPECT_EQ(parse_gpu_model("86").name, "RTX 3090");
  EXPECT_EQ(parse_gpu_model("10.3").capability, 100);
  EXPECT_THROW((void)parse_gpu_model("5.0"), UsageError);
  EXPECT_THROW((void)parse_gpu_model("hopper"), UsageError);
  EXPECT_THROW((void)parse_gpu_model(""), UsageError);
}

// Every GPU with many blocks, compared with NVIDIA's header where it is installed.
TEST(WarpOccupancy, EqualsNvidiasHeader) {
#if TS_OCCUPANCY_HEADER
  for (const GpuModel& gpu : gpu_models())
    for (int threads = 32; threads <= 1024; threads += 32)
      for (int registers = 0; registers <= 255; registers += 3)
        for (int shared = 0; shared <= gpu.shared_of_block; shared += 9 * 1024 + 52) {
          cudaOccDeviceProp device;
          device.computeMajor = gpu.capability / 10;
          device.computeMinor = gpu.capability % 10;
          device.maxThreadsPerBlock = 1024;
          device.maxThreadsPerMultiprocessor = gpu.warps * 32;
          device.regsPerBlock = device.regsPerMultiprocessor = gpu.registers;
          device.warpSize = 32;
          device.sharedMemPerBlock = 48 * 1024;
          device.sharedMemPerBlockOptin = static_cast<std::size_t>(gpu.shared_of_block);
          device.sharedMemPerMultiprocessor = static_cast<std::size_t>(gpu.shared_bytes);
          device.reservedSharedMemPerBlock = static_cast<std::size_t>(gpu.reserved_shared);
          device.numSms = gpu.multiprocessors;
          cudaOccFuncAttributes kernel;
          kernel.maxThreadsPerBlock = 1024;
          kernel.numRegs = registers;
          kernel.maxDynamicSharedSizeBytes = static_cast<std::size_t>(shared);
          kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
          kernel.numBlockBarriers = 1;
          const cudaOccDeviceState state;
          cudaOccResult theirs{};
          ASSERT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&theirs, &device, &kernel, &state, threads,
                                                            static_cast<std::size_t>(shared)),
                    CUDA_OCC_SUCCESS)
              << gpu.capability << ' ' << threads << ' ' << registers << ' ' << shared;
          ASSERT_EQ(occupancy_of(gpu, {.threads = threads, .registers = registers, .shared_bytes = shared}).blocks,
                    theirs.activeBlocksPerMultiprocessor)
              << gpu.capability << ' ' << threads << ' ' << registers << ' ' << shared;
        }
#else
  GTEST_SKIP() << "cuda_occupancy.h is not installed";
#endif
}

}  // namespace
}  // namespace threadscape::warp
