#pragma once
// Blur by a Gaussian, cut off at a radius and scaled so that the weights add up to 1.
//
// 8-bit results are computed in integers, the same on every backend, and differ from the exact ones by at most one
// level: see separable::error_bound(). The sums along columns and rows are in compute/engines/separable.

#include <string_view>
#include <tuple>

#include "compute/core/border.h"
#include "compute/engines/alpha/weighted_alpha.h"
#include "compute/engines/separable/separable_filter.h"

namespace threadscape {

struct Gaussian : separable::Filter<Gaussian> {
  static constexpr std::string_view name = "gaussian";
  static constexpr std::string_view title = "Gaussian blur";
  static constexpr std::string_view summary = "Smooths with weights that fall off like a bell";
  static constexpr std::string_view group = "Smoothing";
  static constexpr std::string_view source =
      "Marr, Hildreth: Theory of Edge Detection, 1980; SciPy ndimage.gaussian_filter";

  struct Params {
    float sigma = 1.0f;
    int radius = 0;
    Border border = Border::mirror;
    Channels channels = Channels::each;
    Alpha alpha = Alpha::ignored;

    static auto fields() {
      return std::tuple{
          Field{"sigma", &Params::sigma, 0.1f, 8.0f, "pixels", "standard deviation"},
          Field{"radius", &Params::radius, 0, separable::max_radius, "pixels",
                "where the weights are cut off; 0: 4 sigma rounded up"},
          EnumField{"border", &Params::border, linear_border_names, linear_border_help},
          EnumField{"channels", &Params::channels, channels_names, "each colour by itself, or the luma for all three"},
          EnumField{"alpha", &Params::alpha, alpha_names, alpha_help}};
    }
    bool operator==(const Params&) const = default;
  };

  [[nodiscard]] static separable::Plan plan(const Params& params);
};

}  // namespace threadscape
