// Kernels survive the way into a report and back, and are described in one sentence.

#include "app/measure/report_kernels.h"

#include <gtest/gtest.h>

#include "compute/core/errors.h"

namespace threadscape::app {
namespace {

const cuda::KernelFacts small{.name = "add",
                              .launches = 1,
                              .grid = {12, 1, 1},
                              .block = {256, 1, 1},
                              .registers = 16,
                              .blocks_per_multiprocessor = 8,
                              .occupancy = 1.0};
const cuda::KernelFacts large{.name = "filter",
                              .launches = 3,
                              .grid = {128, 64, 1},
                              .block = {16, 16, 2},
                              .registers = 200,
                              .shared_bytes = 49152,
                              .local_bytes = 24,
                              .blocks_per_multiprocessor = 1,
                              .occupancy = 0.25};

TEST(BenchKernels, ComeBackFromAReport) {
  const cuda::Kernels kernels{small, large};
  const Json json = kernels_json(kernels);
  EXPECT_EQ(parse_kernels(JsonNode(json, "report.json")), kernels);
}

TEST(BenchKernels, ValuesThatNoKernelHasAreRefused) {
  Json json = kernels_json({small});
  json[0]["grid"] = {1, 2};
  EXPECT_THROW((void)parse_kernels(JsonNode(json, "report.json")), UsageError);
  json = kernels_json({small});
  json[0]["occupancy"] = 1.5;
  EXPECT_THROW((void)parse_kernels(JsonNode(json, "report.json")), UsageError);
}

TEST(BenchKernels, ASentenceNamesOnlyWhatAKernelTakes) {
  EXPECT_EQ(kernel_sentence(small),
            "Kernel add: 1 launch of 12 blocks of 256 threads with 16 registers each; 8 blocks fit on a "
            "multiprocessor, an occupancy of at most 100 %.");
  EXPECT_EQ(kernel_sentence(large),
            "Kernel filter: 3 launches of 128 x 64 blocks of 16 x 16 x 2 threads with 200 registers each, 49152 bytes "
            "of shared memory a block, 24 bytes of local memory a thread; 1 block fits on a multiprocessor, an "
            "occupancy of at most 25 %.");
}

}  // namespace
}  // namespace threadscape::app
