// The plans that the backends of convolution, morphology and the gradient engine accept. Every member that a backend
// relies on is broken once.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "compute/algorithms/edges/sobel/sobel.h"
#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/algorithms/morphology/morphology/morphology.h"

namespace threadscape {
namespace {

/// What check() says about a plan after `change`; "" if it accepts it.
template <class Plan>
std::string problem_of(Plan plan, const std::function<void(Plan&)>& change) {
  change(plan);
  try {
    check(plan);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

TEST(PlanChecks, ConvolutionKnowsItsMask) {
  using Plan = convolution::Plan;
  Convolution::Params params;
  const Plan small = Convolution::plan(params);
  params.size = 13;
  params.preset = Convolution::Preset::gaussian;
  params.assigned("preset");
  const Plan large = Convolution::plan(params);
  ASSERT_TRUE(large.whole_factors);
  EXPECT_EQ(problem_of<Plan>(small, [](Plan&) {}), "");
  EXPECT_EQ(problem_of<Plan>(large, [](Plan&) {}), "");
  const auto refused = [&](const Plan& plan, const std::function<void(Plan&)>& change, const std::string& why) {
    EXPECT_EQ(problem_of<Plan>(plan, change), "convolution plan: " + why);
  };
  refused(
      small, [](Plan& p) { p.size = 4; }, "its size is not odd or out of range");
  refused(
      small, [](Plan& p) { p.radius = 2; }, "its radius is not that of its size");
  refused(
      small, [](Plan& p) { p.factored = true; }, "factors of a mask that has kernels of its own");
  refused(
      large, [](Plan& p) { p.exact = false; }, "integer factors without factors of an exact mask");
  refused(
      large, [](Plan& p) { ++p.units[20]; }, "units that are not its taps");
  refused(
      large, [](Plan& p) { ++p.magnitude; }, "a magnitude that is not that of its units");
  refused(
      large, [](Plan& p) { ++p.unit_row[6]; }, "integer factors whose product is another mask");
}

TEST(PlanChecks, MorphologyKnowsItsSteps) {
  using morphology::Plan;
  Morphology::Params params;
  const Plan erosion = Morphology::plan(params, Element::u8);
  EXPECT_EQ(problem_of<Plan>(erosion, [](Plan&) {}), "");
  const auto refused = [&](const std::function<void(Plan&)>& change, const std::string& why) {
    EXPECT_EQ(problem_of<Plan>(erosion, change), "morphology plan: " + why);
  };
  const auto window = [](Plan& p, const std::function<void(morphology::Window&)>& change) {
    morphology::Window copy = *p.steps[0].window;
    change(copy);
    p.steps[0].window = std::make_shared<const morphology::Window>(copy);
  };
  refused([](Plan& p) { p.steps.clear(); }, "it has no steps");
  refused([](Plan& p) { p.finish = morphology::Finish::hit_and_miss; },
          "its finish and its side result do not fit together");
  refused(
      [](Plan& p) {
        p.reconstruct = true;
        p.finish = morphology::Finish::original_minus_result;
      },
      "a reconstruction with a finish");
  refused([](Plan& p) { p.steps[0].window = nullptr; }, "a step without a window");
  refused([&](Plan& p) { window(p, [](auto& w) { w.width = 0; }); }, "an empty window");
  refused(
      [&](Plan& p) {
        window(p, [](auto& w) {
          w.rect = true;
          w.flat = false;
        });
      },
      "a rectangle with grey levels");
  refused(
      [&](Plan& p) {
        window(p, [](auto& w) {
          w.rect = false;
          w.terms.clear();
        });
      },
      "a rectangle with terms, or another window without");
  refused(
      [&](Plan& p) {
        window(p, [](auto& w) {
          w.rect = false;
          w.terms = {{0, 0, 0.0f}};
          w.chords.clear();
        });
      },
      "chords of a window that is not flat, or none");
}

TEST(PlanChecks, GradientsKnowThreeMasks) {
  using gradient::Plan;
  const Plan sobel = Sobel::plan({});
  EXPECT_EQ(problem_of<Plan>(sobel, [](Plan&) {}), "");
  EXPECT_EQ(problem_of<Plan>(sobel, [](Plan& p) { p.centre = 3; }), "gradient plan: weights of none of the masks");
  EXPECT_EQ(problem_of<Plan>(sobel, [](Plan& p) { p.output = gradient::Result::angle; }),
            "gradient plan: an angle, which derivatives compute");
}

}  // namespace
}  // namespace threadscape
