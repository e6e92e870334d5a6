#include "app/session/session_file.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "app/session/moving_file.h"
#include "app/session/setting.h"
#include "app/session/sketch_file.h"
#include "app/session/user_folders.h"
#include "compute/core/kind_info.h"
#include "compute/core/path_text.h"
#include "compute/io/file_writer.h"
#include "compute/io/text_file.h"
#include "compute/registry/registry.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

bool file_exists(const fs::path& path) {
  std::error_code unknown;
  return fs::exists(path, unknown);
}

/// The absolute path, or the one from `folder` if the file is below that.
std::string stored_path(const fs::path& path, const fs::path& folder) {
  std::error_code failed;
  const fs::path whole = absolute_name(path);
  if (!whole.is_absolute()) return whole.generic_string();
  const fs::path base = fs::absolute(folder.empty() ? fs::path(".") : folder, failed).lexically_normal();
  const fs::path relative = whole.lexically_relative(base);
  const bool below = !relative.empty() && *relative.begin() != "..";
  return (below ? relative : whole).generic_string();
}

/// The parameters with the paths of files that exist as the session file states them. Other texts, such as drawn
/// structuring elements, stay as they are.
// NOLINTNEXTLINE(performance-unnecessary-value-param): for_each_path() changes texts of the copy.
Json stored_params(ParamBox params, const fs::path& folder) {
  for_each_path(params, [&folder](std::string& text) {
    if (!is_drawn(text) && file_exists(text)) text = stored_path(text, folder);
  });
  return Json::parse(to_json(params));
}

/// Copies painted masks from the program's cache into the folder `masks`, and names the copies in the parameters.
void copy_masks(ParamBox& params, const fs::path& masks) {
  for_each_path(params, [&masks](std::string& text) {
    if (!is_in_cache(text) || !file_exists(text)) return;
    const fs::path copy = masks / fs::path(text).filename();
    std::error_code failed;
    fs::create_directories(masks, failed);
    // The cache never writes to a name twice, so a copy that is there has the same content.
    if (!failed && !file_exists(copy)) fs::copy_file(text, copy, failed);
    if (failed) throw EnvironmentError("'" + copy.string() + "' cannot be written: " + failed.message());
    text = copy.string();
  });
}

/// Chooses an algorithm of the program in place of a sketch.
void replace_sketch_by_algorithm(Session& session) {
  const auto sketch = sketch::sketch_of(*session.algorithm);
  if (!sketch) return;
  std::optional<RunRequest> reference;
  try {
    reference = reference_run(*session.algorithm, session.params);
  } catch (const UsageError&) {  // The head names what the program does not have.
  }
  const Kind input = session.algorithm->input;
  if (reference) {
    session.algorithm = reference->algorithm;
    session.params = std::move(reference->params);
  } else {
    session.algorithm = &*std::ranges::find(algorithms(), input, &AlgorithmInfo::input);
    session.params = session.algorithm->defaults();
  }
  session.variant = 0;
  session.intermediate = -1;
}

}  // namespace

bool is_session_path(const fs::path& path) {
  std::string name = path.filename().string();
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.ends_with(session_extension) && name.size() > session_extension.size();
}

Session session_of(const Workspace& workspace, SessionView view) {
  const Setting setting = workspace.setting();
  const Work& work = setting.work;
  Session session{.algorithm = work.algorithm,
                  .params = work.params,
                  .backend = work.backend,
                  .variant = work.variant,
                  .threads = work.threads,
                  .seed = work.seed,
                  .intermediate = setting.intermediate + 1 < static_cast<int>(workspace.intermediates().size())
                                      ? setting.intermediate
                                      : -1,
                  .others = {},
                  .inputs = {},
                  .volume = workspace.volume_reading,
                  .view = std::move(view)};
  replace_sketch_by_algorithm(session);
  for (const AlgorithmInfo& algorithm : algorithms())
    if (&algorithm != session.algorithm && !sketch::sketch_of(algorithm))
      if (ParamBox params = workspace.params_of(algorithm); params != algorithm.defaults())
        session.others.emplace_back(&algorithm, std::move(params));
  for (const SettingInput& input : setting.inputs)
    if (!input.path.empty()) session.inputs[input.kind] = input.path;
  return session;
}

std::string session_text(const Session& session, const fs::path& folder) {
  const AlgorithmInfo& algorithm = *session.algorithm;
  Json root{{"threadscape", session_version}, {"algorithm", algorithm.name}};
  root["params"] = stored_params(session.params, folder);
  root["backend"] = name_of(session.backend);
  if (session.variant > 0)
    root["variant"] = algorithm.variants_of(session.backend)[static_cast<std::size_t>(session.variant)].name;
  root["threads"] = session.threads;
  root["seed"] = session.seed;
  if (session.intermediate >= 0) root["step"] = session.intermediate + 1;
  for (const auto& [kind, path] : session.inputs)
    root["inputs"][std::string(info_of(kind).name)] = text_of_path(stored_path(path, folder));
  if (session.volume.axis != io::VolumeAxis::second)
    root["volume"]["axis"] = io::volume_axis_names[static_cast<std::size_t>(session.volume.axis)];
  if (session.volume.water) root["volume"]["water"] = *session.volume.water;
  Json view = Json::object();
  if (!session.view.scene.empty()) view["scene"] = session.view.scene;
  if (!session.view.show.empty()) view["show"] = session.view.show;
  if (!session.view.panel.empty()) view["panel"] = session.view.panel;
  for (const auto& [name, settings] : session.view.settings)
    view["settings"][name] = Json::parse(settings);
  if (!view.empty()) root["view"] = std::move(view);
  if (session.sketch) {
    KeptSketch sketch = *session.sketch;
    sketch.file = text_of_path(stored_path(sketch.file, folder));
    root["sketch"] = Json::parse(to_json(sketch));
  }
  for (const auto& [other, params] : session.others)
    root["others"][std::string(other->name)] = stored_params(params, folder);
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void save_session(const fs::path& path, Session session) {
  const std::string name = path.filename().string();
  const std::size_t end = is_session_path(path) ? name.size() - session_extension.size() : name.size();
  const fs::path masks = path.parent_path() / (name.substr(0, end) + ".masks");
  copy_masks(session.params, masks);
  for (auto& [algorithm, params] : session.others)
    copy_masks(params, masks);
  io::save_bytes(path, session_text(session, path.parent_path()));
}

Session load_session(const fs::path& path) {
  return parse_session(io::load_json_text(path), path.parent_path(), "session '" + path.string() + "'");
}

void apply_session(Workspace& workspace, const Session& session) {
  const auto take = [&workspace](const AlgorithmInfo& algorithm, ParamBox params) {
    forget_missing_files(params, algorithm, workspace.log);
    workspace.give_parameters(algorithm, std::move(params));
  };
  for (const auto& [algorithm, params] : session.others)
    take(*algorithm, params);
  workspace.volume_reading = session.volume;
  workspace.choose_algorithm(*session.algorithm);
  take(*session.algorithm, session.params);
  if (const std::string absent = workspace.why_absent(session.backend); !absent.empty()) {
    workspace.log.warning("the session was saved with the backend " + std::string(name_of(session.backend)) +
                          ", which is absent here: " + absent);
  } else {
    workspace.choose_backend(session.backend);
    workspace.choose_variant(session.variant);
  }
  Setting now = workspace.setting();
  std::erase_if(now.inputs, [&session](const SettingInput& input) { return !session.inputs.contains(input.kind); });
  workspace.apply(now);
  if (session.threads > 0) workspace.choose_threads(session.threads);
  workspace.choose_seed(session.seed);
  workspace.show_intermediate(session.intermediate);
}

std::vector<std::pair<Kind, fs::path>> existing_inputs(const Session& session, LogBook& log) {
  std::vector<std::pair<Kind, fs::path>> found;
  for (const auto& [kind, path] : session.inputs) {
    if (can_be_opened(path))
      found.emplace_back(kind, path);
    else
      log.warning("the session names '" + path.string() + "', which is missing: it is left out; open another " +
                  std::string(info_of(kind).user_name));
  }
  return found;
}

}  // namespace threadscape::app
