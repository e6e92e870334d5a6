#pragma once
// Blur by a Gaussian, cut off at a radius and scaled so that the weights add up to 1.
//
// 8-bit results are computed in integers, the same on every backend, and differ from the exact ones by at most one
// level: see separable::error_bound(). The sums along columns and rows are in compute/neighbourhood/separable*.

#include <string_view>
#include <tuple>

#include "compute/neighbourhood/separable.h"

namespace threadscape {

struct Gaussian {
  static constexpr std::string_view title = "Gaussian blur";
  static constexpr std::string_view summary = "Smooths with weights that fall off like a bell";
  static constexpr std::string_view group = "Smoothing";
  static constexpr std::string_view source =
      "Marr, Hildreth: Theory of Edge Detection, 1980; SciPy ndimage.gaussian_filter";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();

  struct Params {
    float sigma = 1.0f;
    int radius = 0;
    Border border = Border::mirror;
    Channels channels = Channels::each;

    static auto fields() {
      return std::tuple{
          Field{"sigma", &Params::sigma, 0.1f, 8.0f, "pixels", "standard deviation"},
          Field{"radius", &Params::radius, 0, separable::largest_radius, "pixels",
                "where the weights are cut off; 0: 4 sigma rounded up"},
          EnumField{"border", &Params::border, border_names, "what lies outside the picture"},
          EnumField{"channels", &Params::channels, channels_names, "each colour by itself, or the luma for all three"}};
    }
    bool operator==(const Params&) const = default;
  };

  [[nodiscard]] static separable::Plan plan(const Params& params);

  static Shape output_shape(const Params&, const Shape& input) { return separable::output_shape("gaussian", input); }
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend backend, int) {
    return separable::scratch_bytes(input, backend);
  }
  static void serial(const Params& params, const HostRun& run) { separable::serial(plan(params), run); }
  static void openmp(const Params& params, const HostRun& run) { separable::openmp(plan(params), run); }
  static void cuda(const Params& params, const DeviceRun& run) { separable::cuda(plan(params), run); }
};

}  // namespace threadscape
