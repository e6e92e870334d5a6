#pragma once
// The names of what edge filters do with the sign of a response, for their parameters.

#include <array>
#include <string_view>

#include "compute/kernel/edge_pixel.h"

namespace threadscape {

inline constexpr std::array<std::string_view, 3> output_names{"absolute", "clamp", "offset"};
inline constexpr std::string_view output_help =
    "signed results as absolute values, with negative ones at 0, or moved up by 128 of 255";

}  // namespace threadscape
