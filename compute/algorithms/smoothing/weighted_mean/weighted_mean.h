#pragma once
// A mean in which near pixels weigh more: the weights are a row of Pascal's triangle (1 2 1, 1 4 6 4 1, ...) times the
// same as a column, so the centre is the heaviest. size 3 is the mask of 1 2 1, 2 4 2, 1 2 1, divided by 16.
//
// 8-bit results are rounded to nearest, halves up. They are exact for sizes 3, 5 and 7; separable::error_bound() says
// how exact larger sizes are. The sums along columns and rows are in compute/engines/separable.

#include <string_view>
#include <tuple>

#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/engines/separable/separable_filter.h"

namespace threadscape {

struct WeightedMean : separable::Filter<WeightedMean> {
  static constexpr std::string_view name = "weighted_mean";
  static constexpr std::string_view title = "Weighted mean";
  static constexpr std::string_view summary = "Mean of a square window in which near pixels weigh more";
  static constexpr std::string_view group = "Smoothing";
  static constexpr std::string_view source =
      "Gonzalez, Woods: Digital Image Processing, weighted averaging masks; binomial weights";

  struct Params {
    int size = 3;
    Border border = Border::mirror;
    Channels channels = Channels::each;

    static auto fields() {
      return std::tuple{
          Field{"size", &Params::size, 3, 31, "pixels", "side of the window", 2},
          EnumField{"border", &Params::border, border_names, "what lies outside the picture"},
          EnumField{"channels", &Params::channels, channels_names, "each colour by itself, or the luma for all three"}};
    }
    bool operator==(const Params&) const = default;
  };

  [[nodiscard]] static separable::Plan plan(const Params& params);
  static void cuda(const Params& params, const DeviceRun& run) {
    // One pass of the convolution's kernel is quicker for 3x3. From 5x5 on the separable engine's tensor-core kernels
    // are, but they do not compute luma, for which the convolution stays quicker up to max_quick_mean.
    const bool luma = run.in.shape.channels == 4 && params.channels == Channels::luma;
    const int max_quick = luma ? Convolution::max_quick_mean : 3;
    if (run.variant != 0 || params.size > max_quick || run.in.shape.element != Element::u8)
      return separable::cuda(plan(params), run);
    convolution::cuda(Convolution::weighted_mean_plan(params.size, params.border, params.channels), run);
  }
};

}  // namespace threadscape
