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
  std::filesystem::path output;  ///< The .png file to write.
  /// Size of the PNG in pixels; 0 = the size of the result, or with the interface 1920x1080.
  int width = 0, height = 0;
  /// Number of pictures. If greater than 1, the files are out-0001.png, out-0002.png, ...: a full turn of a view in
  /// 3-D, else the result computed and drawn again for each.
  int frames = 1;
  bool ui = false;    ///< Whether to draw the whole window instead of only the result.
  std::string scene;  ///< Name of the scene that draws the result; "" = the default for the algorithm.
  std::string show;   ///< What the scene shows, one of SceneType::shows; "" = the default of the scene.
  /// Names and values of the scene's settings, in the order of assignment.
  std::vector<std::pair<std::string, std::string>> view;
  int step = 0;                   ///< Number of steps after which the picture is shown; 0 = the result.
  std::string panel = "timings";  ///< The tab of the interface that is in front: one of panel_names.
  /// Whether the interface shows fixed times and machine names, so that pictures can be compared.
  bool fixture = false;
  std::filesystem::path timings;  ///< JSON file for the times; "" = none.
  bool quiet = false;
};

/// Draws what the window would show into a PNG, without a display. Returns the exit code. Throws Error.
int render(const RenderOptions& options);

/// `threadscape render`.
[[nodiscard]] CommandAction set_up_render(CLI::App& app);

}  // namespace threadscape::app
