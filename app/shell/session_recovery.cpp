#include "app/shell/session_recovery.h"

#include <array>
#include <ctime>

#include "app/session/crash_report.h"
#include "app/session/moving_file.h"
#include "compute/registry/registry.h"
#include "compute/sketch/sketch_algorithm.h"
#include "render/gl/context_lost.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

/// Frames that have to be drawn before a start counts as successful, and the time after which it does although the
/// first result is not there yet.
constexpr int needed_frames = 3;
constexpr std::chrono::seconds long_enough{10};

std::string time_text(const fs::path& file) {
  std::error_code unknown;
  const auto written = std::chrono::file_clock::to_sys(fs::last_write_time(file, unknown));
  if (unknown) return "before";
  const std::time_t seconds =
      std::chrono::system_clock::to_time_t(std::chrono::time_point_cast<std::chrono::seconds>(written));
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 64> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d, %H:%M:%S", &local);
  return text.data();
}

}  // namespace

Settings current_settings(const RunningWindow& running) {
  Settings settings;
  settings.window = running.platform.window_state();
  settings.look = running.window.look();
  settings.marks = running.window.marks();
  settings.backend = name_of(running.workspace.work().backend);
  settings.threads = running.workspace.work().threads;
  if (const auto picture = running.workspace.picture(); picture && !picture->path.empty())
    settings.picture = absolute_name(picture->path).string();
  settings.folder = running.window.files().folder().string();
  settings.desktop_dialogs = running.window.files().wants_desktop();
  settings.recent = running.window.recent().texts();
  settings.algorithm = running.workspace.algorithm().name;
  settings.sketch = running.window.sketch().kept(running.workspace);
  for (const AlgorithmInfo& algorithm : algorithms())
    if (!sketch::sketch_of(algorithm))
      settings.parameters[std::string(algorithm.name)] = to_json(running.workspace.params_of(algorithm));
  const StepList& steps = running.workspace.steps();
  if (!steps.empty()) {
    settings.steps = steps_to_json(steps.steps());
    settings.step = static_cast<int>(steps.chosen());
  }
  for (const SceneType& type : scene_types())
    if (std::string kept = running.window.scenes().settings_of(type); !kept.empty())
      settings.views[std::string(type.name)] = std::move(kept);
  return settings;
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

void save_if_frames_fail(const RunningWindow& running, const std::function<void()>& frames) {
  try {
    frames();
  } catch (const std::exception&) {
    LogBook log;
    running.window.scenes().finish_edits(running.workspace);
    save_settings(current_settings(running), log);
    const auto entries = log.entries();
    try {
      gl::require_context();
    } catch (const gl::ContextLost& lost) {
      const std::string saved = "the session was saved: start the program again to go on with it";
      throw gl::ContextLost(std::string(lost.what()) + "; " + (entries.empty() ? saved : entries.front().text));
    }
    throw;
  }
}

SessionRecovery::SessionRecovery(const fs::path& folder, LogBook& log, std::chrono::milliseconds every)
    : start_(folder),
      left_(find_left_session(folder)),
      report_(new_crash_report(folder)),
      keeper_(folder),
      every_(every) {
  if (report_) log.warning("the program has crashed: what developers need to know is in '" + report_->string() + "'");
  if (!start_.last_failed()) return;
  if (const auto aside = set_settings_aside(folder))
    log.warning("The last start failed, so this one uses default settings; yours are kept in '" + aside->string() +
                "'");
}

void SessionRecovery::guarded(const std::function<void()>& f) {
  try {
    f();
  } catch (...) {
    if (!works_) start_.blame_settings();
    throw;
  }
}

void SessionRecovery::offer(const RunningWindow& running) {
  if (!left_) return;
  std::string text =
      "The last session ended without being closed. Its parameters and views of " + time_text(*left_) + " were kept.";
  if (report_) text += "\n\nThe program had crashed. What developers need to know is in '" + report_->string() + "'.";
  running.window.recovery().ask(std::move(text), [this, running](bool go_on) {
    if (go_on) restore(running);
    std::error_code ignored;
    fs::remove(*left_, ignored);
  });
}

void SessionRecovery::after_frame(const RunningWindow& running) {
  const Clock::time_point now = Clock::now();
  ++frames_;
  if (!works_ && frames_ >= needed_frames && (running.live.settled(running.workspace) || now - begin_ > long_enough)) {
    works_ = true;
    start_.succeeded();
  }
  if (now - looked_ < every_) return;
  looked_ = now;
  keep(running);
}

void SessionRecovery::restore(const RunningWindow& running) const {
  Workspace& workspace = running.workspace;
  const Settings settings = load_settings(*left_, workspace.log);
  restore_work(workspace, settings);
  restore_views(running.window.scenes(), settings, workspace.log);
  if (settings.sketch) running.window.sketch().restore(*settings.sketch);
  const auto shown = workspace.picture();
  if (!settings.picture.empty() && (!shown || absolute_name(shown->path) != settings.picture))
    running.live.files().open(workspace.file_to_restore(settings.picture, Kind::image));
}

void SessionRecovery::keep(const RunningWindow& running) {
  try {
    keeper_.keep(settings_text(current_settings(running)));
    keeping_failed_ = false;
  } catch (const std::exception& error) {
    if (!std::exchange(keeping_failed_, true))
      running.workspace.log.warning("the session cannot be saved for recovery after a crash: " +
                                    std::string(error.what()));
  }
}

}  // namespace threadscape::app
