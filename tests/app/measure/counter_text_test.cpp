// What a GPU has counted, in words.

#include "app/measure/counter_text.h"

#include <gtest/gtest.h>

namespace threadscape::app {
namespace {

using Sentences = std::vector<std::string>;

TEST(CounterText, AKernelHasASentenceForEachKindOfFigures) {
  const cuda::CountedKernel tile{.name = "tile",
                                 .launches = 2,
                                 .grid = {64, 64, 1},
                                 .block = {32, 8, 1},
                                 .counts = {{"warp_instructions", 1605632},
                                            {"active_lanes", 31.5},
                                            {"divergent_branches", 0},
                                            {"occupancy", 85.9},
                                            {"global_load_requests", 131072},
                                            {"global_load_sectors", 524288},
                                            {"global_store_requests", 0},
                                            {"global_store_sectors", 0},
                                            {"shared_load_wavefronts", 4221746},
                                            {"shared_load_conflicts", 4090674},
                                            {"shared_store_wavefronts", 0},
                                            {"l1_hit_rate", 0},
                                            {"l2_hit_rate", 52.8},
                                            {"l2_bytes", 5.14e7},
                                            {"dram_read_bytes", 1.68e7},
                                            {"dram_write_bytes", 5e5}},
                                 .stalls = {{"mio_throttle", 45.25},
                                            {"long_scoreboard", 19.5},
                                            {"barrier", 12.25},
                                            {"short_scoreboard", 11},
                                            {"drain", 7},
                                            {"selected", 1}}};
  EXPECT_EQ(
      counter_sentences({.kernels = {tile}, .left_out = 3}),
      (Sentences{"The GPU counted for tile in 2 launches: 1,605,632 warp instructions, 31.5 of 32 lanes active, 0 "
                 "divergent branches, an occupancy of 85.9 %.",
                 "Its global memory: 131,072 loads of 524,288 sectors (4.00 each), L1 hits 0 %, L2 hits 52.8 %, "
                 "51.4 MB through L2, 16.8 MB read from DRAM, 0.500 MB written to it.",
                 "Its shared memory: 4,221,746 wavefronts of loads, 4,090,674 of them conflicts.",
                 "Its warps wait for room in the queue of shared memory 45.2 %, global or local memory 19.5 %, a "
                 "barrier 12.2 %, shared memory or special functions 11.0 %.",
                 "The GPU did not count 3 later launches."}));
}

TEST(CounterText, WhatIsUnknownHasNoSentence) {
  EXPECT_EQ(counter_sentences({}), Sentences{});
  EXPECT_EQ(counter_sentences({.kernels = {{.name = "a", .launches = 1, .counts = {{"warp_instructions", 64}}}}}),
            Sentences{"The GPU counted for a: 64 warp instructions."});
}

TEST(CounterText, TheReasonForNoCountsIsASentence) {
  EXPECT_EQ(counter_sentences({.why_none = "the counters of the GPU are for administrators alone"}),
            Sentences{"The counters of the GPU are for administrators alone."});
}

TEST(CounterText, RatesOfTheGpuStandBesideThoseOfTheCpu) {
  const cuda::CountedKernel small{.name = "tile",
                                  .launches = 1,
                                  .counts = {{"global_load_requests", 10},
                                             {"global_load_sectors", 40},
                                             {"shared_load_wavefronts", 6},
                                             {"shared_load_conflicts", 3},
                                             {"shared_store_wavefronts", 2},
                                             {"shared_store_conflicts", 0},
                                             {"active_lanes", 32},
                                             {"l2_hit_rate", 50}}};
  cuda::CountedKernel other = small, large = small;
  other.name = "other";
  large.launches = 3;
  large.counts["global_load_sectors"] = 80;
  large.counts["active_lanes"] = 24;
  large.counts["l1_hit_rate"] = 5;
  // The two kinds of launches with one name have loads that touch 120 sectors in 20 requests, and lanes are (24 * 3 +
  // 32) / 4.
  EXPECT_EQ(
      beside_sentences({.kernels = {large, small}}, {.kernels = {other, small}}),
      Sentences{"tile on the GPU (and counted here): 6.00 (4.00) sectors a load, 37.5 % (37.5 %) conflicts of shared "
                "wavefronts, 26.0 (32.0) active lanes, 50.0 % (50.0 %) hits of L2."});
  EXPECT_EQ(beside_sentences({.kernels = {large}}, {.kernels = {other}}), Sentences{});
  EXPECT_EQ(beside_sentences({.kernels = {large}}, {}), Sentences{});
}

}  // namespace
}  // namespace threadscape::app
