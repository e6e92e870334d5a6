#pragma once
// What a window does so that a crash costs at most a minute of work and never makes the next start impossible.

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "app/session/session_guard.h"
#include "app/shell/settings.h"

namespace threadscape::app {

/// The parts of a running window whose state is kept.
struct RunningWindow {
  Platform& platform;
  Workspace& workspace;
  LiveView& live;
  Window& window;
};

/// What the next session starts with if this one ends now. Reading changes nothing.
[[nodiscard]] Settings current_settings(const RunningWindow& running);

/// Restores the settings of the scenes. Those that no longer fit are left out, and the log says so.
void restore_views(SceneSet& scenes, const Settings& settings, LogBook& log);

/// Calls `frames`, which draws until the window is closed. If it throws, what the user has done is saved as at the end
/// of a session. Throws the same exception, or gl::ContextLost with a message that says so if the context was lost.
void save_if_frames_fail(const RunningWindow& running, const std::function<void()>& frames);

/// Guards one session of the window, from before the settings are read until they are saved.
class SessionRecovery {
 public:
  /// Time between two looks at the state.
  static constexpr std::chrono::seconds interval{60};

  /// Sets the settings aside if the last start failed, and tells the log about that and about a crash.
  SessionRecovery(const std::filesystem::path& folder, LogBook& log, std::chrono::milliseconds every = interval);

  /// Calls `f`, which works with the settings. If it throws before the window works, the settings are set aside at the
  /// next start.
  void guarded(const std::function<void()>& f);
  /// Asks in the window whether to go on with a session that was left, if there is one, and does that. This object has
  /// to exist while the window is drawn.
  void offer(const RunningWindow& running);
  /// Called after every frame: notices that the window works, and keeps the state of the session if it has changed and
  /// `every` has passed since the last look.
  void after_frame(const RunningWindow& running);

 private:
  using Clock = std::chrono::steady_clock;

  /// Starts with the state that was left.
  void restore(const RunningWindow& running) const;
  void keep(const RunningWindow& running);

  StartGuard start_;
  std::optional<std::filesystem::path> left_;    ///< State of a session that was not closed.
  std::optional<std::filesystem::path> report_;  ///< Report of a crash since the last start.
  SessionKeeper keeper_;
  std::chrono::milliseconds every_;
  Clock::time_point begin_ = Clock::now(), looked_ = begin_;
  int frames_ = 0;
  bool works_ = false;           ///< The window has drawn the first result.
  bool keeping_failed_ = false;  ///< The log has been told that the state cannot be kept.
};

}  // namespace threadscape::app
