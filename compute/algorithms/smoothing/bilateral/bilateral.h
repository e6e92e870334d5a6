#pragma once
// Smoothing that spares edges: neighbours count less the farther away they are, and the more they differ from the
// pixel.

#include <string_view>
#include <tuple>

#include "compute/algorithms/smoothing/bilateral/bilateral_math.h"
#include "compute/core/border.h"
#include "compute/engines/alpha/weighted_alpha.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

namespace bilateral {
/// The neighbours that count. Those outside of the circle have a spatial weight of 0.
enum class Window { square, circle };
inline constexpr std::array<std::string_view, 2> window_names{"square", "circle"};
}  // namespace bilateral

struct Bilateral {
  static constexpr std::string_view title = "Bilateral filter";
  static constexpr std::string_view summary =
      "Mean of each pixel's neighbours, weighted by their distance in the picture and in brightness";
  static constexpr std::string_view group = "Smoothing";
  static constexpr std::string_view source = "Tomasi, Manduchi: Bilateral filtering for gray and color images, 1998";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;
  static constexpr std::array cuda_variants{
      Variant{"shared", "every thread sums its window, from a tile in shared memory"}};

  struct Params {
    float sigma_space = 2.0f;
    float sigma_range = 30.0f;
    Border border = Border::mirror;
    Channels channels = Channels::each;
    Alpha alpha = Alpha::ignored;
    bilateral::Window window = bilateral::Window::square;

    static auto fields() {
      return std::tuple{
          titled("Sigma in space",
                 Field{"sigma_space", &Params::sigma_space, 0.5f, bilateral::max_sigma_space, "pixels",
                       "spread of the weights around the pixel; the window reaches two of it, rounded up"}),
          titled("Sigma of values", Field{"sigma_range", &Params::sigma_range, 1.0f, 255.0f, "grey levels",
                                          "differences of this size weigh 0.61; white is 255"}),
          EnumField{"border", &Params::border, border_names, "what lies outside the picture"},
          EnumField{"channels", &Params::channels, channels_names, "each colour by itself, or the luma for all three"},
          EnumField{"alpha", &Params::alpha, alpha_names, alpha_help},
          EnumField{"window", &Params::window, bilateral::window_names,
                    "which neighbours count: all of the square, or those of the largest circle in it"}};
    }
    bool operator==(const Params&) const = default;
  };

  [[nodiscard]] static bilateral::Plan plan(const Params& params);
  [[nodiscard]] static bilateral::Weights weights(const Params& params);

  static Shape output_shape(const Params&, const Shape& input);
  static Reach reach(const Params& params) { return reach_around(plan(params).radius, params.border); }
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape
