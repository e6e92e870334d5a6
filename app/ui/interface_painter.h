#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include "app/ui/changed_tiles.h"
#include "render/gl/framebuffer.h"

namespace threadscape::app {

/// Draws what ImGui has built over a framebuffer. A GPU draws all of it in each frame. A software renderer, which takes
/// tens of milliseconds for the blended layers of a whole window, draws only the parts that have changed: the
/// framebuffer keeps the others.
class InterfacePainter {
 public:
  enum class Draws : bool { everything, changes };

  explicit InterfacePainter(Draws draws) : draws_(draws) {}
  InterfacePainter(const InterfacePainter&) = delete;
  InterfacePainter& operator=(const InterfacePainter&) = delete;

  /// Adds a picture to the current window of ImGui, at most one in a frame. `corner` is the place of its top left pixel
  /// in the framebuffer. `picture` must live until the frame is painted. It is copied when its turn comes, and hides
  /// all that was drawn there before. Drawing it as a texture would blend every pixel, which on a software renderer
  /// takes several times as long.
  void add_picture(const gl::Framebuffer& picture, glm::ivec2 corner);
  /// Draws ImGui's draw data over `target`, where nothing is drawn in the colour `background`. Nobody else may have
  /// drawn over `target` since the last call with it.
  void paint(const gl::Framebuffer& target, const glm::vec4& background);
  /// The parts that the last call of paint() has drawn.
  [[nodiscard]] const std::vector<WindowRect>& painted() const { return painted_; }

 private:
  static void copy_picture(const ImDrawList* list, const ImDrawCmd* command);
  [[nodiscard]] WindowRect picture_pixels(const ImDrawData& data, const gl::Framebuffer& target) const;
  [[nodiscard]] bool needs_everything(const ImDrawData& data, const gl::Framebuffer& target,
                                      const glm::vec4& background) const;
  void paint_everything(ImDrawData& data, const gl::Framebuffer& target, const glm::vec4& background);
  void paint_part(ImDrawData& data, const WindowRect& part, bool hidden_below_picture);

  Draws draws_;
  const gl::Framebuffer* picture_ = nullptr;  ///< What add_picture() was called with last; null before its first call.
  WindowRect place_;                          ///< The pixels of the target that the picture covers.
  WindowRect part_;                           ///< The pixels that are being drawn.
  ChangedTiles tiles_;
  std::uint64_t target_ = 0;  ///< The serial number of the framebuffer that holds the last frame; 0 if none does.
  glm::vec4 background_{};    ///< The background of the last frame.
  std::vector<WindowRect> painted_;
};

}  // namespace threadscape::app
