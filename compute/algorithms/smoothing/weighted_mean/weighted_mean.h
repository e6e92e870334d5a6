#pragma once
// A mean in which near pixels weigh more: the weights are a row of Pascal's triangle (1 2 1, 1 4 6 4 1, ...) times the
// same as a column, so the centre is the heaviest. size 3 is the mask of 1 2 1, 2 4 2, 1 2 1, divided by 16.
//
// 8-bit results are rounded to nearest, halves up. They are exact for sizes 3, 5 and 7; separable::error_bound() says
// how exact larger sizes are. The sums along columns and rows are in compute/engines/separable.

#include <string_view>
#include <tuple>

#include "compute/core/border.h"
#include "compute/engines/alpha/weighted_alpha.h"
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
    Alpha alpha = Alpha::ignored;

    static auto fields() {
      return std::tuple{
          Field{"size", &Params::size, 3, 31, "pixels", "side of the window", 2},
          EnumField{"border", &Params::border, linear_border_names, linear_border_help},
          EnumField{"channels", &Params::channels, channels_names, "each colour by itself, or the luma for all three"},
          EnumField{"alpha", &Params::alpha, alpha_names, alpha_help}};
    }
    bool operator==(const Params&) const = default;
  };

  [[nodiscard]] static separable::Plan plan(const Params& params);
};

}  // namespace threadscape
