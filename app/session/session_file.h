#pragma once
// Files NAME.threadscape.json: a whole session of the window, which can be opened again on another day or another
// machine.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/kept_sketch.h"
#include "app/session/workspace.h"

namespace threadscape::app {

/// The end of the names of session files.
inline constexpr std::string_view session_extension = ".threadscape.json";
/// The version of the format, which a file states as "threadscape": 1.
inline constexpr int session_version = 1;

/// Returns true if the name of a file is that of a session.
[[nodiscard]] bool is_session_path(const std::filesystem::path& path);

/// What the window shows beside the workspace.
struct SessionView {
  std::string scene;                            ///< Name of the scene; "" = the default of the algorithm.
  std::string show;                             ///< What the scene shows; "" = its default.
  std::string panel;                            ///< The tab of the lower panel in front; "" = as it is.
  std::map<std::string, std::string> settings;  ///< JSON of the settings of scenes, by the name of the scene.
};

/// A session as a file holds it. Paths are as the program uses them: the reader has put the folder of the session file
/// in front of paths that are relative to it.
struct Session {
  const AlgorithmInfo* algorithm = nullptr;
  ParamBox params;
  Backend backend = Backend::openmp;
  int variant = 0;
  int threads = 0;  ///< 0 = all hardware threads.
  std::uint64_t seed = 0;
  int intermediate = -1;  ///< Index of the shown intermediate result; -1 = the result. In files it is `step`.
  /// Parameters of other algorithms, where they differ from their defaults.
  std::vector<std::pair<const AlgorithmInfo*, ParamBox>> others;
  std::map<Kind, std::filesystem::path> inputs;  ///< The opened files.
  io::VolumeReading volume;                      ///< How the file of a volume is read.
  SessionView view;
  std::optional<KeptSketch> sketch = {};  ///< The sketch that is open; opening the session does not run it.
};

/// The session of a workspace. Data that were opened without a file are not part of it. For a sketch, which is not
/// there before it runs, stands the algorithm that it is compared with, or one that takes the same data.
[[nodiscard]] Session session_of(const Workspace& workspace, SessionView view);

/// The text of a session file in this folder. Paths of files below the folder are relative to it, all others absolute.
[[nodiscard]] std::string session_text(const Session& session, const std::filesystem::path& folder);
/// The inverse of session_text(); `name` is the name of the file for messages. Throws UsageError with the place and the
/// cause for a text that is no session, has unknown fields or is of a later version.
[[nodiscard]] Session parse_session(const std::string& text, const std::filesystem::path& folder,
                                    const std::string& name);

/// Writes a session file. Masks that were painted, which are in the program's cache, are copied into the folder
/// NAME.masks beside it. Throws EnvironmentError.
void save_session(const std::filesystem::path& path, Session session);
/// Reads a session file. Throws EnvironmentError and UsageError.
[[nodiscard]] Session load_session(const std::filesystem::path& path);

/// Makes the choice of the workspace that of the session, and closes files of kinds that the session has none of. Its
/// own files are opened by the caller. A backend that this machine lacks is left out, with a warning
/// in the log, as are parameters that name missing files.
void apply_session(Workspace& workspace, const Session& session);

/// The files of the session that exist. The others are named by a warning in the log.
[[nodiscard]] std::vector<std::pair<Kind, std::filesystem::path>> existing_inputs(const Session& session, LogBook& log);

}  // namespace threadscape::app
