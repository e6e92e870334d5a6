#pragma once
// Icons of toolbars, drawn with lines, so that they need no font, are the same on every machine, and have the colours
// of the theme.

#include <imgui.h>

#include <cstdint>
#include <string_view>

namespace threadscape::app {

enum class Icon : std::uint8_t {
  open,
  save,
  undo,
  redo,
  play,
  pause,
  reset,
  fit,
  actual_size,
  sliders,
  exposure,
  compare,
  panels,
  screen,
  cross,
  ruler,
  region,
  doubt,
  finding,
  star,
  star_filled,
  code,
  cube,
  chip,
  crop
};

/// Draws an icon that fits into a square of `size` units around `middle`.
void draw_icon(ImDrawList& list, Icon icon, ImVec2 middle, float size, ImU32 colour);

/// Draws a button with an icon. `label` identifies it, and stands beside the icon if `with_text` is set; the tip says
/// what it does. A button that is `on` has the colour of what is chosen.
bool icon_button(Icon icon, const char* label, std::string_view tip, bool with_text = false, bool on = false);
/// The width of such a button.
[[nodiscard]] float icon_button_width(const char* label = "", bool with_text = false);

}  // namespace threadscape::app
