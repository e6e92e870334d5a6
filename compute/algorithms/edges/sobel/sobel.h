#pragma once
// Edges by the Sobel masks: differences across the pixel, averaged along the edge with weights 1 2 1.
// All backends are in compute/engines/gradient.

#include <string_view>

#include "compute/engines/gradient/gradient_filter.h"

namespace threadscape {

struct Sobel : gradient::Filter<Sobel, gradient::SobelMask> {
  static constexpr std::string_view name = "sobel";
  static constexpr std::string_view title = "Sobel edges";
  static constexpr std::string_view summary =
      "Strength or direction of edges from 3x3 masks of differences, weighted 1 2 1";
  static constexpr std::string_view group = "Edges";
  static constexpr std::string_view source =
      "Sobel, Feldman: A 3x3 Isotropic Gradient Operator for Image Processing, 1968; eight directions after Robinson, "
      "1977";
};

}  // namespace threadscape
