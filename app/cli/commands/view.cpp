#include "app/cli/commands/view.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/option_values.h"
#include "app/cli/scene_options.h"
#include "app/cli/shared_options.h"
#include "app/lab/lab_tab.h"
#include "app/lesson/lesson.h"
#include "app/live/live_view.h"
#include "app/measure/report_text.h"
#include "app/platform/free_memory.h"
#include "app/platform/quit_signals.h"
#include "app/platform/window_socket.h"
#include "app/report/environment.h"
#include "app/session/crash_report.h"
#include "app/session/moving_file.h"
#include "app/session/session_file.h"
#include "app/session/sketch_file.h"
#include "app/session/user_folders.h"
#include "app/shell/frame_loop.h"
#include "app/shell/session_recovery.h"
#include "app/shell/window.h"
#include "compute/core/timings.h"
#include "compute/gpu/device.h"
#include "compute/io/file_writer.h"
#include "compute/io/pictures/image_file.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

struct ViewCommand {
  DisplayOptions display;  ///< Its input is the first of the pictures.
  std::vector<std::filesystem::path> pictures;
  std::filesystem::path sketch;  ///< The sketch to edit; "" for none.
  std::filesystem::path lesson;  ///< The folder of the lesson to open; "" for none.
  SceneOptions scene;
  /// Size of the window in screen coordinates; unset = its size in the last session.
  std::optional<std::pair<int, int>> size;
  std::string times;  ///< File for the times of results; "" for none.
  FindDevices find_devices = gpu::devices;
};

/// Files of fewer bytes are read before the first frame, which shows them; larger ones while the window shows how far
/// that is.
constexpr std::uintmax_t bytes_read_at_once = 2'000'000;

/// Opens the files that the window shows at first.
class FirstFiles {
 public:
  FirstFiles(Workspace& workspace, FileTasks& tasks) : workspace_(workspace), tasks_(tasks) {}

  /// Opens a file. A small one that cannot be read ends the program; the window says so of a large one, as of any file
  /// that is opened in it. `opened` is called when the file is open.
  void open(FileToOpen file, const std::function<void()>& opened = {}) {
    std::error_code unknown;  // Pipes, folders and patterns of names have no size, and are read at once.
    const std::uintmax_t bytes = std::filesystem::file_size(file.path, unknown);
    if (unknown || bytes < bytes_read_at_once) {
      workspace_.take_opened(file, file.read());
      if (opened) opened();
      return;
    }
    opens_image_ = opens_image_ || file.as.kind == Kind::image;
    tasks_.open(std::move(file), [opened](const std::string& trouble) {
      if (trouble.empty() && opened) opened();
    });
  }
  /// Opens a file whose errors do not end the program. Returns false and logs the error if it is read at once and
  /// cannot be.
  bool try_open(FileToOpen file) {
    try {
      open(std::move(file));
    } catch (const Error& error) {
      workspace_.log.error(error.what());
      return false;
    }
    return true;
  }
  /// Returns whether a picture is open or on its way.
  [[nodiscard]] bool has_picture() const { return opens_image_ || workspace_.picture() != nullptr; }

 private:
  Workspace& workspace_;
  FileTasks& tasks_;
  bool opens_image_ = false;
};

/// Opens the input of the command line. If no picture is open after that, opens the picture of the last session or a
/// sample.
void open_first_data(Workspace& workspace, FirstFiles& files, const DisplayOptions& options, const Settings& settings) {
  const io::LoadOptions& limits = options.load;
  // The input of the command line is read as the kind of data that the algorithm takes. Errors with the picture of the
  // last session or the sample are not fatal.
  if (!options.input.empty())
    files.open(workspace.file_to_open(options.input, limits), [&workspace, run = options.run] {
      // Parameters on the command line take precedence over those that the file states.
      const bool own = !run.sets.empty() || !run.preset.empty();
      if (const auto source = workspace.source(); own && source)
        workspace.set_parameters(make_params(workspace.algorithm(), run, source->picture.settings));
    });
  if (files.has_picture()) return;
  const auto picture = [&](const std::filesystem::path& path) {
    FileToOpen file = workspace.file_to_restore(path, Kind::image);
    file.options = limits;
    return files.try_open(std::move(file));
  };
  if (!settings.picture.empty() && can_be_opened(settings.picture) && picture(settings.picture)) return;
  const auto samples = sample_pictures();
  const auto cat = std::ranges::find_if(samples, [](const auto& path) { return path.stem() == "chelsea"; });
  if (cat != samples.end()) picture(*cat);
}

