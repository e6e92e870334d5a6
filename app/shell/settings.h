#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/platform/platform.h"
#include "app/session/kept_sketch.h"
#include "app/session/workspace.h"
#include "app/shell/window.h"

namespace threadscape::app {

/// What the window remembers between sessions: $XDG_CONFIG_HOME/threadscape/settings.json, else ~/.config/...
/// A missing or damaged file means the defaults; a field that no longer fits is left out, not fatal.
struct Settings {
  WindowState window;
  WindowLook look;
  std::string algorithm;
  std::string backend;
  int threads = 0;  ///< Threads of the openmp backend; 0: all hardware threads.
  std::string picture;
  AlgorithmMarks marks;                           ///< In the list of algorithms.
  std::vector<std::string> recent;                ///< Files that were opened last, the latest first.
  std::string folder;                             ///< Folder in which the file browser starts.
  bool desktop_dialogs = true;                    ///< If true, files are chosen in dialogs of the desktop.
  std::map<std::string, std::string> parameters;  ///< JSON, by the name of the algorithm.
  std::string steps;                              ///< The list of steps as JSON (steps_to_json()); "" if there is none.
  int step = 0;                                   ///< Index of the chosen step.
  std::map<std::string, std::string> views;       ///< JSON, by the name of the scene.
  std::optional<KeptSketch> sketch;               ///< The sketch that was open.
};

[[nodiscard]] Settings load_settings(LogBook& log);
/// Reads settings from a file that has this form.
[[nodiscard]] Settings load_settings(const std::filesystem::path& file, LogBook& log);
/// The settings as the text of such a file.
[[nodiscard]] std::string settings_text(const Settings& settings);
/// Writes the settings. Failures are only logged, so that no session ends with an error.
void save_settings(const Settings& settings, LogBook& log);

/// Restores algorithm, parameters, backend and threads of the last session, as far as this build and machine know them.
/// Parameters that name files which are gone get their defaults, and the log says so.
void restore_work(Workspace& workspace, const Settings& settings);

}  // namespace threadscape::app
