#pragma once
// Files beside the settings by which a window recovers from its own failures: a start that failed because of the
// settings, and a session that ended without being closed.

#include <filesystem>
#include <optional>
#include <string>

namespace threadscape::app {

/// A file that this process holds a lock on. The system drops the lock when the process ends, however it ends.
class LockedFile {
 public:
  LockedFile() = default;
  /// Opens or creates the file and locks it. Holds nothing if that is not possible, for example because another process
  /// has the lock.
  explicit LockedFile(const std::filesystem::path& path);
  ~LockedFile();
  LockedFile(LockedFile&& other) noexcept;
  LockedFile& operator=(LockedFile&& other) noexcept;
  [[nodiscard]] bool held() const { return file_ >= 0; }
  /// Returns true if the file was there before it was opened.
  [[nodiscard]] bool existed() const { return existed_; }
  /// Removes the file and drops the lock.
  void remove();

 private:
  std::filesystem::path path_;
  int file_ = -1;
  bool existed_ = false;
};

/// Notices that the last start did not get as far as a working window. The file `starting` exists while a start is in
/// progress. If it exists and no process holds it, that start has crashed or was killed.
class StartGuard {
 public:
  /// Begins a start. With an empty folder, or while another window starts, it guards nothing.
  explicit StartGuard(const std::filesystem::path& folder);
  /// Ends the start without blaming the settings, unless blame_settings() was called.
  ~StartGuard();
  StartGuard(const StartGuard&) = delete;
  StartGuard& operator=(const StartGuard&) = delete;

  /// Returns true if the last start failed.
  [[nodiscard]] bool last_failed() const { return last_failed_; }
  /// Says that the window works with its settings. Later calls do nothing.
  void succeeded();
  /// Says that the settings have ended this start: the next one reports last_failed().
  void blame_settings() { blamed_ = true; }

 private:
  LockedFile marker_;
  bool last_failed_ = false, blamed_ = false;
};

/// Renames `<folder>/settings.json` to `settings-set-aside.json` and does the same for `layout.ini`, so that a start
/// begins with the defaults. Returns the new path of the settings; nothing if there were none or they cannot be
/// renamed.
std::optional<std::filesystem::path> set_settings_aside(const std::filesystem::path& folder);

/// Keeps the state of this session in `<folder>/session-<process>.json` until the session is closed.
class SessionKeeper {
 public:
  explicit SessionKeeper(std::filesystem::path folder);
  /// Closes the session: what was kept is removed.
  ~SessionKeeper();
  SessionKeeper(const SessionKeeper&) = delete;
  SessionKeeper& operator=(const SessionKeeper&) = delete;

  /// Writes the state if it differs from what was written last. Returns true if the file was written. Throws
  /// EnvironmentError, and a later call tries again.
  bool keep(const std::string& state);

 private:
  std::filesystem::path folder_, file_;
  LockedFile lock_;
  std::string kept_;
};

/// Looks for sessions that ended without being closed. Returns the file of the latest, which from then on is
/// `<folder>/session-left.json` and stays until the caller removes it; those before it are removed, and so are the
/// locks of all. To be called before this process has a SessionKeeper.
[[nodiscard]] std::optional<std::filesystem::path> find_left_session(const std::filesystem::path& folder);

}  // namespace threadscape::app