/// Opens the files of a session file. Those that are missing or cannot be read are left out, and the log says so.
void open_session_data(Workspace& workspace, FirstFiles& files, const Session& session, const io::LoadOptions& limits) {
  for (const auto& [kind, path] : existing_inputs(session, workspace.log)) {
    FileToOpen file = workspace.file_to_restore(path, kind);
    const io::VolumeReading reading = file.options.volume;
    file.options = limits;
    if (limits.volume == io::VolumeReading{}) file.options.volume = reading;
    files.try_open(std::move(file));
  }
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

/// One line about the GPU that CUDA uses, or the reason why it uses none.
std::string cuda_facts(gpu::Device& device) {
  return device.available() ? "CUDA " + cuda_version_text(gpu::devices().driver_version) + " on " + device.info().name
                            : "no CUDA: " + device.obstacle();
}

/// When results appeared on the screen, for `--times`.
class ResultTimes {
 public:
  void after_frame(std::uint64_t output_version) {
    const auto now = std::chrono::steady_clock::now();
    if (!at_.empty()) ++frames_;
    if (std::exchange(version_, output_version) == output_version) return;
    if (at_.empty()) first_cpu_ = std::clock();
    at_.push_back(now);
    last_cpu_ = std::clock();
    frames_until_last_ = frames_;
  }
  /// Writes what happened between the first and the last result.
  void save(const std::string& path) const {
    std::vector<double> intervals;
    for (std::size_t i = 1; i < at_.size(); ++i)
      intervals.push_back(std::chrono::duration<double, std::milli>(at_[i] - at_[i - 1]).count());
    const auto count = static_cast<double>(intervals.size());
    const double seconds = at_.empty() ? 0.0 : std::chrono::duration<double>(at_.back() - at_.front()).count();
    const double cpu = static_cast<double>(last_cpu_ - first_cpu_) / CLOCKS_PER_SEC;
    nlohmann::json root{{"results", intervals.size()}, {"frames", frames_until_last_}, {"seconds", seconds}};
    if (!intervals.empty()) {
      root["results_per_second"] = count / seconds;
      root["cpu_ms_per_result"] = 1000.0 * cpu / count;
      root["median_interval_ms"] = summarize(intervals).median;
      root["intervals_ms"] = intervals;
    }
    io::save_bytes(path, report_text(root));
  }

 private:
  std::uint64_t version_ = 0;
  std::vector<std::chrono::steady_clock::time_point> at_;
  std::clock_t first_cpu_ = 0, last_cpu_ = 0;
  std::uint64_t frames_ = 0, frames_until_last_ = 0;
};

/// Shows the window until it is closed, and saves the settings. Returns the signal that has ended it, 0 if none has.
int show_window(const ViewCommand& options) {
  share_one_heap();
  const QuitSignals signals;
  DisplayOptions display = options.display;
  std::optional<Session> session;
  if (is_session_path(display.input)) {
    session = load_session(display.input);
    add_session(display, *session);
    display.input.clear();
  }
  Workspace workspace;
  SessionRecovery recovery(settings_folder(), workspace.log);
  const Settings settings = first_settings(options, workspace.log);
  workspace.allow_outside = display.load.allow_outside;
  workspace.volume_reading = display.load.volume;
  recovery.guarded([&] { restore_work(workspace, settings); });
  if (session) {
    apply_session(workspace, *session);
    display.run.session_params = workspace.params_of(*session->algorithm);  // Without files that are gone.
  }
  choose_work(workspace, display.run);
  // Wrong names are refused before the window opens.
  const std::optional<SessionView> stated =
      options.scene.empty() ? std::nullopt : std::optional(stated_view(options.scene, workspace.algorithm()));

  const std::unique_ptr<Platform> platform = make_window({.state = settings.window, .fits_screen = !options.size});
  platform->context().set_message_sink([&workspace](gl::Severity severity, std::string_view text) {
    if (severity == gl::Severity::error) workspace.log.error("OpenGL: " + std::string(text));
  });
  // Results are drawn from where they are computed, unless the user wants another device.
  workspace.choose_from(options.find_devices());
  if (display.run.device == nullptr) workspace.choose_device(interop::device_for_display(options.find_devices()));
  const interop::RouteReport route = interop::probe_route(platform->context(), workspace.device(), display.route);
  workspace.log.detail("OpenGL " + platform->context().version() + " on " + platform->context().renderer());
  set_crash_facts("OpenGL " + platform->context().version() + " on " + platform->context().renderer() + "\n" +
                  cuda_facts(workspace.device()));
  workspace.log.detail("route " + std::string(interop::name_of(route.cuda_route)) + ": " + route.reason);

  gl::ShaderLibrary shaders(gl::ShaderLibrary::source_folder());
  LiveView live(route, [&platform] { platform->wake(); });
  FirstFiles files(workspace, live.files());
  if (session) open_session_data(workspace, files, *session, display.load);
  open_first_data(workspace, files, display, settings);
  Window window(*platform, shaders, workspace, live, machine_facts(platform->context(), route), settings.look,
                layout_file());
  window.add_panel(LabTab::type, std::make_unique<LabTab>([&platform] { platform->wake(); }, lab_machine()));
  window.marks() = settings.marks;
  window.files().set_folder(settings.folder);
  window.files().want_desktop(settings.desktop_dialogs);
  window.files().use_desktop(platform->portal_name(), [&platform] { platform->wake(); });
  window.recent().restore(settings.recent);
  if (!display.input.empty()) window.recent().add(display.input);
  if (options.pictures.size() > 1) window.list().set(options.pictures);
  if (settings.parameters.empty()) window.welcome();  // There was no session before this one.

  WindowSocket socket([&platform] { platform->wake(); });
  workspace.log.detail(socket.trouble().empty() ? "arrays are shown that come to " + socket.path().string()
                                                : "no arrays of other programs are shown: " + socket.trouble());
  const RunningWindow running{*platform, workspace, live, window};
  recovery.offer(running);
  ResultTimes times;
  recovery.guarded([&] {
    restore_views(window.scenes(), settings, workspace.log);
    if (session) window.apply_view(session->view);
    if (stated) window.apply_view(*stated);
    if (const std::optional<KeptSketch>& kept = session ? session->sketch : settings.sketch; kept)
      window.sketch().restore(*kept);
    if (!options.sketch.empty()) window.open(options.sketch);
    if (!options.lesson.empty()) window.open_lesson(options.lesson);
    save_if_frames_fail(running, [&] {
      run_frames(*platform, shaders, workspace, live, window, signals, [&] {
        times.after_frame(live.output_version());
        recovery.after_frame(running);
        for (const std::filesystem::path& path : socket.take())
          window.open(path);
      });
    });
  });
  window.scenes().finish_edits(workspace);
  if (!options.times.empty()) times.save(options.times);
  save_settings(current_settings(running), workspace.log);
  return signals.arrived();
}

/// Throws UsageError if a picture that does not exist has the name of an algorithm.
void expect_no_algorithm(const std::filesystem::path& picture) {
  const bool named = std::ranges::find(algorithms(), picture.string(), &AlgorithmInfo::name) != algorithms().end();
  if (named && !std::filesystem::exists(picture))
    throw UsageError("there is no picture '" + picture.string() +
                     "'; to open the window with the algorithm: --algorithm " + picture.string());
}

int view(const ViewCommand& options) {
  // The one who has sent the signal expects that it has ended the program.
  if (const int signal = show_window(options); signal != 0) std::raise(signal);
  return static_cast<int>(ExitCode::done);
}

}  // namespace

