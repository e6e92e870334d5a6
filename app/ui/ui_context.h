#pragma once

#include <optional>

#include "app/platform/platform.h"
#include "app/ui/interface_painter.h"
#include "app/ui/theme.h"

namespace threadscape::app {

/// Owns the ImGui and ImPlot contexts and couples them with the platform and OpenGL.
class UiContext {
 public:
  /// `layout_file` keeps the places of panels between sessions; empty: they are not kept.
  UiContext(Platform& platform, FontChoice fonts, std::string layout_file);
  ~UiContext();
  UiContext(const UiContext&) = delete;
  UiContext& operator=(const UiContext&) = delete;

  void begin_frame();
  /// Draws what was built since begin_frame() over `target`.
  void end_frame(const gl::Framebuffer& target);
  /// Ends the frame without drawing it, for scenes without a window: their canvases are drawn already.
  void drop_frame();
  [[nodiscard]] const Fonts& fonts() const { return fonts_; }
  [[nodiscard]] InterfacePainter& painter() { return *painter_; }

 private:
  Platform& platform_;
  std::string layout_file_;
  Fonts fonts_;
  std::optional<InterfacePainter> painter_;  ///< Not empty: it is made when OpenGL is ready.
};

}  // namespace threadscape::app
