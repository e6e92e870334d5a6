#pragma once
// The setting that scenes have in common for their colour bars.

#include <array>
#include <cstdint>
#include <string_view>

namespace threadscape::render {

/// When a view has a colour bar that states which values its colours stand for. window: in the window and in pictures
/// of it, but not in pictures of the result alone, whose pixels it would cover.
enum class ColourBars : std::uint8_t { window, always, never };
inline constexpr std::array<std::string_view, 3> colour_bars_names{"window", "always", "never"};

}  // namespace threadscape::render
