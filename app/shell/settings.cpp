#include "app/shell/settings.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/session/setting.h"
#include "app/session/user_folders.h"
#include "compute/core/machine.h"
#include "compute/core/path_text.h"
#include "compute/io/file_writer.h"
#include "compute/io/text_file.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

using nlohmann::json;

template <class T>
void read(const json& object, const char* key, T& value) {
  if (const auto found = object.find(key); found != object.end()) value = found->get<T>();
}

/// Reads a whole number. Throws EnvironmentError for one that int does not hold.
void read(const json& object, const char* key, int& value) {
  const auto found = object.find(key);
  if (found == object.end()) return;
  const auto number = found->get<double>();
  if (!(number >= std::numeric_limits<int>::min() && number <= std::numeric_limits<int>::max()))
    throw EnvironmentError(std::string(key) + " " + found->dump() + " is too large");
  value = static_cast<int>(number);
}

void read_path(const json& object, const char* key, std::string& path) {
  read(object, key, path);
  path = path_of_text(path);
}

void read_sketch(const std::string& text, Settings& settings, LogBook& log) {
  try {
    settings.sketch = parse_kept_sketch(text);
  } catch (const UsageError& error) {
    log.warning("the sketch of the last session was left out: " + std::string(error.what()));
  }
}

void restore_steps(Workspace& workspace, const Settings& settings) {
  if (settings.steps.empty()) return;
  try {
    std::vector<Step> steps = steps_from_json(settings.steps);
    for (Step& step : steps) {
      forget_missing_files(step.params, *step.algorithm, workspace.log);
      if (!step.params.problem().empty()) step.params = step.algorithm->defaults();
    }
    workspace.restore_steps(std::move(steps), static_cast<std::size_t>(std::max(settings.step, 0)));
  } catch (const Error& error) {
    workspace.log.warning("the list of steps was left out: " + std::string(error.what()));
  }
}

}  // namespace

Settings load_settings(LogBook& log) {
  const std::filesystem::path folder = settings_folder();
  return folder.empty() ? Settings{} : load_settings(folder / "settings.json", log);
}

Settings load_settings(const std::filesystem::path& file, LogBook& log) {
  Settings settings;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return settings;
  try {
    const json root = json::parse(io::load_json_text(file));
    read(root, "width", settings.window.width);
    read(root, "height", settings.window.height);
    read(root, "maximised", settings.window.maximised);
    read(root, "scale", settings.look.scale);
    read(root, "lower_panel", settings.look.lower_panel);
    read(root, "favourites", settings.marks.favourites);
    read(root, "recent_algorithms", settings.marks.recent);
    read(root, "folded", settings.marks.folded);
    settings.look.theme = root.value("theme", "dark") == "light" ? Theme::light : Theme::dark;
    read(root, "algorithm", settings.algorithm);
    read(root, "backend", settings.backend);
    read(root, "threads", settings.threads);
    read_path(root, "picture", settings.picture);
    read_path(root, "folder", settings.folder);
    read(root, "desktop_dialogs", settings.desktop_dialogs);
    read(root, "recent", settings.recent);
    std::ranges::transform(settings.recent, settings.recent.begin(), path_of_text);
    if (const auto found = root.find("steps"); found != root.end()) settings.steps = found->dump();
    read(root, "step", settings.step);
    if (const auto found = root.find("parameters"); found != root.end())
      for (const auto& [name, value] : found->items())
        settings.parameters[name] = value.dump();
    if (const auto found = root.find("views"); found != root.end())
      for (const auto& [name, value] : found->items())
        settings.views[name] = value.dump();
    if (const auto found = root.find("sketch"); found != root.end()) read_sketch(found->dump(), settings, log);
  } catch (const std::exception& error) {
    log.warning(file.filename().string() + " is damaged, using defaults: " + std::string(error.what()));
    return {};
  }
  settings.window.width = std::clamp(settings.window.width, 640, 16384);
  settings.window.height = std::clamp(settings.window.height, 480, 16384);
  settings.look.scale = std::clamp(settings.look.scale, 0.5f, 3.0f);
  return settings;
}

std::string settings_text(const Settings& settings) {
  json recent = json::array();
  for (const std::string& path : settings.recent)
    recent.push_back(text_of_path(path));
  json root{{"width", settings.window.width},
            {"height", settings.window.height},
            {"maximised", settings.window.maximised},
            {"scale", settings.look.scale},
            {"theme", settings.look.theme == Theme::light ? "light" : "dark"},
            {"lower_panel", settings.look.lower_panel},
            {"favourites", settings.marks.favourites},
            {"recent_algorithms", settings.marks.recent},
            {"folded", settings.marks.folded},
            {"algorithm", settings.algorithm},
            {"backend", settings.backend},
            {"threads", settings.threads},
            {"picture", text_of_path(settings.picture)},
            {"recent", std::move(recent)},
            {"folder", text_of_path(settings.folder)},
            {"desktop_dialogs", settings.desktop_dialogs}};
  for (const auto& [name, parameters] : settings.parameters)
    root["parameters"][name] = json::parse(parameters);
  if (!settings.steps.empty()) {
    root["steps"] = json::parse(settings.steps);
    root["step"] = settings.step;
  }
  for (const auto& [name, view] : settings.views)
    root["views"][name] = json::parse(view);
  if (settings.sketch) root["sketch"] = json::parse(to_json(*settings.sketch));
  return root.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

void save_settings(const Settings& settings, LogBook& log) {
  const std::filesystem::path folder = settings_folder();
  if (folder.empty()) return;
  try {
    std::filesystem::create_directories(folder);
    io::save_bytes(folder / "settings.json", settings_text(settings));
  } catch (const std::exception& error) {
    log.warning("settings were not saved: " + std::string(error.what()));
  }
}

void restore_work(Workspace& workspace, const Settings& settings) {
  for (const AlgorithmInfo& algorithm : algorithms()) {
    const auto kept = settings.parameters.find(std::string(algorithm.name));
    if (kept == settings.parameters.end()) continue;
    ParamBox params = algorithm.defaults();
    try {
      assign_json(params, kept->second);
      forget_missing_files(params, algorithm, workspace.log);
      if (params.problem().empty()) workspace.give_parameters(algorithm, std::move(params));
    } catch (const Error& error) {
      workspace.log.warning("remembered parameters were left out: " + std::string(error.what()));
    }
  }
  for (const AlgorithmInfo& algorithm : algorithms())
    if (algorithm.name == settings.algorithm) workspace.choose_algorithm(algorithm);
  if (settings.backend.empty() && workspace.why_absent(Backend::cuda).empty())
    workspace.choose_backend(Backend::cuda);  // The first session starts with the fastest backend.
  for (const Backend backend : backends)
    if (name_of(backend) == settings.backend && workspace.why_absent(backend).empty())
      workspace.choose_backend(backend);
  if (settings.threads > 0) workspace.choose_threads(std::min(settings.threads, max_threads()));
  restore_steps(workspace, settings);
}

}  // namespace threadscape::app
