#include "app/session/session_guard.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "compute/io/file_writer.h"
#include "compute/io/folder_reader.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* left_name = "session-left.json";

fs::path lock_of(const fs::path& session) {
  fs::path lock = session;
  return lock.replace_extension(".lock");
}

}  // namespace

LockedFile::LockedFile(const fs::path& path) : path_(path) {
  constexpr int flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC;
  const auto is_named = [&] {
    struct stat opened = {}, named = {};
    return fstat(file_, &opened) == 0 && lstat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
  };
  // Another program may remove or create the file between two of these calls. Then the next turn sees what it left.
  for (int turn = 0; turn < 16; ++turn) {
    file_ = open(path.c_str(), flags);
    existed_ = file_ >= 0;
    if (file_ < 0 && errno == ENOENT) file_ = open(path.c_str(), flags | O_CREAT | O_EXCL, 0600);
    if (file_ < 0 && errno == EEXIST) continue;
    if (file_ < 0) return;
    const bool locked = flock(file_, LOCK_EX | LOCK_NB) == 0;
    if (locked && is_named()) return;
    close(std::exchange(file_, -1));
    if (!locked) return;
  }
}

LockedFile::~LockedFile() {
  if (file_ >= 0) close(file_);
}

LockedFile::LockedFile(LockedFile&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)), existed_(other.existed_) {}

LockedFile& LockedFile::operator=(LockedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  std::swap(existed_, other.existed_);
  return *this;
}

void LockedFile::remove() {
  if (file_ < 0) return;
  unlink(path_.c_str());  // before the lock is dropped, so that nobody finds the file without its lock
  close(std::exchange(file_, -1));
}

StartGuard::StartGuard(const fs::path& folder) {
  if (folder.empty()) return;
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  marker_ = LockedFile(folder / "starting");
  last_failed_ = marker_.held() && marker_.existed();
}

StartGuard::~StartGuard() {
  if (!blamed_) marker_.remove();
}

void StartGuard::succeeded() {
  marker_.remove();
}

std::optional<fs::path> set_settings_aside(const fs::path& folder) {
  std::error_code error;
  fs::rename(folder / "layout.ini", folder / "layout-set-aside.ini", error);
  const fs::path aside = folder / "settings-set-aside.json";
  fs::rename(folder / "settings.json", aside, error);
  return error ? std::nullopt : std::optional(aside);
}

SessionKeeper::SessionKeeper(fs::path folder) : folder_(std::move(folder)) {
  if (folder_.empty()) return;
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
  file_ = folder_ / ("session-" + std::to_string(getpid()) + ".json");
  lock_ = LockedFile(lock_of(file_));
}

SessionKeeper::~SessionKeeper() {
  std::error_code ignored;
  if (lock_.held()) fs::remove(file_, ignored);
  lock_.remove();
}

bool SessionKeeper::keep(const std::string& state) {
  if (!lock_.held() || state == kept_) return false;
  io::save_bytes(file_, state);
  kept_ = state;
  return true;
}

std::optional<fs::path> find_left_session(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> left;
  std::error_code error;
  for (io::FolderReader reader(folder); const auto entry = reader.next();) {
    const fs::path& path = *entry;
    const std::string name = path.filename().string();
    if (!name.starts_with("session-")) continue;
    // A session that was killed before it kept anything leaves its lock alone.
    if (name.ends_with(".lock")) LockedFile(path).remove();
    if (!name.ends_with(".json")) continue;
    if (name != left_name) {
      LockedFile lock(lock_of(path));
      if (!lock.held()) continue;  // The session is still open.
      lock.remove();
    }
    std::error_code unknown;
    left.emplace_back(fs::last_write_time(path, unknown), path);
  }
  if (left.empty()) return {};
  std::ranges::sort(left);
  const fs::path latest = left.back().second, kept = folder / left_name;
  left.pop_back();
  for (const auto& [time, path] : left)
    fs::remove(path, error);
  fs::rename(latest, kept, error);
  return error ? std::nullopt : std::optional(kept);
}

}  // namespace threadscape::app
