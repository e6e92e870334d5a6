#pragma once
// The median of each pixel's neighbours, or any other percentile of them.

#include <string_view>
#include <tuple>

#include "compute/algorithms/smoothing/median/median_math.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct Median {
  static constexpr std::string_view title = "Median";
  static constexpr std::string_view summary =
      "The middle one of each pixel's sorted neighbours, or any percentile: removes specks, keeps edges";
  static constexpr std::string_view group = "Smoothing";
  static constexpr std::string_view source =
      "Huang, Yang, Tang: A fast two-dimensional median filtering algorithm, 1979; Perreault, Hebert: Median filtering "
      "in "
      "constant time, 2007; Sugy: Fast median filters with hierarchical tiling, SIGGRAPH 2025";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr std::array cuda_variants{
      Variant{"networks", "sorting networks shared by neighbouring pixels up to 9x9, then histograms or bits"},
      Variant{"global", "picture in global memory, one thread per pixel selects in its own window, bit by bit"},
      Variant{"shared", "every thread selects in its own window, bit by bit, from a tile in shared memory"}};

  struct Params {
    int size = 3;
    int percentile = 50;
    Border border = Border::mirror;
    Channels channels = Channels::each;

    static auto fields() {
      return std::tuple{
          Field{"size", &Params::size, median::min_size, median::max_size, "pixels", "side of the window", 2},
          Field{"percentile", &Params::percentile, 0, 100, "%", "0 is the minimum, 50 the median, 100 the maximum"},
          EnumField{"border", &Params::border, border_names, "what lies outside the picture"},
          EnumField{"channels", &Params::channels, channels_names, "each colour by itself, or the luma for all three"}};
    }
    bool operator==(const Params&) const = default;
  };

  [[nodiscard]] static median::Plan plan(const Params& params) {
    return {params.size, median::rank_of(params.percentile, params.size * params.size), params.border, params.channels};
  }

  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
