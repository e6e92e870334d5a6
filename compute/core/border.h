#pragma once
// The names of borders and of choices of channels, for the parameters of filters.

#include <array>
#include <string_view>

#include "compute/kernel/border.h"

namespace threadscape {

/// The borders that every filter has. Border::shrink and Border::crop are for those that state
/// linear_border_names.
inline constexpr std::array<std::string_view, 6> border_names{"zero", "clamp", "mirror", "reflect", "wrap", "valid"};
/// The borders of filters that multiply pixels by weights whose sum is not 0.
inline constexpr std::array<std::string_view, 8> linear_border_names{"zero", "clamp", "mirror", "reflect",
                                                                     "wrap", "valid", "shrink", "crop"};
static_assert(linear_border_names.size() == border_modes, "every mode has a name, in the order of Border");
inline constexpr std::string_view linear_border_help =
    "what lies outside the picture; shrink: nothing, only the weights inside count, and their sum is scaled to that of "
    "the whole mask; crop: nothing, the result is smaller by the radius of the mask on each side";

inline constexpr std::array<std::string_view, 2> channels_names{"each", "luma"};

}  // namespace threadscape
