#pragma once
// Edges by the Scharr masks: differences across the pixel, averaged along the edge with weights 3 10 3. The
// response depends less on the direction of an edge than that of Sobel. Results are four times those of Sobel, and not
// scaled down.
// All backends are in compute/engines/gradient.

#include <string_view>

#include "compute/engines/gradient/gradient_filter.h"

namespace threadscape {

struct Scharr : gradient::Filter<Scharr, gradient::ScharrMask> {
  static constexpr std::string_view name = "scharr";
  static constexpr std::string_view title = "Scharr edges";
  static constexpr std::string_view summary = "Strength or direction of edges from 3x3 masks that favour no direction";
  static constexpr std::string_view group = "Edges";
  static constexpr std::string_view source = "Scharr: Optimal Operators in Digital Image Processing, 2000";
};

}  // namespace threadscape
