#pragma once
// The median of each pixel's neighbours, or any other percentile of them.

#include <string_view>
#include <tuple>

#include "compute/algorithms/smoothing/median/median_math.h"
#include "compute/core/border.h"
#include "compute/core/route.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

namespace median {
/// The results that histograms on CUDA keep until the last plane of a pixel is known: a byte for each plane but that.
[[nodiscard]] std::size_t kept_results(const Plan& plan, const Shape& input);
/// The serial variants `sorting` (sort) and `selection`.
void serial_from_lists(const Plan& plan, bool sort, const HostRun& run);
}  // namespace median

struct Median {
  static constexpr std::string_view title = "Median";
  static constexpr std::string_view summary =
      "The middle one of each pixel's sorted neighbours, or any percentile: removes specks, keeps edges";
  static constexpr std::string_view group = "Smoothing";
  static constexpr std::string_view source =
      "Huang, Yang, Tang: A fast two-dimensional median filtering algorithm, 1979; Hoare: Algorithm 65: "
      "FIND, 1961; Perreault, Hebert: Median filtering in constant time, 2007; Sugy: Fast median filters with "
      "hierarchical tiling, SIGGRAPH 2025";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;
  static constexpr std::array serial_variants{
      Variant{"histogram", "counts the values of a window that slides along the row"},
      Variant{"selection", "a list of the window's values, divided until its middle is in place; up to 9x9"},
      Variant{"sorting", "a list of the window's values, sorted by exchanges of neighbours; up to 9x9"}};
  static constexpr std::array cuda_variants{
      Variant{"networks", "sorting networks shared by neighbouring pixels up to 9x9, then histograms or bits"},
      Variant{"global", "picture in global memory, one thread per pixel selects in its own window, bit by bit"},
      Variant{"shared", "every thread selects in its own window, bit by bit, from a tile in shared memory"},
      Variant{"histogram", "bytes: columns count their values, a pixel finds two bits at a time; floats as shared"},
      Variant{"selection", "every thread divides a list of its own until the middle is in place; global beyond 9x9"},
      Variant{"sorting", "every thread sorts a list of its own by exchanges of neighbours; global beyond 9x9"}};

  static constexpr std::array openmp_routes{
      Route{"networks", "sorting networks shared by neighbouring pixels", "medians up to 9x9, with SIMD", ""},
      Route{"histograms", "counts of values by columns, whose time does not depend on the window", "other bytes", ""},
      Route{"places", "one bit for each place in the sorted values of a tile", "other floats", ""}};
  static constexpr std::array cuda_routes{
      Route{"patch", "a sorting network on 16-bit lanes, median_tiled.h", "medians 3x3 of bytes",
            "grey 0.017; RGBA 0.070"},
      Route{"networks", "sorting networks in registers, shared by neighbouring pixels", "medians up to 9x9",
            "grey 5: 0.068, 9: 0.19; RGBA 5: 0.20, 9: 0.53"},
      Route{"histograms", "counts of columns by their first bits, which find two bits at a time", "other bytes",
            "grey 15: 0.27, 75: 0.52"},
      Route{"shared", "bit by bit from a tile in shared memory", "other floats",
            "of bytes, grey 3: 0.51, 5: 1.2, 15: 6.3"}};

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
  static Reach reach(const Params& params) { return reach_around(params.size / 2, params.border); }
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
