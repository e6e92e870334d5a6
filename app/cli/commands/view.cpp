#include "app/cli/commands/view.h"

#include <algorithm>

#include "app/window/frame_loop.h"
#include "app/window/settings.h"
#include "app/window/window.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

/// What was remembered, as far as it still fits this build and machine.
void restore(Workspace& workspace, const Settings& settings) {
  for (const AlgorithmInfo& algorithm : algorithms()) {
    const auto kept = settings.parameters.find(std::string(algorithm.name));
    if (kept == settings.parameters.end()) continue;
    workspace.choose_algorithm(algorithm);
    ParamBox params = algorithm.defaults();
    try {
      assign_json(params, kept->second);
      if (params.problem().empty()) workspace.work().params = params;
    } catch (const Error& error) {
      workspace.log.warning("remembered parameters were left out: " + std::string(error.what()));
    }
  }
  for (const AlgorithmInfo& algorithm : algorithms())
    if (algorithm.name == settings.algorithm) workspace.choose_algorithm(algorithm);
  for (const Backend backend : backends)
    if (name_of(backend) == settings.backend && workspace.why_absent(backend).empty())
      workspace.choose_backend(backend);
  if (settings.threads > 0) workspace.work().threads = settings.threads;
}

bool open_picture(Workspace& workspace, const std::filesystem::path& path, const io::LoadOptions& limits) {
  try {
    workspace.set_source(path, io::load_picture(path, limits));
  } catch (const Error& error) {
    workspace.log.error(error.what());
    return false;
  }
  return true;
}

void open_first_data(Workspace& workspace, const DisplayOptions& options, const Settings& settings) {
  const io::LoadOptions& limits = options.load;
  // What was asked for by name must work, as what the algorithm wants. What was remembered or shipped need not, and is
  // a picture: other algorithms make an input of their own.
  if (!options.input.empty()) {
    workspace.load(options.input, limits);
    // What the command line says wins over what the file says.
    const bool own = !options.run.sets.empty() || !options.run.preset.empty();
    if (const auto source = workspace.source(); own && source)
      workspace.work().params = make_params(workspace.algorithm(), options.run, source->picture.settings);
  }
  if (workspace.picture()) return;
  std::error_code ignored;
  if (!settings.picture.empty() && std::filesystem::exists(settings.picture, ignored) &&
      open_picture(workspace, settings.picture, limits))
    return;
  const auto samples = sample_pictures();
  const auto cat = std::ranges::find_if(samples, [](const auto& path) { return path.stem() == "chelsea"; });
  if (cat != samples.end()) open_picture(workspace, *cat, limits);
}

}  // namespace

int view(const ViewOptions& options) {
  Workspace workspace;
  const DisplayOptions& display = options.display;
  Settings settings = load_settings(workspace.log);
  if (display.theme) settings.look.theme = *display.theme;
  if (display.ui_scale > 0) settings.look.scale = display.ui_scale;
  if (options.size)
    settings.window = {.width = options.size->first, .height = options.size->second, .maximised = false};
  restore(workspace, settings);
  choose_work(workspace, display.run);

  const std::unique_ptr<Platform> platform = make_window({.state = settings.window});
  platform->context().set_message_sink([&workspace](gl::Severity severity, std::string_view text) {
    if (severity == gl::Severity::error) workspace.log.error("OpenGL: " + std::string(text));
  });
  open_first_data(workspace, display, settings);
  const interop::RouteReport route = interop::probe_route(platform->context(), display.route);
  workspace.log.info("OpenGL " + platform->context().version() + " on " + platform->context().renderer());
  workspace.log.info("route " + std::string(interop::name_of(route.cuda_route)) + ": " + route.reason);

  gl::ShaderLibrary shaders(gl::ShaderLibrary::source_folder());
  LiveView live(route, [&platform] { platform->wake(); });
  std::string layout;
  if (const auto folder = settings_folder(); !folder.empty()) {
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    layout = (folder / "layout.ini").string();
  }
  Window window(*platform, shaders, workspace, live, machine_facts(platform->context(), route), settings.look, layout);
  window.files().set_folder(settings.folder);

  for (const SceneType& type : scene_types()) {
    const auto kept = settings.views.find(std::string(type.name));
    if (kept == settings.views.end()) continue;
    try {
      window.scenes().restore(type, kept->second);
    } catch (const Error& error) {
      workspace.log.warning("remembered view settings were left out: " + std::string(error.what()));
    }
  }

  run_frames(*platform, shaders, workspace, live, window);
  window.scenes().finish_edits(workspace);

  settings.window = platform->window_state();
  settings.look = window.look();
  settings.backend = name_of(workspace.work().backend);
  settings.threads = workspace.work().threads;
  if (const auto picture = workspace.picture()) settings.picture = std::filesystem::absolute(picture->path).string();
  settings.folder = window.files().folder().string();
  settings.algorithm = workspace.algorithm().name;
  for (const AlgorithmInfo& algorithm : algorithms()) {
    workspace.choose_algorithm(algorithm);
    settings.parameters[std::string(algorithm.name)] = to_json(workspace.work().params);
  }
  for (const SceneType& type : scene_types())
    if (std::string kept = window.scenes().settings_of(type); !kept.empty())
      settings.views[std::string(type.name)] = std::move(kept);
  save_settings(settings, workspace.log);
  return static_cast<int>(ExitCode::done);
}

}  // namespace threadscape::app
