#pragma once
// Lines, shapes and text over what a scene has drawn: ImGui's draw lists, rendered into the view's own framebuffer. So
// pictures without a window have them as well, and a picture of the view shows all of it.

#include <imgui.h>

#include <string_view>

#include "render/gl/framebuffer.h"

namespace threadscape::app {

enum class Align : std::uint8_t { left, centre, right };

/// Within an ImGui frame. Coordinates are pixels from the top left corner; what is drawn appears at finish().
class ViewCanvas {
 public:
  explicit ViewCanvas(const gl::Framebuffer& target);
  void finish();

  [[nodiscard]] ImDrawList& list() { return list_; }
  [[nodiscard]] float width() const { return static_cast<float>(target_.width()); }
  [[nodiscard]] float height() const { return static_cast<float>(target_.height()); }
  /// Text with its middle line at `at.y`, in the theme's font; a text that is wider than `room` is shrunk to it.
  void text(ImVec2 at, std::string_view text, float size, ImU32 colour, Align align = Align::left, float room = 1e9f);
  /// The same with a plate behind it, to be read over anything.
  void label(ImVec2 at, std::string_view text, float size, ImU32 colour, Align align = Align::left);
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
[[nodiscard]] ImU32 plate();
/// Of viridis, `value` in 0..1.
[[nodiscard]] ImU32 map_colour(float value);

}  // namespace threadscape::app
