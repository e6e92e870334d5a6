#pragma once
// Edges by the Sobel masks: differences across the pixel, averaged along the edge with weights 1 2 1, or with those of
// the 5x5 and 7x7 masks in gradient_derivatives.h.
// All backends are in compute/engines/gradient.

#include <string>
#include <string_view>
#include <tuple>

#include "compute/engines/gradient/gradient_filter.h"

namespace threadscape {

struct Sobel : gradient::Filter<Sobel, gradient::SobelMask> {
  static constexpr std::string_view name = "sobel";
  static constexpr std::string_view title = "Sobel edges";
  static constexpr std::string_view summary =
      "Strength or direction of edges from masks of differences, weighted 1 2 1 in the 3x3 ones";
  static constexpr std::string_view group = "Edges";
  static constexpr bool opens_first = true;  // Its effect is seen at once on any photo.
  static constexpr std::string_view source =
      "Sobel, Feldman: A 3x3 Isotropic Gradient Operator for Image Processing, 1968; eight directions after Robinson, "
      "1977; 5x5 and 7x7 masks as in OpenCV, getDerivKernels()";

  struct Params : gradient::Params {
    int size = 3;

    static auto fields() {
      return std::tuple_cat(std::tuple{Field{"size", &Params::size, 3, gradient::max_derivative_size, "pixels",
                                             "side of the mask; sums of the 5x5 and the 7x7 mask are divided by 16 and "
                                             "256, so that a ramp gives as much as with the 3x3 mask",
                                             2}},
                            gradient::Params::fields_of<Params>());
    }
    bool operator==(const Params&) const = default;
    /// The directions of eight turned masks are defined for 3x3 masks only.
    [[nodiscard]] std::string problem() const {
      if (size == 3) return {};
      if (directions == gradient::Directions::eight)
        return "directions=eight has 3x3 masks only; set size=3 or directions=two";
      if (output == gradient::Result::direction)
        return "output=direction has 3x3 masks only; set size=3, or output=angle";
      return {};
    }
  };
};

}  // namespace threadscape
