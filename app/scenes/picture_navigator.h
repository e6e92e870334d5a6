#pragma once

#include <glm/vec2.hpp>
#include <optional>

#include "app/ui/theme.h"
#include "render/passes/image_pass.h"

namespace threadscape::app {

/// Zoom and pan of a picture by mouse and keys: the wheel zooms at the mouse, a drag pans, a double-click and F fit the
/// picture to the view, 1 shows one view pixel per picture pixel.
class PictureNavigator {
 public:
  /// Called before the picture is drawn, with the sizes of view and picture in pixels. A picture of another size than
  /// before is fitted to the view.
  void begin(render::ImageViewSettings& settings, glm::ivec2 view, glm::ivec2 picture);
  /// Shows the whole picture, now and after every change of size, until the user zooms or pans.
  void fit() { fitted_ = true; }
  [[nodiscard]] bool fitted() const { return fitted_; }
  /// Shows one view pixel per picture pixel.
  void actual_size(render::ImageViewSettings& settings);
  /// Shows these image coordinates in the middle of the view, with `zoom` view pixels per picture pixel.
  void place(render::ImageViewSettings& settings, float zoom, glm::vec2 centre);
  /// Shows this pixel of the picture in the middle of the view, magnified so that pixels can be told apart.
  void go_to(render::ImageViewSettings& settings, glm::ivec2 pixel);
  /// Handles the mouse over the view, an ImGui item of `size` units at `origin`. If `taken` is set, the left button has
  /// another meaning and neither pans nor fits.
  void mouse(render::ImageViewSettings& settings, ImVec2 origin, ImVec2 size, bool hovered, bool taken = false);
  /// Handles the keys F and 1. Call it only if keys_are_free().
  void keys(render::ImageViewSettings& settings);

  /// The picture's pixel under the mouse; none beside the picture.
  [[nodiscard]] std::optional<glm::ivec2> pixel() const { return pixel_; }
  [[nodiscard]] glm::ivec2 view() const { return view_; }
  [[nodiscard]] glm::ivec2 picture() const { return picture_; }

 private:
  glm::ivec2 view_{0, 0}, picture_{0, 0};
  bool fitted_ = true;
  bool panning_ = false;
  std::optional<glm::ivec2> pixel_;
};

/// Returns whether keys belong to the view: no text field has the focus, no popup is open, and Ctrl is not held.
[[nodiscard]] bool keys_are_free();

}  // namespace threadscape::app
