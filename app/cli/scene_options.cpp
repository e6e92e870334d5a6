#include "app/cli/scene_options.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string_view>

#include "app/cli/commands/list.h"
#include "app/cli/shared_options.h"
#include "compute/core/errors.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

void add_scene_options(CLI::App& app, SceneOptions& options, const std::string& listed) {
  app.add_option("--scene", options.name,
                 "Scene that draws the result, where there is a choice (default: the first that --show and --view "
                 "fit); " +
                     listed)
      ->type_name("NAME");
  app.add_option("--show", options.show, "What the scene shows of the result; " + listed)->type_name("NAME");
  add_sets(app, "--view", options.view, "A setting of the scene, for example of a 3-D view; may be given again");
}

std::string scene_help(const std::string& algorithm) {
  const auto known = std::ranges::find(algorithms(), std::string_view(algorithm), &AlgorithmInfo::name);
  std::string text = "\nScenes (--scene) and what each can show (--show):\n";
  for (const SceneType& type : scene_types()) {
    if (known != algorithms().end() && !type.can_show(*known)) continue;
    text += "  " + std::string(type.name) + ":";
    for (const std::string_view show : type.shows)
      text += " " + std::string(show);
    text += "\n";
    if (type.settings == nullptr) continue;
    text += "Settings of " + std::string(type.name) + " (--view NAME=VALUE):\n" + describe_fields(type.settings());
  }
  return text;
}

const SceneType& scene_of(const SceneOptions& options, const AlgorithmInfo& algorithm) {
  return find_scene(options.name, algorithm, options.show, options.view);
}

void assign_view(ParamBox* settings, const SceneType& type, const SceneOptions& options) {
  if (settings == nullptr) {
    if (options.view.empty()) return;
    throw UsageError("--view " + options.view.front().first + ": the scene '" + std::string(type.name) +
                     "' has no such settings");
  }
  for (const auto& [name, value] : options.view)
    settings->assign(name, value);
  settings->check();
}

SessionView stated_view(const SceneOptions& options, const AlgorithmInfo& algorithm) {
  const SceneType& type = scene_of(options, algorithm);
  SessionView view;
  view.scene = std::string(type.name);
  view.show = std::string(type.shows[static_cast<std::size_t>(find_show(type, options.show))]);
  if (options.view.empty()) return view;
  ParamBox settings;
  if (type.settings != nullptr) settings = type.settings();
  assign_view(type.settings != nullptr ? &settings : nullptr, type, options);
  view.settings.emplace(view.scene, to_json(settings));
  return view;
}

}  // namespace threadscape::app
