#pragma once
// A colour bar over a picture: the values that its colours stand for.

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/ui/view_canvas.h"
#include "render/colour_bars.h"

namespace threadscape::app {

/// A tick mark of a colour bar with its label.
struct BarMark {
  double value = 0.0;
  std::string text;
  bool operator==(const BarMark&) const = default;
};

struct ColourBar {
  std::string title;             ///< What the values are, with their unit: "slope (degrees)".
  double low = 0.0, high = 1.0;  ///< Values at the bottom and at the top; `low` may be the larger one.
  std::vector<BarMark> marks;    ///< Tick marks; if there are none, round numbers are marked.
  bool whole = false;            ///< If true, only whole numbers are marked.
};

/// Fills a rectangle with the colours from `low` at its bottom to `high` at its top.
using BarFill = std::function<void(ImDrawList& list, ImVec2 corner, ImVec2 end)>;
/// The colours of a texture of one row, whose first pixel is the colour at the bottom.
[[nodiscard]] BarFill fill_from_texture(unsigned texture);
/// Colours at equal distances, the first one at the bottom, with linear interpolation between them.
[[nodiscard]] BarFill fill_from_colours(std::vector<ImU32> colours);
/// Colours that are not interpolated, each in a part of the same height.
[[nodiscard]] BarFill fill_with_steps(std::vector<ImU32> colours);

/// The marks of a bar: its own, or at most `max_count` round numbers between its ends, with as many decimals as their
/// distance needs.
[[nodiscard]] std::vector<BarMark> marks_of(const ColourBar& bar, int max_count);

/// A side of the view at which a bar stands.
enum class BarSide : std::uint8_t { left, right };
/// Draws a bar on a plate, in the middle of the height of the view. Returns false, and draws nothing, if the view is
/// too small.
bool draw_colour_bar(ViewCanvas& canvas, const ColourBar& bar, const BarFill& fill, BarSide side = BarSide::right);

/// Returns whether a colour bar is drawn with this setting, in a window or in a picture of the result alone.
[[nodiscard]] inline bool bar_wanted(render::ColourBars setting, bool in_window) {
  return setting == render::ColourBars::always || (setting == render::ColourBars::window && in_window);
}

}  // namespace threadscape::app
