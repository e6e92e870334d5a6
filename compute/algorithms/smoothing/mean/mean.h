#pragma once
// The mean of a square window. In 8-bit pictures it is rounded to the nearest integer; halves do not occur, because the
// number of pixels is odd. The sums along columns and rows are in compute/engines/separable; small windows have a CUDA
// kernel of their own, mean_tiled.h.

#include <string_view>
#include <tuple>

#include "compute/core/border.h"
#include "compute/core/route.h"
#include "compute/engines/alpha/weighted_alpha.h"
#include "compute/engines/separable/separable_filter.h"

namespace threadscape {

struct Mean : separable::Filter<Mean> {
  static constexpr std::string_view name = "mean";
  static constexpr std::string_view title = "Mean";
  static constexpr std::string_view summary = "Every pixel becomes the mean of the square around it";
  static constexpr std::string_view group = "Smoothing";
  static constexpr std::string_view source = "Gonzalez, Woods: Digital Image Processing, smoothing spatial filters";

  static constexpr auto cuda_routes =
      routes_after({"patch", "registers, 16-bit lanes, mean_tiled.h", "bytes, radius 1, and radius 2 in grey",
                    "grey 1: 0.011, 2: 0.014 (as in separable.h)"},
                   separable::cuda_routes);

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
  static void cuda(const Params& params, const DeviceRun& run);
};

}  // namespace threadscape
