#pragma once
// Small pieces that several panels share.

#include <imgui.h>

#include <span>
#include <string>
#include <string_view>

namespace threadscape::app {

/// A row of joined buttons, one of which is chosen. Returns the clicked index, or -1.
struct Segment {
  std::string_view label;
  bool enabled = true;
  std::string tooltip = {};
  ImVec4 accent = {0, 0, 0, 0};  ///< alpha 0: the theme's accent
};
int segmented(const char* id, std::span<const Segment> segments, int chosen, float width = 0.0f);

/// A label to the left of a widget that takes the rest of the line; the help appears over the label.
void label_left(std::string_view label, std::string_view help, float label_width);

/// Whether an item of this width has room on the same line, behind the last one.
[[nodiscard]] bool fits_behind(float width);
/// Behind an item: the next one, of this width, stands on the same line if there is room for it, else on a new one.
void flow(float width);

/// Whether a modifier (ImGuiMod_Ctrl, ...) belongs to a key that is pressed in this frame: it is down, or was let go
/// since the last frame. A quick chord fits into one slow frame.
[[nodiscard]] bool modifier_held(ImGuiKey modifier);

/// A line of text in a std::string; true when Enter was pressed or the focus left after a change.
bool input_text(const char* id, std::string& text);
void tooltip(std::string_view text);
/// Small heading in the strong font.
void heading(ImFont* strong, std::string_view text);
/// Text that is cut in the middle with an ellipsis when it does not fit.
[[nodiscard]] std::string elided(std::string_view text, float width);
/// "3.42 ms", "870 us", "1.25 s": three significant digits.
[[nodiscard]] std::string format_ms(double milliseconds);
/// "0.0123", "3.42", "1610": three significant digits or all before the point, no exponent for large numbers.
[[nodiscard]] std::string format_number(double value);
/// "16.8 M", "4.1 G".
[[nodiscard]] std::string format_count(double count);
[[nodiscard]] std::string format_bytes(double bytes);

}  // namespace threadscape::app
