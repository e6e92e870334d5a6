#pragma once
// Lines, shapes and text over what a scene has drawn: a draw list of ImGui that is rendered into the framebuffer of the
// view, so that renders without a window and captures of the view contain them as well.

#include <imgui.h>

#include <string_view>

#include "render/gl/framebuffer.h"

namespace threadscape::app {

enum class Align : std::uint8_t { left, centre, right };

/// Used within an ImGui frame. Coordinates are in pixels from the top left corner. Everything is drawn at finish().
class ViewCanvas {
 public:
  explicit ViewCanvas(const gl::Framebuffer& target);
  void finish();

  [[nodiscard]] ImDrawList& list() { return list_; }
  [[nodiscard]] float width() const { return static_cast<float>(target_.width()); }
  [[nodiscard]] float height() const { return static_cast<float>(target_.height()); }
  /// Draws text in the theme's font, its middle line at `at.y`; `size` is the height of a line. A text that is wider
  /// than `room` is shrunk to it, and left out where nothing of it could be read.
  void text(ImVec2 at, std::string_view text, float size, ImU32 colour, Align align = Align::left, float room = 1e9f);
  /// Draws text() with a plate behind it, so that it can be read over anything.
  void label(ImVec2 at, std::string_view text, float size, ImU32 colour, Align align = Align::left);
  /// Draws the text as a label for each line that it needs in `room`, the first one at `at`, or, where `up` is true,
  /// the last one.
  void label_lines(ImVec2 at, std::string_view text, float size, ImU32 colour, Align align, float room,
                   bool up = false);
  [[nodiscard]] static float text_width(std::string_view text, float size);
  void arrow(ImVec2 from, ImVec2 to, ImU32 colour, float weight, float head);

 private:
  const gl::Framebuffer& target_;
  ImDrawList list_;
};

/// Colours of the theme for canvases.
[[nodiscard]] ImU32 ink();
[[nodiscard]] ImU32 muted_ink();
[[nodiscard]] ImU32 faint_ink();
[[nodiscard]] ImU32 accent_ink();
[[nodiscard]] ImU32 warning_ink();
[[nodiscard]] ImU32 good_ink();
/// The colour of text on an area that is filled with one of these colours.
[[nodiscard]] ImU32 fill_ink();
[[nodiscard]] ImU32 plate();
/// The colour of the map viridis at `value`, 0..1.
[[nodiscard]] ImU32 map_colour(float value);

}  // namespace threadscape::app
