#pragma once
// k x k convolution with a free mask, k = 3, 5, ..., 63. The mask is applied as it is written (correlation, not
// flipped).

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "compute/algorithms/filters/convolution/convolution_math.h"
#include "compute/core/border.h"
#include "compute/core/route.h"
#include "compute/engines/alpha/weighted_alpha.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

namespace separable {
struct Plan;
}

namespace convolution {
/// Returns whether the fast backends compute this mask in two passes: first sums along columns, then along rows of
/// these sums.
[[nodiscard]] bool in_two_passes(const Plan& plan, const Shape& input);
/// Returns whether the bits of the result are those of two passes in floats: then no other route has them.
[[nodiscard]] bool rounds_in_two_passes(const Plan& plan, const Shape& input);
/// The plan of the separable engine for a mask for which in_two_passes() holds. Border::shrink becomes Border::zero.
[[nodiscard]] separable::Plan two_passes(const Plan& plan);

/// Throws std::logic_error, with what is wrong, unless the members of the plan fit together. serial(), openmp() and
/// cuda() call it; it takes a few nanoseconds per tap.
void check(const Plan& plan);

/// Computes rows y0 .. y1 - 1 as the serial backend does.
void convolve_rows(const Plan& plan, const HostRun& run, int y0, int y1);
/// For Border::shrink: computes those pixels of rows y0 .. y1 - 1 as the serial backend does whose window leaves the
/// picture.
void shrink_edges(const Plan& plan, const HostRun& run, int y0, int y1);
void serial(const Plan& plan, const HostRun& run);
void openmp(const Plan& plan, const HostRun& run);
/// Masks beyond 9x9, without factors.
void openmp_large(const Plan& plan, const HostRun& run);
void cuda(const Plan& plan, const DeviceRun& run);
/// The three ways of the fast backends, by the size and the rank of the mask.
constexpr std::array<Route, 3> routes_of(std::string_view unrolled, std::string_view any_size) {
  return {Route{"unrolled", unrolled, "masks up to 9x9", ""},
          Route{"two_passes", "the separable engine: a column, then a row", "larger masks, a column times a row", ""},
          Route{"any_size", any_size, "other larger masks", ""}};
}
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
  static constexpr bool loops = true;
  static constexpr std::array cuda_variants{
      Variant{"tiled", "every thread computes a patch of pixels from registers, four products per instruction"},
      Variant{"global", "picture and mask in global memory, one thread per pixel"},
      Variant{"constant", "mask in constant memory"},
      Variant{"shared", "mask in constant memory, tile with halo in shared memory"}};

  static constexpr auto openmp_routes = convolution::routes_of("kernels for each size, convolution_openmp.cpp",
                                                               "a kernel for all sizes, convolution_large_openmp.cpp");
  static constexpr auto cuda_routes =
      convolution::routes_of("kernels for each size, convolution_tiled.h and convolution_real.cu",
                             "matrices of digits or floats, convolution_large.cu");

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
    Alpha alpha = Alpha::ignored;

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
          EnumField{"border", &Params::border, linear_border_names,
                    "what lies outside the picture; shrink: nothing, only the weights inside count, and their sum is "
                    "scaled to that of the whole mask unless one of the two is 0; crop: nothing, the result is smaller "
                    "by the "
                    "radius of the mask on each side"},
          EnumField{"channels", &Params::channels, channels_names, "each colour by itself, or the luma for all three"},
          EnumField{"alpha", &Params::alpha, alpha_names,
                    "ignored: hidden colours count like all others; weighted: pixels count by their alpha, and for the "
                    "rest the pixel in the middle counts in their place; a file with transparent pixels states "
                    "weighted"}};
    }
    bool operator==(const Params&) const = default;

    /// Makes other fields follow the one that was set: a preset fills the mask, setting the mask selects the preset
    /// `custom`, and setting the divisor selects DivideBy::divisor.
    void assigned(std::string_view field);
    /// assigned() for changes in the window: there a custom mask is also cropped or padded around its centre when the
    /// size changes.
    void edited(std::string_view field);
    /// The reason why these parameters cannot be run, or "".
    [[nodiscard]] std::string problem() const;
  };

  /// The weights of a preset, row by row. Not for Preset::custom.
  [[nodiscard]] static std::vector<float> preset_mask(Preset preset, int size);
  /// Throws UsageError for parameters with a problem().
  [[nodiscard]] static convolution::Plan plan(const Params& params);

  static Shape output_shape(const Params&, const Shape& input);
  static Reach reach(const Params& params) { return reach_around(params.size / 2, params.border); }
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  /// A product and a sum for each tap and value.
  static double operations(const Params& params, const Shape& input) {
    return 2.0 * params.size * params.size * static_cast<double>(input.items() * input.channels);
  }
  static void serial(const Params& params, const HostRun& run);
  static void openmp(const Params& params, const HostRun& run);
  static void cuda(const Params& params, const DeviceRun& run);

 private:
  static bool counts_alpha(const Params& params, const Shape& input) {
    return params.alpha == Alpha::weighted && input.channels == 4;
  }
};

}  // namespace threadscape
