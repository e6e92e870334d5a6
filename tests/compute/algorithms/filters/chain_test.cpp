// Steps of a chain as text and JSON, and the result of a chain against that of its steps run one by one.

#include "compute/algorithms/filters/chain/chain.h"

#include <gtest/gtest.h>

#include "compute/core/synthetic.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"

namespace threadscape {
namespace {

std::string complaint(const auto& action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Steps, EverySettingOfEveryFilterSurvivesTextAndJson) {
  for (const AlgorithmInfo& info : algorithms()) {
    if (!is_filter(info)) continue;
    for (const VerifySetting& setting : verify_settings(info)) {
      const std::vector<Step> steps{{&info, setting.params, false}, {&info, setting.params, true}};
      EXPECT_EQ(parse_steps(to_text(steps)), steps) << info.name << " " << setting.label << ": " << to_text(steps);
      EXPECT_EQ(steps_from_json(steps_to_json(steps)), steps) << info.name << " " << setting.label;
    }
  }
}

TEST(Steps, TextIsShort) {
  EXPECT_EQ(to_text(parse_steps(" sobel  norm=l2|off sobel ")), "sobel norm=l2 | off sobel");
  EXPECT_EQ(to_text(parse_steps("")), "");
  EXPECT_EQ(parse_steps("\"sobel\" norm=\"l2\""), parse_steps("sobel norm=l2"));
}

TEST(Steps, ComplaintsNameTheStep) {
  EXPECT_NE(complaint([] { (void)parse_steps("sobel | sobell"); }).find("step 2: algorithm 'sobell' is unknown"),
            std::string::npos);
  EXPECT_NE(complaint([] { (void)parse_steps("sobel | | sobel"); }).find("step 2: an algorithm is wanted"),
            std::string::npos);
  EXPECT_NE(complaint([] { (void)parse_steps("sobel norm=l3"); }).find("step 1: parameter 'norm' refuses 'l3'"),
            std::string::npos);
  EXPECT_NE(complaint([] { (void)parse_steps("sobel l2"); }).find("step 1: name=value is wanted, not 'l2'"),
            std::string::npos);
  EXPECT_NE(complaint([] { (void)parse_steps("off"); }).find("step 1: an algorithm is wanted after 'off'"),
            std::string::npos);
  EXPECT_NE(complaint([] { (void)parse_steps("sobel norm=\"l2"); }).find("not closed"), std::string::npos);
  EXPECT_NE(complaint([] { (void)steps_from_json("[{\"on\": true}]"); }).find("step 1: an object"), std::string::npos);
  EXPECT_NE(complaint([] {
              (void)steps_from_json("[\"sobel\", {\"algorithm\": \"sobel\", \"of\": 1}]");
            }).find("step 2: 'of' is unknown"),
            std::string::npos);
}

TEST(Chain, PresetHoldsTheSteps) {
  ParamBox params = find_algorithm("chain").defaults();
  assign_json(params, R"({"steps": ["sobel norm=l2", {"algorithm": "convolution", "params": {"size": 5}}]})");
  ASSERT_EQ(params.as<Chain::Params>().steps.size(), 2u);
  EXPECT_EQ(to_text(params.as<Chain::Params>().steps).find("sobel norm=l2 | convolution size=5"), 0u);
  ParamBox again = find_algorithm("chain").defaults();
  assign_json(again, to_json(params));
  EXPECT_EQ(again, params);
}

TEST(Chain, AChainIsNoStep) {
  ParamBox params = find_algorithm("chain").defaults();
  params.assign("steps", "chain");
  EXPECT_EQ(params.problem(), "step 1, chain: only algorithms from picture to picture can be steps");
}

HostArray run_one(const AlgorithmInfo& info, const ParamBox& params, HostIn in, Backend backend, std::uint64_t seed) {
  const RunRequest request{.algorithm = &info, .params = params, .backend = backend, .seed = seed};
  return Runner().run(request, in).output;
}

TEST(Chain, EqualsItsStepsRunOneByOne) {
  const HostArray photo = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 4, 131, 67), 3);
  ParamBox params = find_algorithm("chain").defaults();
  params.assign("steps", "noise | convolution size=5 preset=gaussian | off sobel | noise kind=gaussian | sobel");
  for (const Backend backend : {Backend::serial, Backend::openmp}) {
    HostArray expected = photo.clone();
    std::uint64_t seed = 7;
    for (const Step& step : params.as<Chain::Params>().steps) {
      if (step.on) expected = run_one(*step.algorithm, step.params, expected.view(), backend, seed);
      ++seed;
    }
    const HostArray actual = run_one(find_algorithm("chain"), params, photo.view(), backend, 7);
    EXPECT_FALSE(compare(expected.view(), actual.view(), Tolerance::exact()));
  }
}

TEST(Chain, IntermediatesAreThePicturesBehindEachStep) {
  const HostArray photo = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 4, 61, 37), 3);
  const AlgorithmInfo& info = find_algorithm("chain");
  ParamBox params = info.defaults();
  params.assign("steps", "noise | off sobel | noise kind=gaussian | convolution size=5 preset=gaussian | off noise");
  const std::vector<Intermediate> steps = info.intermediates->list(params);
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[2].title, find_algorithm("convolution").title);
  EXPECT_EQ(steps[2].params, params);
  HostArray expected = photo.clone();
  std::size_t shown = 0;
  std::uint64_t seed = 7;
  for (const Step& step : params.as<Chain::Params>().steps) {
    if (step.on) {
      expected = run_one(*step.algorithm, step.params, expected.view(), Backend::openmp, seed);
      const HostArray actual = run_one(info, steps[shown++].params, photo.view(), Backend::openmp, 7);
      EXPECT_FALSE(compare(expected.view(), actual.view(), Tolerance::exact()));
    }
    ++seed;
  }
}

TEST(Chain, TheFirstStepSeesWhetherTheInputFits) {
  const HostArray photo = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 1, 31, 17), 3);
  ParamBox params = find_algorithm("chain").defaults();
  params.assign("steps", "off sobel | morphology operation=hitmiss | sobel");
  EXPECT_NE(complaint([&] { (void)run_one(find_algorithm("chain"), params, photo.view(), Backend::openmp, 0); }), "");
}

TEST(Chain, WithoutStepsGivesTheInput) {
  const HostArray photo = make_synthetic(InputPattern::photo, Shape::image(Element::f32, 4, 31, 7), 3);
  ParamBox params = find_algorithm("chain").defaults();
  params.assign("steps", "off sobel");
  const HostArray out = run_one(find_algorithm("chain"), params, photo.view(), Backend::openmp, 0);
  EXPECT_FALSE(compare(photo.view(), out.view(), Tolerance::exact()));
}

}  // namespace
}  // namespace threadscape
