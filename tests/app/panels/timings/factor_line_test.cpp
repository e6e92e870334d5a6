// What the factor of openmp in the window is made of: it is measured by the works that are stated, and its parts are
// those of the medians that the bars show.

#include "app/panels/timings/factor_line.h"

#include <gtest/gtest.h>

#include "app/session/timing_figures.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

class FactorLineTest : public TestedWindowTest {
 protected:
  void compare(const std::vector<Work>& others) {
    tested_->live_.compare_works(tested_->workspace, others, 3);
    tested_->frames_until([this] { return !tested_->live_.comparing() && tested_->live_.settled(tested_->workspace); });
  }
  /// Keeps a mean by openmp on two threads as B.
  void keep_two_threads_as_b() {
    tested_->choose("mean", {});
    tested_->workspace.choose_threads(2);
    tested_->workspace.choose_backend(Backend::openmp);
    tested_->settle();
    tested_->window_.keep_as_b();
  }
};

TEST_P(FactorLineTest, TheFactorOfTheBarsIsTheProductOfItsParts) {
  Workspace& workspace = tested_->workspace;
  tested_->choose("mean", {});
  workspace.choose_threads(2);
  workspace.choose_backend(Backend::serial);
  tested_->settle();
  EXPECT_FALSE(shown_factor(workspace)) << "openmp has not run";
  Work openmp = workspace.wanted();
  openmp.backend = Backend::openmp;
  compare({openmp});
  const std::optional<CpuFactor> factor = shown_factor(workspace);
  ASSERT_TRUE(factor);
  EXPECT_FALSE(split_factor(workspace.timings, *factor)) << "nothing has run on one thread";

  const std::vector<Work> works = works_of_parts(*factor, workspace.wanted());
  EXPECT_EQ(works.size(), 4u) << "openmp and loops, on one thread and on two";
  compare(works);
  const std::optional<Speedup> parts = split_factor(workspace.timings, *factor);
  ASSERT_TRUE(parts);
  EXPECT_TRUE(parts->has_loops);
  EXPECT_DOUBLE_EQ(parts->over_baseline, factor_to_serial(workspace.timings, Backend::openmp));
  EXPECT_NEAR(parts->code * parts->vectors * parts->threads, parts->over_baseline, 1e-9 * parts->over_baseline);
  EXPECT_EQ(shown_factor(workspace)->own.variant, 0) << "the bars show another variant than before";
  EXPECT_EQ(shown_factor(workspace)->own.threads, 2);
}

TEST_P(FactorLineTest, AAndBAreSplitIfTheyDifferInHowTheyRun) {
  Workspace& workspace = tested_->workspace;
  keep_two_threads_as_b();
  EXPECT_FALSE(factor_of_a_and_b(workspace)) << "A is B";
  workspace.choose_backend(Backend::serial);
  tested_->settle();
  const std::optional<CpuFactor> factor = factor_of_a_and_b(workspace);
  ASSERT_TRUE(factor);
  EXPECT_EQ(factor->own_name, "B") << "the one with threads";
  EXPECT_EQ(factor->baseline_name, "A");
  EXPECT_EQ(factor->baseline.backend, Backend::serial);
  compare(works_of_parts(*factor, workspace.wanted()));
  EXPECT_TRUE(split_factor(workspace.timings, *factor));
  EXPECT_GE(times_of_b(workspace.timings, *factor).size(), 2u) << "B ran with the parts, after it was kept";

  workspace.choose_backend(Backend::openmp);
  workspace.choose_threads(1);
  const std::optional<CpuFactor> of_threads = factor_of_a_and_b(workspace);
  ASSERT_TRUE(of_threads);
  EXPECT_EQ(of_threads->baseline.threads, 2);
  EXPECT_EQ(works_of_parts(*of_threads, workspace.wanted()).size(), 1u);
  workspace.set_parameter("size", "5");
  EXPECT_FALSE(factor_of_a_and_b(workspace)) << "they compute something else";
}

TEST_P(FactorLineTest, TheFactorOfCudaIsThatOfOpenmpOfItsKernelsAndOfTransfers) {
  Workspace& workspace = tested_->workspace;
  tested_->choose("mean", {});
  tested_->settle();
  TimingBook& book = workspace.timings;
  book.clear();
  const auto run = [&](Backend backend, int threads, const StageTimes& times) {
    for (int i = 0; i < 3; ++i)
      book.push({.backend = backend, .threads = threads, .times = times});
  };
  run(Backend::serial, 1, {.compute_ms = 38.0, .present_ms = 2.0});
  EXPECT_EQ(device_sentence(workspace), "") << "cuda has not run";
  run(Backend::cuda, 1, {.upload_ms = 3.0, .compute_ms = 0.5, .download_ms = 4.0, .present_ms = 0.5});
  EXPECT_EQ(device_sentence(workspace),
            "CUDA is 5.00x as fast as serial = 80.0x (kernels alone) * 0.0625x (transfers "
            "to the device and the screen). Ratios of medians");
  run(Backend::openmp, 2, {.compute_ms = 8.0, .present_ms = 2.0});
  EXPECT_EQ(device_sentence(workspace),
            "CUDA is 5.00x as fast as serial = 4.00x (OpenMP, 2 threads) * 20.0x (kernels alone) * 0.0625x (transfers "
            "to the device and the screen). Ratios of medians");
}

TEST_P(FactorLineTest, AOnTheGpuAndBOnTheCpuAreSplitIntoKernelsAndTransfers) {
  Workspace& workspace = tested_->workspace;
  keep_two_threads_as_b();
  workspace.choose_backend(Backend::cuda);
  EXPECT_EQ(device_sentence_of_a_and_b(workspace), "") << "neither has run often enough";
  TimingBook& book = workspace.timings;
  book.clear();
  for (int i = 0; i < 3; ++i) {
    book.push({.backend = Backend::openmp, .threads = 2, .times = {.compute_ms = 8.0, .present_ms = 2.0}});
    book.push({.backend = Backend::cuda, .times = {.upload_ms = 1.5, .compute_ms = 0.5, .present_ms = 0.5}});
  }
  EXPECT_EQ(device_sentence_of_a_and_b(workspace),
            "A is 4.00x as fast as B = 20.0x (kernels alone) * 0.200x (transfers to the device and the screen). Ratios "
            "of medians");
}

INSTANTIATE_TEST_SUITE_P(Platforms, FactorLineTest, ::testing::Values(Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app
