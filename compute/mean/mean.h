#pragma once
// The mean of a square window. In 8-bit pictures it is rounded to the nearest integer; there are no halves, because the
// number of pixels is odd. The sums along columns and rows are in compute/neighbourhood/separable*.

#include <string_view>
#include <tuple>

#include "compute/neighbourhood/separable.h"

namespace threadscape {

struct Mean {
  static constexpr std::string_view title = "Mean";
  static constexpr std::string_view summary = "Every pixel becomes the mean of the square around it";
  static constexpr std::string_view group = "Smoothing";
  static constexpr std::string_view source = "Gonzalez, Woods: Digital Image Processing, smoothing spatial filters";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();

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

  static Shape output_shape(const Params&, const Shape& input) { return separable::output_shape("mean", input); }
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend backend, int) {
    return separable::scratch_bytes(input, backend);
  }
  static void serial(const Params& params, const HostRun& run) { separable::serial(plan(params), run); }
  static void openmp(const Params& params, const HostRun& run) { separable::openmp(plan(params), run); }
  static void cuda(const Params& params, const DeviceRun& run) { separable::cuda(plan(params), run); }
};

}  // namespace threadscape
