#pragma once
// Edges by the Prewitt masks: differences across the pixel, averaged along the edge with equal weights.
// All backends are in compute/engines/gradient.

#include <string_view>

#include "compute/engines/gradient/gradient_filter.h"

namespace threadscape {

struct Prewitt : gradient::Filter<Prewitt, gradient::PrewittMask> {
  static constexpr std::string_view name = "prewitt";
  static constexpr std::string_view title = "Prewitt edges";
  static constexpr std::string_view summary = "Strength or direction of edges from 3x3 masks of plain differences";
  static constexpr std::string_view group = "Edges";
  static constexpr std::string_view source = "Prewitt: Object Enhancement and Extraction, 1970";
};

}  // namespace threadscape
