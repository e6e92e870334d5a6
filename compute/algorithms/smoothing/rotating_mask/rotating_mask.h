#pragma once
// Smoothing that keeps edges sharp: of several masks that contain the pixel, the one with the least variance gives the
// mean.

#include <string_view>
#include <tuple>

#include "compute/algorithms/smoothing/rotating_mask/rotating_mask_math.h"
#include "compute/core/border.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

namespace rotating_mask {
/// Computes rows y0 .. y1 - 1 as the serial backend does.
void filter_rows(const Plan& plan, const HostRun& run, int y0, int y1);
}  // namespace rotating_mask

struct RotatingMask {
  static constexpr std::string_view title = "Rotating mask";
  static constexpr std::string_view summary =
      "A small mask turned around each pixel; where it varies least, its mean is taken";
  static constexpr std::string_view group = "Smoothing";
  static constexpr std::string_view source =
      "Nagao, Matsuyama: Edge preserving smoothing, 1979; Kuwahara et al.: Processing of RI-angiocardiographic images, "
      "1976";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;
  static constexpr std::array cuda_variants{
      Variant{"shared", "every thread goes through the masks, from a tile in shared memory"}};

  using Method = rotating_mask::Method;
  static constexpr std::array<std::string_view, 2> method_names{"nagao", "kuwahara"};

  struct Params {
    int size = 5;
    Method method = Method::nagao;
    Border border = Border::mirror;
    Channels channels = Channels::each;

    static auto fields() {
      return std::tuple{
          Field{"size", &Params::size, 3, rotating_mask::max_size, "pixels", "side of the window that all masks fit",
                2},
          EnumField{"method", &Params::method, method_names, "nine masks of Nagao and Matsuyama, or four quadrants"},
          EnumField{"border", &Params::border, border_names, "what lies outside the picture"},
          EnumField{"channels", &Params::channels, channels_names, "each colour by itself, or the luma for all three"}};
    }
    bool operator==(const Params&) const = default;
  };

  [[nodiscard]] static rotating_mask::Plan plan(const Params& params) {
    return {params.size, params.method, params.border, params.channels};
  }

  static Shape output_shape(const Params&, const Shape& input);
  static Reach reach(const Params& params) { return reach_around(params.size / 2, params.border); }
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
