#pragma once

#include <glm/vec2.hpp>
#include <optional>

#include "app/window/theme.h"
#include "render/passes/image_pass.h"

namespace threadscape::app {

/// Zoom and pan of a picture by mouse and keys: wheel at the mouse, drag, double-click and F to fit, 1 for one to one.
class PictureNavigator {
 public:
  /// Before every draw(): the view in pixels, and the picture's size. Another size is shown as a whole.
  void begin(render::ImageViewSettings& settings, glm::ivec2 view, glm::ivec2 picture);
  /// Everything visible, now and after every change of size, until the user zooms or pans.
  void fit() { fitted_ = true; }
  [[nodiscard]] bool fitted() const { return fitted_; }
  /// One view pixel per picture pixel.
  void actual_size(render::ImageViewSettings& settings);
  /// Mouse over the view, an ImGui item of `size` units at `origin`. `taken`: the left button means something else.
  void mouse(render::ImageViewSettings& settings, ImVec2 origin, ImVec2 size, bool hovered, bool taken = false);
  /// F and 1. Only where keys are free: see keys_are_free().
  void keys(render::ImageViewSettings& settings);

  /// The picture's pixel under the mouse.
  [[nodiscard]] std::optional<glm::ivec2> pixel() const { return pixel_; }
  [[nodiscard]] glm::ivec2 view() const { return view_; }
  [[nodiscard]] glm::ivec2 picture() const { return picture_; }

 private:
  glm::ivec2 view_{0, 0}, picture_{0, 0};
  bool fitted_ = true;
  bool panning_ = false;
  std::optional<glm::ivec2> pixel_;
};

/// Nothing else takes what is typed: no text field, no popup, no Ctrl.
[[nodiscard]] bool keys_are_free();

}  // namespace threadscape::app
