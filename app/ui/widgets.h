#pragma once
// Small pieces that several panels share.

#include <imgui.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace threadscape::app {

/// A button of segmented().
struct Segment {
  std::string_view label;
  bool enabled = true;
  std::string tooltip = {};
  ImVec4 accent = {0, 0, 0, 0};  ///< Colour while chosen; alpha 0: the theme's accent.
};
/// Draws a row of joined buttons, one of which is chosen, or a list where their labels do not fit. Returns the clicked
/// index, or -1. `width` is that of the row; 0: what is left of the line.
int segmented(const char* id, std::span<const Segment> segments, int chosen, float width = 0.0f);

/// Draws a label to the left of a widget that takes the rest of the line. The help is the label's tooltip. Returns true
/// if the label was clicked.
bool label_left(std::string_view label, std::string_view help, float label_width);

/// Returns whether an item of this width fits on the current line behind the last item.
[[nodiscard]] bool fits_behind(float width);
/// Called between two items: the next one, of this width, stands on the same line if it fits there, else on a new line.
void flow(float width);

/// Returns whether a modifier (ImGuiMod_Ctrl, ...) belongs to a key that is pressed in this frame: it is down, or was
/// let go since the last frame. A quick chord fits into one slow frame.
[[nodiscard]] bool modifier_held(ImGuiKey modifier);

/// Sliders like ImGui's, with a thin track below the number, which stands at the right edge with its unit in grey. The
/// number can be typed after a double click, beside Ctrl+click. The first click of the two moves the slider, and the
/// second restores the value.
bool slider_int(const char* id, int* value, int low, int high, const char* format = "%d", ImGuiSliderFlags flags = 0);
bool slider_float(const char* id, float* value, float low, float high, const char* format = "%.3f",
                  ImGuiSliderFlags flags = 0);
/// Fields like ImGui's drags, for numbers without a track. The arrows that appear under the mouse change the number by
/// `step`, or by `speed`, which is what a drag of one pixel does.
bool drag_int(const char* id, int* value, float speed, int low, int high, int step, const char* format = "%d");
bool drag_float(const char* id, float* value, float speed, float low, float high, const char* format = "%.3f");

/// Edits a line of text. Returns true when Enter was pressed, or the focus left after a change.
bool input_text(const char* id, std::string& text);
/// input_text() for the path of a file. While it is not edited, a path that is too long is shown by its end, the name.
bool input_path(const char* id, std::string& path);
void tooltip(std::string_view text);
/// Writes into the middle of the current plot, which is empty, what will fill it.
void plot_note(std::string_view text);
/// Draws a small heading in the strong font.
void heading(ImFont* strong, std::string_view text);
/// Takes the keyboard's focus from all windows. After a dialog was closed by a key, it would be on a button of a
/// toolbar, whose tip would appear, and the mouse would do nothing until it moved.
void leave_focus();
/// ImGui::BeginCombo() with the name of what is chosen, for which the arrow becomes small where it would not fit.
[[nodiscard]] bool begin_list(const char* id, std::string_view chosen, float width);
/// The width that begin_list() needs beside the name, with the small arrow.
[[nodiscard]] float list_padding();
/// Writes a sentence in the colour of disabled text, in as many lines as the width needs.
void disabled_sentence(const char* text);
/// The text, cut in the middle with an ellipsis if it is wider than `width`: for paths and sentences.
[[nodiscard]] std::string elided(std::string_view text, float width);
/// The text, cut at its end with an ellipsis if it is wider than `width`: for names, which are known by their
/// beginning.
[[nodiscard]] std::string shortened(std::string_view text, float width);
/// "3.42 ms", "870 us", "1.25 s": three significant digits.
[[nodiscard]] std::string format_ms(double milliseconds);
/// "0.0123", "3.42", "1610": three significant digits or all before the point, no exponent for large numbers.
[[nodiscard]] std::string format_value(double value);
/// "66.7%", "1870%": three significant digits or all before the point.
[[nodiscard]] std::string format_percent(double share);
/// "135,300": all digits, in groups of three.
[[nodiscard]] std::string format_grouped(std::int64_t number);
/// "16.8 M", "4.1 G": three significant digits and the unit prefix.
[[nodiscard]] std::string format_count(double count);
[[nodiscard]] std::string format_bytes(double bytes);

}  // namespace threadscape::app
