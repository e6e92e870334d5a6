#pragma once
// sigma^2 times the Laplacian of the picture blurred by a Gaussian: zero where brightness changes linearly, with a
// change of sign at edges. The factor sigma^2 makes a sharp edge equally strong at every sigma. The radius is 4 sigma
// rounded up.
//
// It is the sum of two separable masks: the second derivative along x times the blur along y, and the same with x and y
// exchanged. The sums along columns and rows are in compute/engines/separable.

#include <string_view>
#include <tuple>

#include "compute/core/border.h"
#include "compute/engines/separable/separable_filter.h"

namespace threadscape {

struct LaplacianOfGaussian : separable::Filter<LaplacianOfGaussian> {
  static constexpr std::string_view name = "laplacian_of_gaussian";
  static constexpr std::string_view title = "Laplacian of Gaussian";
  static constexpr std::string_view summary = "Edges and blobs of one size: second derivative of the blurred picture";
  static constexpr std::string_view group = "Edges";
  static constexpr std::string_view source = "Marr, Hildreth: Theory of Edge Detection, 1980; scaled after Lindeberg";

  struct Params {
    float sigma = 1.4f;
    Output output = Output::absolute;
    Border border = Border::mirror;
    Channels channels = Channels::each;

    static auto fields() {
      return std::tuple{
          Field{"sigma", &Params::sigma, 0.5f, 8.0f, "pixels", "standard deviation"},
          EnumField{"output", &Params::output, output_names, output_help},
          EnumField{"border", &Params::border, border_names, "what lies outside the picture"},
          EnumField{"channels", &Params::channels, channels_names, "each colour by itself, or the luma for all three"}};
    }
    bool operator==(const Params&) const = default;
  };

  [[nodiscard]] static separable::Plan plan(const Params& params);
};

}  // namespace threadscape
