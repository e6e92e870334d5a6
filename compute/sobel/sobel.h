#pragma once
// Edge strength by the two Sobel masks.

#include <string_view>
#include <tuple>

#include "compute/core/algorithm.h"
#include "compute/sobel/sobel_math.h"

namespace threadscape {

namespace sobel {
/// Rows y0..y1-1 of the serial backend.
void find_edges_of_rows(const Plan& plan, const HostRun& run, int y0, int y1);
}  // namespace sobel

struct Sobel {
  static constexpr std::string_view title = "Sobel edges";
  static constexpr std::string_view summary = "Strength of edges from two 3x3 masks of differences";
  static constexpr std::string_view source =
      "Sobel, Feldman: A 3x3 Isotropic Gradient Operator for Image Processing, 1968";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr std::array cuda_variants{
      Variant{"tiled", "every thread computes a patch of pixels from registers, two per instruction"},
      Variant{"global", "picture in global memory, one thread per pixel"},
      Variant{"shared", "tile with halo in shared memory"}};

  using Norm = sobel::Norm;
  static constexpr std::array<std::string_view, 2> norm_names{"l1", "l2"};

  struct Params {
    Norm norm = Norm::l1;
    Border border = Border::mirror;
    Channels channels = Channels::each;

    static auto fields() {
      return std::tuple{
          EnumField{"norm", &Params::norm, norm_names, "|gx| + |gy|, or the root of gx^2 + gy^2"},
          EnumField{"border", &Params::border, border_names, "what lies outside the picture"},
          EnumField{"channels", &Params::channels, channels_names, "each colour by itself, or the luma for all three"}};
    }
    bool operator==(const Params&) const = default;
  };

  [[nodiscard]] static sobel::Plan plan(const Params& params) { return {params.norm, params.border, params.channels}; }

  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
