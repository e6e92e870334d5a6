#pragma once
// The options that choose the scene, for the commands that draw: --scene, --show and --view.

#include <string>
#include <utility>
#include <vector>

#include "app/scenes/scene_set.h"
#include "app/session/session_file.h"

namespace CLI {
class App;
}  // namespace CLI

namespace threadscape::app {

struct SceneOptions {
  std::string name;  ///< The scene that draws the result; "" = the first that the others fit.
  std::string show;  ///< What the scene shows, one of SceneType::shows; "" = the default of the scene.
  /// Names and values of the scene's settings, in the order of assignment.
  std::vector<std::pair<std::string, std::string>> view;
  [[nodiscard]] bool empty() const { return name.empty() && show.empty() && view.empty(); }
};

/// Adds --scene, --show and --view. The struct must live as long as the parser. `listed` says where their values are
/// listed, in words that end a sentence.
void add_scene_options(CLI::App& app, SceneOptions& options, const std::string& listed);
/// Help text on scenes, what they can show and their settings: those that can show the output of `algorithm`, or all
/// if there is no such algorithm.
[[nodiscard]] std::string scene_help(const std::string& algorithm);

/// The scene that the options mean for results of an algorithm. Throws UsageError if there is none.
[[nodiscard]] const SceneType& scene_of(const SceneOptions& options, const AlgorithmInfo& algorithm);
/// Assigns what --view states to the settings of a scene, which are null if it has none. Throws UsageError.
void assign_view(ParamBox* settings, const SceneType& type, const SceneOptions& options);
/// The view of a session that the options state, whose other scenes and panels are as they are. Throws UsageError.
[[nodiscard]] SessionView stated_view(const SceneOptions& options, const AlgorithmInfo& algorithm);

}  // namespace threadscape::app
