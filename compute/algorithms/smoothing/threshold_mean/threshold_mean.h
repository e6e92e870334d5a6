#pragma once
// Smoothing that spares edges: the mean of a pixel's neighbours is taken only where it is close to the pixel.

#include <string_view>
#include <tuple>

#include "compute/algorithms/smoothing/threshold_mean/threshold_mean_math.h"
#include "compute/core/border.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct ThresholdMean {
  static constexpr std::string_view title = "Mean with threshold";
  static constexpr std::string_view summary =
      "The mean of each pixel's neighbours, unless it differs from the pixel by more than a threshold";
  static constexpr std::string_view group = "Smoothing";
  static constexpr std::string_view source =
      "Sonka, Hlavac, Boyle: Image Processing, Analysis and Machine Vision, "
      "averaging with limited data validity";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;
  static constexpr std::array cuda_variants{
      Variant{"tiled", "a patch of pixels per thread, two to an instruction: bytes, up to 5x5; shared for the rest"},
      Variant{"shared", "columns and rows summed one after the other in shared memory"}};

  struct Params {
    int size = 3;
    float threshold = 20.0f;
    Border border = Border::mirror;
    Channels channels = Channels::each;

    static auto fields() {
      return std::tuple{
          Field{"size", &Params::size, 3, threshold_mean::max_size, "pixels", "side of the window", 2},
          Field{"threshold", &Params::threshold, 0.0f, 255.0f, "grey levels",
                "largest change of a pixel; white is 255"},
          EnumField{"border", &Params::border, border_names, "what lies outside the picture"},
          EnumField{"channels", &Params::channels, channels_names, "each colour by itself, or the luma for all three"}};
    }
    bool operator==(const Params&) const = default;
  };

  [[nodiscard]] static threshold_mean::Plan plan(const Params& params) {
    return {params.size, params.threshold, 1.0f / static_cast<float>(params.size * params.size), params.border,
            params.channels};
  }

  static Shape output_shape(const Params&, const Shape& input);
  static Reach reach(const Params& params) { return reach_around(params.size / 2, params.border); }
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
