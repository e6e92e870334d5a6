#pragma once
// A scene draws one kind of output into a framebuffer and owns the controls that belong to the view. There is one scene
// per output kind, not per algorithm.

#include <glm/vec2.hpp>
#include <string>

#include "app/live_view.h"
#include "app/ui/theme.h"
#include "app/workspace.h"
#include "render/gl/framebuffer.h"

namespace threadscape::app {

class Scene {
 public:
  virtual ~Scene() = default;

  [[nodiscard]] virtual bool shows(Kind output) const = 0;
  /// Whether the serial result is needed to draw what is chosen.
  [[nodiscard]] virtual bool wants_reference() const = 0;
  /// Draws into all of `target`.
  virtual void draw(const LiveView& live, const gl::Framebuffer& target) = 0;
  /// One line of controls above the view.
  virtual void toolbar(const Workspace& workspace) = 0;
  /// Mouse and keys over the view, an ImGui item of `size` pixels whose top left corner is `origin`.
  virtual void interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) = 0;
  /// Exact values under the mouse, as a panel.
  virtual void probe(const LiveView& live, const Fonts& fonts) = 0;
  /// True while something is under way that needs another frame (a probe read, an animation).
  [[nodiscard]] virtual bool animating() const = 0;
};

}  // namespace threadscape::app
