#pragma once
// k x k convolution with a free mask, k = 3, 5, ..., 63. The mask is applied as it is written (correlation, not
// flipped).
//
// Masks beyond 9x9 that are a column times a row run in two passes, compute/neighbourhood/separable*. For others there
// are kernels for any size, *_large*; masks up to 9x9 have kernels of their own.

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "compute/algorithms/filters/convolution/convolution_math.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

namespace separable {
struct Plan;
}

namespace convolution {
/// Whether the fast backends sum columns first, then rows of these sums; and the plan by which they do.
[[nodiscard]] bool in_two_passes(const Plan& plan, const Shape& input);
[[nodiscard]] separable::Plan two_passes(const Plan& plan);

/// Rows y0..y1-1 of the serial backend.
void convolve_rows(const Plan& plan, const HostRun& run, int y0, int y1);
void serial(const Plan& plan, const HostRun& run);
void openmp(const Plan& plan, const HostRun& run);
/// Masks of any size, as they are: openmp() takes this for those beyond 9x9 without factors.
void openmp_large(const Plan& plan, const HostRun& run);
void cuda(const Plan& plan, const DeviceRun& run);
}  // namespace convolution

struct Convolution {
  static constexpr std::string_view title = "Convolution";
  static constexpr std::string_view summary =
      "Weighted sum of each pixel's neighbours, with a mask of your own or a preset";
  static constexpr std::string_view source =
      "Gonzalez, Woods: Digital Image Processing, spatial filtering; CUDA variants after the memory ladder global, "
      "constant, shared";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr std::array cuda_variants{
      Variant{"tiled", "every thread computes a patch of pixels from registers, four products per instruction"},
      Variant{"global", "picture and mask in global memory, one thread per pixel"},
      Variant{"constant", "mask in constant memory"},
      Variant{"shared", "mask in constant memory, tile with halo in shared memory"}};

  enum class Preset : int { custom, identity, box, gaussian, sharpen, edge, emboss };
  static constexpr std::array<std::string_view, 7> preset_names{"custom",  "identity", "box",   "gaussian",
                                                                "sharpen", "edge",     "emboss"};
  enum class DivideBy : int { divisor, sum, size };
  static constexpr std::array<std::string_view, 3> divide_by_names{"divisor", "sum", "size"};
  static constexpr float max_tap = 1e6f, max_divisor = 1e6f, max_bias = 1e6f;

  struct Params {
    int size = 3;
    std::vector<float> mask = {0, -1, 0, -1, 5, -1, 0, -1, 0};
    Preset preset = Preset::sharpen;
    float divisor = 1.0f;
    DivideBy divide_by = DivideBy::divisor;
    float bias = 0.0f;
    bool absolute = false;
    Border border = Border::mirror;
    Channels channels = Channels::each;

    static auto fields() {
      return std::tuple{
          Field{"size", &Params::size, 3, convolution::max_size, "pixels", "side of the mask", 2},
          GridField{"mask", &Params::mask, &Params::size, -max_tap, max_tap,
                    "weights, row by row; applied as written (correlation)"},
          EnumField{"preset", &Params::preset, preset_names, "a well-known mask of the current size"},
          Field{"divisor", &Params::divisor, -max_divisor, max_divisor, "", "the sum is divided by it"},
          EnumField{"divide_by", &Params::divide_by, divide_by_names,
                    "the divisor, the sum of the mask (1 if that is 0) or its number of weights"},
          Field{"bias", &Params::bias, -max_bias, max_bias, "", "added after the division"},
          BoolField{"absolute", &Params::absolute, "absolute value of the result, instead of 0 for negative ones"},
          EnumField{"border", &Params::border, border_names, "what lies outside the picture"},
          EnumField{"channels", &Params::channels, channels_names, "each colour by itself, or the luma for all three"}};
    }
    bool operator==(const Params&) const = default;

    /// A preset fills the mask; a mask of one's own makes the preset `custom`; a divisor makes itself used.
    void assigned(std::string_view field);
    /// As assigned(); besides, a custom mask is cropped or padded around its centre when the size changes.
    void edited(std::string_view field);
    [[nodiscard]] std::string problem() const;
  };

  /// The weights of a preset, row by row. Not for Preset::custom.
  [[nodiscard]] static std::vector<float> preset_mask(Preset preset, int size);
  [[nodiscard]] static convolution::Plan plan(const Params& params);
  /// What `weighted_mean` computes: its 8-bit sums and roundings are the same.
  [[nodiscard]] static convolution::Plan weighted_mean_plan(int size, Border border, Channels channels);
  /// Up to this size one pass over the window is quicker on a GPU than sums along columns and rows.
  static constexpr int max_quick_mean = 5;

  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static void serial(const Params& params, const HostRun& run) { convolution::serial(plan(params), run); }
  static void openmp(const Params& params, const HostRun& run) { convolution::openmp(plan(params), run); }
  static void cuda(const Params& params, const DeviceRun& run) { convolution::cuda(plan(params), run); }
};

}  // namespace threadscape
