#pragma once
// The two commands that draw: `view` opens the window, `render` draws the same without one.

#include <cstdint>
#include <filesystem>
#include <optional>

#include "app/session/run_options.h"

namespace threadscape::interop {
enum class Route : std::uint8_t;
}

namespace threadscape::app {

enum class Theme : std::uint8_t;

/// What both have in common.
struct DisplayOptions {
  AlgorithmOptions run;         ///< `algorithm` may be empty for view: the last one used, or the first
  std::filesystem::path input;  ///< "" = none; view then shows the last picture, or a sample
  io::LoadOptions load;
  std::optional<interop::Route> route;  ///< --route; unset = chosen by the probe
  std::optional<Theme> theme;           ///< unset = the one used last; dark at first
  float ui_scale = 0.0f;                ///< pixels per point of the interface; 0 = from the monitor
};

struct ViewOptions {
  DisplayOptions display;
  std::optional<std::pair<int, int>> size;  ///< of the window, in screen coordinates; unset = as last time
};

struct RenderOptions {
  DisplayOptions display;
  std::filesystem::path output;  ///< a .png
  int width = 0, height = 0;     ///< --size; 0 = the result's own size, with the interface 1920x1080
  int frames = 1;     ///< > 1: out-0001.png, out-0002.png, ...: a full turn of a view in 3-D, else computed anew each
  bool ui = false;    ///< the whole window, not the result alone
  std::string scene;  ///< --scene: what draws the result; "" = the default for its kind
  std::string show;   ///< --show: of that scene, "" = its default, which is the result
  std::vector<std::pair<std::string, std::string>> view;  ///< --view key=value: settings of that scene, in their order
  int step = 0;                   ///< --step: the picture after so many steps of the algorithm; 0 = the result
  std::string panel = "timings";  ///< --panel, with the interface: the tab in front, one of panel_names
  bool fixture = false;           ///< --fixture: fixed times and machine names in the interface, for comparing pictures
  std::filesystem::path timings;  ///< JSON; "" = none
  bool quiet = false;
};

/// Exit code. Throws Error; without a display an EnvironmentError that names `threadscape render`.
int view(const ViewOptions& options);
/// Exit code. Throws Error.
int render(const RenderOptions& options);

}  // namespace threadscape::app
