#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/scene_options.h"
#include "app/cli/shared_options.h"

namespace threadscape::app {

struct RenderOptions {
  DisplayOptions display;
  std::filesystem::path output;  ///< The picture file to write.
  int quality = 0;  ///< The quality of written JPEG and WebP files, 1..100; 0 means the default of the format.
  /// Size of the picture in pixels; 0 = the size of the result, or with the interface 1920x1080.
  int width = 0, height = 0;
  /// Number of pictures: the frames of a moving input, a full turn of a view in 3-D, or else the result computed and
  /// drawn again for each. If greater than 1, the files are out-0001.png, out-0002.png, ..., or the one file of an
  /// animation. 0 means all frames of a moving input that becomes an animation, and otherwise 1.
  int frames = 0;
  double frames_per_second = 0;  ///< The rate of an animation; 0 stands for the rate of a moving input, otherwise 25.
  SceneOptions scene;
  std::string scene_settings;  ///< JSON of the scene's settings of a session; "" = the defaults.
  std::string panel;           ///< The panel or page of the interface that is opened, of panel_names; "" = none.
  std::string plot;            ///< The plot of the lab's tab, one of lab_plot_names; "" = the first.
  /// A sweep "VARY=VALUES" that the lab's tab measures before the picture is drawn, such as "threads=1,2,4"; "" = none.
  std::string sweep;
  std::vector<std::filesystem::path> reports;  ///< Reports of `bench` that the lab's tab plots.
  std::filesystem::path timings;               ///< JSON file for the times; "" = none.
  double speed = 1;  ///< The speed at which `play` frames are played, in times of the rate of the source.
  /// Number of frames of a moving input that are played and measured, as play_frames() does; 0 = they are not.
  int play = 0;
  int intermediate = 0;          ///< Number of the shown intermediate result, from 1 on; 0 = the result.
  std::filesystem::path lesson;  ///< The folder of a lesson that the window has open; "" = none.
  int page = 1;                  ///< The page of the lesson, from 1 on.
  bool ui = false;               ///< True if the whole window is drawn and not only the result.
  bool peers = false;            ///< The sweep of the lab measures other libraries as well.
  /// If true, the interface shows fixed times and machine names, so that pictures can be compared.
  bool fixture = false;
  bool quiet = false;
};

/// The number of the device that is to drive the OpenGL context, because results are computed there; -1 for any.
[[nodiscard]] int preferred_device(const Workspace& workspace);

/// Draws what the window would show into a picture file, without a display. Returns the exit code. Throws Error.
int render(const RenderOptions& options);

/// `threadscape render`.
[[nodiscard]] CommandAction set_up_render(CLI::App& app, FindDevices find_devices);

}  // namespace threadscape::app
