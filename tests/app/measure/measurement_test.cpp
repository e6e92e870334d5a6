// Measurements in words: labels, kernels and parameters.

#include "app/measure/measurement.h"

#include <gtest/gtest.h>

#include "compute/registry/registry.h"

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

TEST(Measurement, ParametersAreWrittenForReportsAndForLabels) {
  const AlgorithmInfo& chain = find_algorithm("chain");
  ParamBox box = chain.defaults();
  box.assign("steps", "median size=5 | off mean | sobel");
  const std::vector<Parameter> steps = parameters_of(box);
  ASSERT_EQ(steps.front().name, "steps");
  EXPECT_EQ(steps.front().text, "median+sobel");
  EXPECT_EQ(steps.front().short_text(), "median+sobel");
  EXPECT_FALSE(steps.front().number());
  Workload what{.algorithm = "median", .params = parameters_of(find_algorithm("median").defaults())};
  ASSERT_NE(what.find("size"), nullptr);
  EXPECT_EQ(what.find("size")->number(), 3.0);
  EXPECT_EQ(what.find("border")->json, "\"" + what.find("border")->text + "\"");
  EXPECT_EQ(what.find("nothing"), nullptr);
  const Parameter mask{.name = "mask", .json = "[1,2,3,4,5,6,7,8,9]", .text = "[1,2,3,4,5,6,7,8,9]"};
  EXPECT_EQ(mask.short_text(), "") << "too long for a label";
}

TEST(Measurement, ASentenceNamesOnlyWhatAKernelTakes) {
  EXPECT_EQ(kernel_sentence(small),
            "Kernel add: 1 launch of 12 blocks of 256 threads with 16 registers each; 8 blocks fit on a "
            "multiprocessor, an occupancy of at most 100 %.");
  EXPECT_EQ(kernel_sentence(large),
            "Kernel filter: 3 launches of 128 x 64 blocks of 16 x 16 x 2 threads with 200 registers each, 49152 bytes "
            "of shared memory a block, 24 bytes of local memory a thread; 1 block fits on a multiprocessor, an "
            "occupancy of at most 25 %.");
}

TEST(Measurement, ShortLabelsKeepWhatTellsRowsApart) {
  EXPECT_EQ(short_labels({"sobel 64x64 u8 x 4 cuda tiled cold", "sobel 64x64 u8 x 1 cuda direct cold",
                          "noise 64x64 cuda tiled cold"}),
            (std::vector<std::string>{"sobel u8 x 4 tiled", "sobel u8 x 1 direct", "noise tiled"}));
  EXPECT_EQ(short_labels({"median size=3 64x64 openmp 1", "median size=5 64x64 openmp 2"}),
            (std::vector<std::string>{"median 3 openmp 1", "median 5 openmp 2"}));
  EXPECT_EQ(short_labels({"median 64x64 serial"}), (std::vector<std::string>{"median"}));
  EXPECT_EQ(short_labels({"", "noise 64x64"}), (std::vector<std::string>{"", "noise 64x64"}));
  EXPECT_TRUE(short_labels({}).empty());
}

}  // namespace
}  // namespace threadscape::app