CommandAction set_up_view(CLI::App& app, FindDevices find_devices) {
  const auto options = std::make_shared<ViewCommand>();
  options->find_devices = find_devices;
  app.add_option(
         "picture", options->pictures,
         "Shown at first, or a session, NAME.threadscape.json; several are a list to switch through by Page Up "
         "and Down. A sketch, NAME.cu or NAME.cpp, is opened in the editor, and a lesson, a folder or a name, beside "
         "the picture")
      ->type_name("PICTURE");
  app.add_option("--algorithm", options->display.run.algorithm, "Chosen at first")->type_name("NAME");
  add_parsed(app, "--size", "Of the window", [options](const std::string& text) {
    options->size = parse_size(text);
  })->type_name("WxH");
  app.add_option("--times", options->times,
                 "Write when results appeared on the screen, and the CPU time of each, as JSON when the window closes")
      ->type_name("FILE");
  add_scene_options(app, options->scene, "listed by `threadscape render ALGORITHM --help`");
  add_display_options(app, find_devices, options->display);
  return [options] {
    std::erase_if(options->pictures, [&](const std::filesystem::path& path) {
      std::error_code error;
      if (is_lesson(path) || !std::filesystem::exists(path, error))
        if (std::filesystem::path lesson = named_lesson(path.string()); !lesson.empty()) {
          options->lesson = std::move(lesson);
          return true;
        }
      const bool is_sketch = names_sketch(path.string());
      if (is_sketch) options->sketch = path;
      return is_sketch;
    });
    if (!options->pictures.empty()) options->display.input = options->pictures.front();
    expect_no_algorithm(options->display.input);
    return view(*options);
  };
}

}  // namespace threadscape::app
