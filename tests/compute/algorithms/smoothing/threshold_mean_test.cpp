// Mean with a threshold: SciPy's results, cases with known answers, and the exact division.

#include "compute/algorithms/smoothing/threshold_mean/threshold_mean.h"

#include "tests/support/compute/host_backends.h"
#include "tests/support/compute/scratch_testing.h"

namespace threadscape::testing {
namespace {

using ThresholdMeanParams = ThresholdMean::Params;

TEST(ThresholdMean, SciPy) {
  for_each_stored_case("smoothing.json", "threshold_mean", [](const nlohmann::json& one) {
    const ThresholdMeanParams params{one.at("params").at("size"), one.at("params").at("threshold"), border_of(one),
                                     Channels::each};
    for (const Backend backend : host_backends)
      EXPECT_EQ(difference(run_on_scratch<ThresholdMean>(backend, params, stored_image(one, "input")),
                           stored_image(one, "output")),
                "")
          << one.at("params") << " " << one.at("border");
  });
}

TEST(ThresholdMean, MultiplyingByTheInverseDividesExactly) {
  for (int size = 3; size <= threshold_mean::max_size; size += 2) {
    const auto plan = ThresholdMean::plan({size, 0.0f, Border::mirror, Channels::each});
    const int count = size * size;
    for (int sum = 0; sum <= 255 * count; ++sum)
      ASSERT_EQ(threshold_mean::mean_of(sum, plan), (2 * sum + count) / (2 * count)) << size << " " << sum;
  }
}

TEST(ThresholdMean, ThresholdZeroChangesNothingAndTheWholeRangeIsTheMean) {
  const auto in = random_image<std::uint8_t>(90, 21, 4);
  std::vector<int> ramp;
  for (int y = 0; y < 21; ++y)
    for (int x = 0; x < 90; ++x)
      ramp.push_back(2 * x + y);
  const auto slope = grey_image(90, 21, ramp);
  for (const Backend backend : host_backends) {
    EXPECT_EQ(difference(run_on_scratch<ThresholdMean>(backend, {9, 0.0f, Border::wrap, Channels::each}, in), in), "");
    EXPECT_EQ(
        difference(run_on_scratch<ThresholdMean>(backend, {5, 255.0f, Border::valid, Channels::each}, slope), slope),
        "");
  }
}

TEST(ThresholdMean, SmoothsLittleAndKeepsMuch) {
  std::vector<int> values(40 * 20, 100);
  values[10 * 40 + 9] = 109;   // noise, which is smoothed
  values[10 * 40 + 29] = 250;  // a detail, which is kept
  const auto in = grey_image(40, 20, values);
  for (const Backend backend : host_backends)
    for (const bool floats : {false, true}) {
      const ThresholdMeanParams params{3, 20.0f, Border::mirror, Channels::each};
      const HostArray out = run_on_scratch<ThresholdMean>(backend, params, floats ? as_floats(in) : in.clone());
      const auto at = [&](int x, int y) {
        return floats ? 255.0f * out.image<float>()(x, y) : static_cast<float>(out.image<std::uint8_t>()(x, y));
      };
      EXPECT_NEAR(at(9, 10), 101.0f, 1e-3f);
      EXPECT_NEAR(at(29, 10), 250.0f, 1e-3f);
      EXPECT_NEAR(at(28, 10), 100.0f + 150.0f / 9,
                  floats ? 1e-3f : 0.5f);  // the detail counts in its neighbours' means
    }
}

TEST(ThresholdMean, AlphaIsKept) {
  expect_alpha_kept<ThresholdMean>({5, 60.0f, Border::reflect, Channels::each});
}

TEST(ThresholdMean, RefusesWhatItCannotDo) {
  EXPECT_THROW((void)ThresholdMean::output_shape({}, Shape::image(Element::u16, 1, 4, 4)), UsageError);
  ParamBox params = ParamBox::of(ThresholdMeanParams{});
  for (const char* size : {"1", "4", "33"})
    EXPECT_THROW(params.assign("size", size), UsageError) << size;
  for (const char* threshold : {"-1", "256", "nan", "inf"})
    EXPECT_THROW(params.assign("threshold", threshold), UsageError) << threshold;
}

}  // namespace
}  // namespace threadscape::testing
