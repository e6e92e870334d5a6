#pragma once
// A tab of the lower panel that is made outside of the window and handed to it.

#include <imgui.h>
#include <filesystem>
#include <optional>
#include <string_view>

#include "app/session/workspace.h"
#include "app/window/file_browser.h"
#include "app/window/frame_costs.h"

namespace threadscape::app {

/// A part of the window that the tab wants to have as a picture.
struct TabCapture {
  std::filesystem::path path;  ///< PNG file; "" puts the picture into the clipboard instead.
  ImVec2 corner, size;         ///< Rectangle in the coordinates of ImGui.
};

class Tab {
 public:
  virtual ~Tab() = default;
  /// Name for `--panel`, in lower case, and title with the identifier that follows ###.
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual const char* title() const = 0;
  /// Draws the contents; the window is begun. Called only while the tab is visible.
  virtual void draw(Workspace& workspace, FileBrowser& files) = 0;
  /// Called once a frame, also while the tab is hidden. May draw windows of its own.
  virtual void update(Workspace& workspace, FileBrowser& files) = 0;
  /// Called once, when the window gets the tab: what its frames cost, as long as the tab exists.
  virtual void watch(const FrameCosts& costs) { (void)costs; }
  /// Returns true if something changes without input, so that another frame has to be drawn soon.
  [[nodiscard]] virtual bool animating() const = 0;
  /// The picture that the user has asked for since the last call.
  [[nodiscard]] virtual std::optional<TabCapture> take_capture() = 0;
};

}  // namespace threadscape::app
