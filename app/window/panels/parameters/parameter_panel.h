#pragma once

#include <filesystem>
#include <optional>
#include <utility>

#include "app/session/workspace.h"
#include "app/window/preview_editor.h"
#include "app/window/widgets/theme.h"

namespace threadscape::app {

class FileBrowser;

/// The panel for backend, variant, threads, seed and the parameters of the algorithm. The widgets for the parameters
/// are made from their fields().
class ParameterPanel {
 public:
  /// `threads` is the number of hardware threads of this machine; twice as many can be chosen.
  void draw(Workspace& workspace, const Fonts& fonts, FileBrowser& files, int threads);
  /// The preset that was saved since the last call, which gets a thumbnail.
  [[nodiscard]] std::optional<std::filesystem::path> take_saved_preset() { return std::exchange(saved_preset_, {}); }
  [[nodiscard]] PreviewEditor& previews() { return previews_; }

 private:
  /// The choice of the device of CUDA, if there are several.
  static void draw_device(Workspace& workspace);
  void draw_backend(Workspace& workspace, int threads);
  void draw_parameters(Workspace& workspace, FileBrowser& files);

  PreviewEditor previews_;
  std::optional<std::filesystem::path> saved_preset_;
};

}  // namespace threadscape::app
