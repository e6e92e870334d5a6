#pragma once
// The names of borders and of choices of channels, for the parameters of filters.

#include <array>
#include <string_view>

#include "compute/kernel/border.h"

namespace threadscape {

/// The borders of filters that multiply pixels by weights whose sum is not 0: all, in the order of Border.
inline constexpr auto linear_border_names =
    std::to_array<std::string_view>({"zero", "clamp", "mirror", "reflect", "wrap", "valid", "shrink", "crop"});
static_assert(linear_border_names.size() == border_modes, "every mode has a name, in the order of Border");
/// The names of the borders before `end`.
template <Border end>
inline constexpr auto border_names_before = [] {
  std::array<std::string_view, static_cast<std::size_t>(end)> names;
  for (std::size_t i = 0; i < names.size(); ++i)
    names[i] = linear_border_names[i];
  return names;
}();
/// The borders that every filter has.
inline constexpr auto border_names = border_names_before<Border::shrink>;
inline constexpr std::string_view linear_border_help =
    "what lies outside the picture; shrink: nothing, only the weights inside count, and their sum is scaled to that of "
    "the whole mask; crop: nothing, the result is smaller by the radius of the mask on each side";

inline constexpr std::array<std::string_view, 2> channels_names{"each", "luma"};

}  // namespace threadscape
