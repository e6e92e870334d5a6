#pragma once
// The tool that draws a rectangle over a picture with the mouse, for algorithms that cut one out.

#include <glm/vec2.hpp>
#include <optional>

#include "app/scenes/image/pixel_values.h"
#include "app/ui/view_canvas.h"
#include "compute/core/params.h"
#include "render/passes/image_pass.h"

namespace threadscape::app {

class CropTool {
 public:
  /// Returns whether the parameters have the fields of a rectangle: left, top, width and height.
  [[nodiscard]] static bool fits(const ParamBox& params);
  /// Sets these fields.
  static void write(ParamBox& params, const PixelRect& rect);
  /// The left and top of the rectangle that the parameters state.
  [[nodiscard]] static glm::ivec2 corner_of(const ParamBox& params);

  /// A drag draws a rectangle, and does not move the picture, without a key.
  bool on = false;
  [[nodiscard]] bool dragging() const { return from_.has_value(); }
  void forget() { from_.reset(); }
  /// Handles the mouse at this place of a picture of `size` pixels. Returns the pixels of the rectangle when the mouse
  /// is let go; a click without a drag draws none.
  [[nodiscard]] std::optional<PixelRect> mouse(glm::vec2 place, glm::ivec2 size, bool hovered);
  /// Draws the rectangle and darkens what is around it, while it is dragged.
  void draw(ViewCanvas& canvas, const render::ImageViewSettings& settings, glm::ivec2 view) const;

 private:
  [[nodiscard]] PixelRect rect() const;

  std::optional<glm::vec2> from_;  ///< Where the drag has begun; none without a drag.
  glm::vec2 to_{0.0f};
  glm::ivec2 size_{0};
};

}  // namespace threadscape::app
