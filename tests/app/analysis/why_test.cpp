// Each rule of the sentences that explain times applies at its threshold, and not before it.

#include <gtest/gtest.h>

#include "app/analysis/why.h"

namespace threadscape::app {
namespace {

std::string all(const WhyFacts& facts) {
  std::string text;
  for (const std::string& sentence : why(facts))
    text += (text.empty() ? "" : " ") + sentence;
  return text;
}

bool says(const WhyFacts& facts, const std::string& part) {
  return all(facts).find(part) != std::string::npos;
}

TEST(Why, NothingIsSaidWithoutTimes) {
  EXPECT_EQ(all({}), "");
}

TEST(Why, TransfersAreNamedFromHalfOfTheTotalOn) {
  WhyFacts facts{.backend = Backend::cuda, .compute_ms = 2.0, .upload_ms = 5.0, .download_ms = 3.0};
  EXPECT_TRUE(says(facts, "Transfers are 80 % of the total"));
  facts.upload_ms = facts.download_ms = 0.99;
  EXPECT_FALSE(says(facts, "Transfers"));
}

TEST(Why, MemoryIsTheBoundNearTheCopy) {
  WhyFacts facts{.compute_ms = 1.0, .of_copy = 0.73};
  EXPECT_EQ(all(facts), "Bound by memory: at 73 % of a plain copy.");
  facts.of_copy = 0.59;
  EXPECT_EQ(all(facts),
            "Not bound by memory: it is used at only 59 % of the rate of a copy. What else takes the time was not "
            "measured.");
  facts.backend = Backend::cuda;
  EXPECT_TRUE(says(facts, "The scene Kernel counts what else takes the time by line."));
  facts.counted = true;
  EXPECT_EQ(all(facts), "Not bound by memory: it is used at only 59 % of the rate of a copy.");
  facts.of_copy = 0.0036;
  EXPECT_EQ(all(facts), "Not bound by memory: it is used at only 0.4 % of the rate of a copy.");
  facts.of_copy = 1.5;
  EXPECT_TRUE(says(facts, "the data stay in a cache"));
}

TEST(Why, ATimeThatNoRuleExplainsIsCalledThat) {
  EXPECT_EQ(all({.compute_ms = 1.0}), "None of the known causes (transfers, launches, threads) explains this time.");
  EXPECT_EQ(all({.compute_ms = 1.0, .counted = true}), "") << "the lines of the kernels do";
}

TEST(Why, ShortRunsOnTheGpuAreLatency) {
  WhyFacts facts{.backend = Backend::cuda, .compute_ms = 1.0};
  EXPECT_FALSE(says(facts, "latency:"));
  facts.compute_ms = 0.008;
  EXPECT_TRUE(says(facts, "Bound by latency: a run of 8"));
}

TEST(Why, MultiprocessorsWithoutWorkAreNamed) {
  WhyFacts facts{.backend = Backend::cuda, .compute_ms = 1.0, .multiprocessors = 132, .busy_multiprocessors = 12};
  EXPECT_TRUE(says(facts, "Bound by latency: at most 12 of 132 multiprocessors have work."));
  facts.busy_multiprocessors = 132;
  EXPECT_FALSE(says(facts, "multiprocessors"));
}

/// Fifteen samples around a time on a number of threads.
ThreadPoint timed(double threads, double milliseconds, double spread = 0.001) {
  ThreadPoint point{.threads = threads, .milliseconds = milliseconds};
  for (int i = -7; i <= 7; ++i)
    point.samples.push_back(milliseconds * (1.0 + spread * i / 7.0));
  return point;
}

TEST(Why, ThreadsBeyondTheCoresThatDoNotHelpAreNamed) {
  WhyFacts facts{.backend = Backend::openmp,
                 .compute_ms = 1.0,
                 .physical_cores = 4,
                 .scaling = {timed(1, 4.0), timed(2, 2.0), timed(4, 1.0), timed(8, 0.995)}};
  EXPECT_TRUE(says(facts, "Threads beyond the 4 physical cores do not help."));
  facts.scaling.back() = timed(8, 0.8);
  EXPECT_FALSE(says(facts, "physical cores"));
  facts.scaling.back() = timed(8, 0.97, 0.5);
  EXPECT_TRUE(says(facts, "UNCLEAR: more runs decide whether threads beyond the 4 physical cores help."));
  facts.physical_cores = 0;
  EXPECT_FALSE(says(facts, "physical cores")) << "the cores of another machine are not known";
}

TEST(Why, FewerThreadsAreFasterOnlyByTheVerdictOfTheSamples) {
  WhyFacts facts{.backend = Backend::openmp,
                 .compute_ms = 1.0,
                 .physical_cores = 4,
                 .scaling = {timed(1, 4.0), timed(2, 2.0), timed(4, 3.0)}};
  EXPECT_TRUE(says(facts, "2 threads are faster than 4: 1.50x (95 %: 1.50 to 1.50).")) << all(facts);
  facts.scaling = {timed(1, 1.0, 0.4), timed(2, 1.1, 0.4)};
  EXPECT_TRUE(says(facts, "UNCLEAR: more runs decide whether 1 thread is faster than 2.")) << all(facts);
  EXPECT_FALSE(says(facts, "Other programs"));
  facts.other_load = 0.94;
  EXPECT_TRUE(says(facts, "than 2. Other programs kept 0.94 cores busy meanwhile, which may be why.")) << all(facts);
  facts.scaling = {{.threads = 1.0, .milliseconds = 1.0}, {.threads = 2.0, .milliseconds = 2.0}};
  EXPECT_FALSE(says(facts, "faster")) << "without samples there is no verdict";
}

TEST(Why, RunsThatAreMissingForAnIntervalAreCounted) {
  EXPECT_TRUE(
      says({.compute_ms = 1.0, .missing_runs = 4}, "UNCLEAR: the median has no interval yet; 4 runs are missing."));
}

TEST(Why, TheSerialFractionIsNamedWithItsInterval) {
  WhyFacts facts{.backend = Backend::openmp, .compute_ms = 3.0, .scaling = {{1, 10.0}, {2, 6.01}, {4, 3.99}, {8, 3.0}}};
  EXPECT_TRUE(says(facts, "A serial fraction of 20"));
  EXPECT_TRUE(says(facts, "speed-up of at most 5"));
  facts.scaling = {{1, 10.0}, {2, 5.0}, {4, 2.5}, {8, 1.25}};
  EXPECT_FALSE(says(facts, "serial fraction"));
  facts.scaling = {{1, 0.04}, {2, 0.03}, {4, 0.015}};
  EXPECT_TRUE(says(facts, "Too little work: 4"));
}

TEST(Why, WideIntervalsAreCalledUncertain) {
  EXPECT_TRUE(says({.compute_ms = 1.0, .precision = 0.12}, "+/- 12 %"));
  EXPECT_FALSE(says({.compute_ms = 1.0, .precision = 0.04}, "Uncertain"));
}

}  // namespace
}  // namespace threadscape::app
