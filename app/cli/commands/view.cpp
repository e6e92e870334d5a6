#include "app/cli/commands/view.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "app/cli/option_values.h"
#include "app/cli/shared_options.h"
#include "app/session/user_folders.h"
#include "app/window/frame_loop.h"
#include "app/window/settings.h"
#include "app/window/window.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

struct ViewCommand {
  DisplayOptions display;
  /// Size of the window in screen coordinates; unset = its size in the last session.
  std::optional<std::pair<int, int>> size;
};

/// Opens a picture as the source. Returns false and logs the error if the file cannot be opened.
bool open_picture(Workspace& workspace, const std::filesystem::path& path, const io::LoadOptions& limits) {
  try {
    workspace.set_source(path, io::load_picture(path, limits));
  } catch (const Error& error) {
    workspace.log.error(error.what());
    return false;
  }
  return true;
}

/// Opens the input of the command line. If no picture is open after that, opens the picture of the last session or a
/// sample.
void open_first_data(Workspace& workspace, const DisplayOptions& options, const Settings& settings) {
  const io::LoadOptions& limits = options.load;
  // The input of the command line is read as the kind of data that the algorithm takes, and an error ends the program.
  // Errors with the picture of the last session or the sample are not fatal.
  if (!options.input.empty()) {
    workspace.load(options.input, limits);
    // Parameters on the command line take precedence over those that the file states.
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

/// The settings of the last session, replaced by those that the command line states.
Settings first_settings(const ViewCommand& options, LogBook& log) {
  const DisplayOptions& display = options.display;
  Settings settings = load_settings(log);
  if (display.theme) settings.look.theme = *display.theme;
  if (display.ui_scale > 0) settings.look.scale = display.ui_scale;
  if (options.size)
    settings.window = {.width = options.size->first, .height = options.size->second, .maximised = false};
  return settings;
}

/// The file that holds the layout of the docked panels; "" if there is no folder for settings.
std::string layout_file() {
  const auto folder = settings_folder();
  if (folder.empty()) return {};
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  return (folder / "layout.ini").string();
}

void restore_views(SceneSet& scenes, const Settings& settings, LogBook& log) {
  for (const SceneType& type : scene_types()) {
    const auto kept = settings.views.find(std::string(type.name));
    if (kept == settings.views.end()) continue;
    try {
      scenes.restore(type, kept->second);
    } catch (const Error& error) {
      log.warning("remembered view settings were left out: " + std::string(error.what()));
    }
  }
}

/// Collects what the next session starts with. Calls choose_algorithm() for every algorithm to read its parameters.
void remember(Settings& settings, Workspace& workspace, Window& window, const Platform& platform) {
  settings.window = platform.window_state();
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
}

int view(const ViewCommand& options) {
  const DisplayOptions& display = options.display;
  Workspace workspace;
  Settings settings = first_settings(options, workspace.log);
  restore_work(workspace, settings);
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
  Window window(*platform, shaders, workspace, live, machine_facts(platform->context(), route), settings.look,
                layout_file());
  window.files().set_folder(settings.folder);

  restore_views(window.scenes(), settings, workspace.log);

  run_frames(*platform, shaders, workspace, live, window);
  window.scenes().finish_edits(workspace);

  remember(settings, workspace, window, *platform);
  save_settings(settings, workspace.log);
  return static_cast<int>(ExitCode::done);
}

}  // namespace

CommandAction set_up_view(CLI::App& app) {
  const auto options = std::make_shared<ViewCommand>();
  app.add_option("picture", options->display.input, "Shown at first")->type_name("PICTURE");
  app.add_option("--algorithm", options->display.run.algorithm, "Chosen at first")->type_name("NAME");
  add_parsed(app, "--size", "Of the window", [options](const std::string& text) {
    options->size = parse_size(text);
  })->type_name("WxH");
  add_display_options(app, options->display);
  return [options] { return view(*options); };
}

}  // namespace threadscape::app
