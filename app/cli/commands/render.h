#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/shared_options.h"

namespace threadscape::app {

struct RenderOptions {
  DisplayOptions display;
  std::filesystem::path output;  ///< A .png file.
  /// Size of the PNG in pixels; 0 = the result's own size, with the interface 1920x1080.
  int width = 0, height = 0;
  /// If greater than 1, out-0001.png, out-0002.png, ... are written: a full turn of a view in 3-D, else the result
  /// computed and drawn anew for each.
  int frames = 1;
  bool ui = false;    ///< The whole window instead of the result alone.
  std::string scene;  ///< Name of the scene that draws the result; "" = the default for the algorithm.
  std::string show;   ///< One of SceneType::shows; "" = the scene's default.
  std::vector<std::pair<std::string, std::string>> view;  ///< Settings of the scene, in the order of assignment.
  int step = 0;                   ///< The picture after this many steps of the algorithm; 0 = the result.
  std::string panel = "timings";  ///< The tab in front of the interface: one of panel_names.
  bool fixture = false;           ///< Fixed times and machine names in the interface, to compare pictures.
  std::filesystem::path timings;  ///< JSON file; "" = none.
  bool quiet = false;
};

/// Draws what the window would show into a PNG, without a display. Returns the exit code; throws Error.
int render(const RenderOptions& options);

/// `threadscape render`.
[[nodiscard]] CommandAction set_up_render(CLI::App& app);

}  // namespace threadscape::app
