#pragma once
// The Laplacian, the sum of both second derivatives, by one of three masks. It is a convolution with a fixed mask,
// which compute/algorithms/filters/convolution computes; only 8-bit pictures have code of their own, integer sums on
// one thread of the CPU and a kernel on the GPU.
//
//   four       eight      five
//   0  1  0    1  1  1    0  0   1  0  0
//   1 -4  1    1 -8  1    0  1   2  1  0
//   0  1  0    1  1  1    1  2 -16  2  1
//                         0  1   2  1  0
//                         0  0   1  0  0

#include <string_view>
#include <tuple>

#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/core/border.h"
#include "compute/engines/planes/edge_output.h"

namespace threadscape {

struct Laplacian {
  static constexpr std::string_view title = "Laplacian";
  static constexpr std::string_view summary = "Second derivative: points, thin lines and both sides of edges";
  static constexpr std::string_view group = "Edges";
  static constexpr std::string_view source =
      "Gonzalez, Woods: Digital Image Processing, the Laplacian; the 5x5 mask is the common one for a Laplacian of a "
      "Gaussian";
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;

  enum class Neighbours : int { four, eight, five };
  static constexpr std::array<std::string_view, 3> kind_names{"four", "eight", "five"};

  struct Params {
    Neighbours kind = Neighbours::four;
    Output output = Output::absolute;
    Border border = Border::mirror;
    Channels channels = Channels::each;

    static auto fields() {
      return std::tuple{
          EnumField{"kind", &Params::kind, kind_names, "3x3 with four or eight neighbours, or the 5x5 mask"},
          EnumField{"output", &Params::output, output_names, output_help},
          EnumField{"border", &Params::border, border_names, "what lies outside the picture"},
          EnumField{"channels", &Params::channels, channels_names, "each colour by itself, or the luma for all three"}};
    }
    bool operator==(const Params&) const = default;
  };

  /// The convolution that computes this Laplacian.
  [[nodiscard]] static convolution::Plan plan(const Params& params);

  static Shape output_shape(const Params&, const Shape& input);
  static Reach reach(const Params& params) { return reach_around(plan(params).radius, params.border); }
  static std::size_t scratch_bytes(const Params&, const Shape&, Backend, int) { return 0; }
  static void serial(const Params& params, const HostRun& run);
  static void openmp(const Params& params, const HostRun& run) { convolution::openmp(plan(params), run); }
  static void cuda(const Params& params, const DeviceRun& run);
};

}  // namespace threadscape
