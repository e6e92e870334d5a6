// The plans that the engine of separable filters accepts.

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>

#include "compute/core/run.h"
#include "compute/core/synthetic.h"
#include "compute/engines/separable/separable.h"

namespace threadscape::separable {
namespace {

std::string problem_of(const Plan& plan) {
  try {
    check(plan);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

TEST(SeparablePlan, ThoseThatAreMadeAreAccepted) {
  for (int size = 3; size <= 2 * max_radius + 1; size += 2) {
    EXPECT_EQ(problem_of(mean_plan(size)), "") << size;
    EXPECT_EQ(problem_of(binomial_plan(size)), "") << size;
  }
  for (const float sigma : {0.1f, 0.5f, 1.0f, 2.5f, 8.0f, 20.0f}) {
    EXPECT_EQ(problem_of(gaussian_plan(sigma, 0)), "") << sigma;
    EXPECT_EQ(problem_of(laplacian_of_gaussian_plan(sigma)), "") << sigma;
    Plan sharp = gaussian_plan(sigma, 0);
    sharp.result = Result::sharpen;
    EXPECT_EQ(problem_of(sharp), "") << sigma;
  }
}

TEST(SeparablePlan, MembersThatDoNotFitTogetherAreRefused) {
  const auto refused = [](Plan plan, const std::function<void(Plan&)>& change, const std::string& why) {
    change(plan);
    EXPECT_EQ(problem_of(plan), "separable plan: " + why);
  };
  refused(
      mean_plan(3), [](Plan& p) { p.result = Result::sharpen; }, "equal taps for a result that is no mean");
  refused(
      mean_plan(3), [](Plan& p) { p.whole.row[0][1] = 2; }, "taps that are not equal");
  refused(
      mean_plan(3), [](Plan& p) { p.radius = max_radius + 1; }, "its radius is out of range");
  refused(
      mean_plan(3), [](Plan& p) { p.in_floats = true; },
      "floats or wide sums of bytes for a result that is not divided");
  refused(
      gaussian_plan(1.0f, 0), [](Plan& p) { p.terms = 2; }, "two terms for a result that has one");
  refused(
      gaussian_plan(1.0f, 0), [](Plan& p) { p.bits = 0; }, "its bits are out of range");
  refused(
      gaussian_plan(9.0f, 0), [](Plan& p) { p.below_2_24 = true; }, "its sums reach 2^24");
}

TEST(SeparablePlan, EveryBackendOfTheHostAsks) {
  Plan plan = mean_plan(3);
  plan.result = Result::sharpen;
  const HostArray in = make_synthetic(InputPattern::noise, Shape::image(Element::u8, 1, 40, 30), 1);
  HostArray out(in.shape());
  HostScratch scratch;
  scratch.reset(scratch_bytes(plan, in.shape(), Backend::serial, 0));
  HostRun run;
  run.in = in.view();
  run.out = out.view();
  run.scratch = &scratch;
  EXPECT_THROW(serial(plan, run), std::logic_error);
  EXPECT_THROW(openmp(plan, run), std::logic_error);
}

}  // namespace
}  // namespace threadscape::separable
