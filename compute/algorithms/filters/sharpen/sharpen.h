#pragma once
// Unsharp masking: pixel + amount * (pixel - Gaussian blur). 8-bit results are rounded to nearest and clamped to 0 ..
// 255; the Gaussian is computed in 1/64 of a grey level and the amount in 1/256. Float results are not clamped. The
// sums along columns and rows are in compute/engines/separable.

#include <string_view>
#include <tuple>

#include "compute/core/border.h"
#include "compute/engines/separable/separable_filter.h"

namespace threadscape {

struct Sharpen : separable::Filter<Sharpen> {
  static constexpr std::string_view name = "sharpen";
  static constexpr std::string_view title = "Sharpen";
  static constexpr std::string_view summary = "Unsharp mask: adds what a Gaussian blur takes away";
  static constexpr std::string_view source =
      "Unsharp masking, from the darkroom; Gonzalez, Woods: Digital Image Processing";

  struct Params {
    float amount = 1.0f;
    float sigma = 1.0f;
    Border border = Border::mirror;
    Channels channels = Channels::each;

    static auto fields() {
      return std::tuple{
          Field{"amount", &Params::amount, 0.0f, 10.0f, "", "how much of the difference to the blur is added"},
          Field{"sigma", &Params::sigma, 0.1f, 8.0f, "pixels", "standard deviation"},
          EnumField{"border", &Params::border, linear_border_names, linear_border_help},
          EnumField{"channels", &Params::channels, channels_names, "each colour by itself, or the luma for all three"}};
    }
    bool operator==(const Params&) const = default;
  };

  [[nodiscard]] static separable::Plan plan(const Params& params);
};

}  // namespace threadscape
