#include "compute/io/file_writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/errors.h"
#include "compute/io/descriptor.h"
#include "compute/io/folder_reader.h"
#include "compute/io/outside.h"
#include "compute/io/standard_stream.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

std::string quoted(const fs::path& path) {
  return "'" + path.string() + "'";
}

/// Returns whether the path names something that is written in place: a device or a pipe.
bool is_special(const fs::path& target) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

constexpr std::string_view infix = ".threadscape-";
constexpr int digits = 16;

/// A name for a temporary file beside this target that nobody can guess. It is short, because that of the target may be
/// as long as a name can be.
fs::path temporary_name(const fs::path& target) {
  std::random_device random;
  char number[digits + 1];
  std::snprintf(number, sizeof number, "%08x%08x", random(), random());
  return folder_of(target) / (std::string(infix) + number);
}

bool is_temporary_name(const std::string& name) {
  const std::size_t at = name.rfind(infix);
  if (at == std::string::npos || name.size() != at + infix.size() + digits) return false;
  return name.find_first_not_of("0123456789abcdef", at + infix.size()) == std::string::npos;
}

/// Removes temporary files that nobody writes any more: those that are an hour old and not locked.
void remove_stale_files(const fs::path& folder) {
  for (FolderReader reader(folder); const auto path = reader.next();) {
    if (!is_temporary_name(path->filename().string())) continue;
    std::error_code unknown;
    const auto age = fs::file_time_type::clock::now() - fs::last_write_time(*path, unknown);
    if (unknown || age < std::chrono::hours(1)) continue;
    const int file = open(path->c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) continue;
    if (flock(file, LOCK_EX | LOCK_NB) == 0) unlink(path->c_str());
    close(file);
  }
}

/// Copies the extended attributes, access lists among them, as far as the system allows.
void copy_attributes(const fs::path& from, int to) {
  const ssize_t bytes = listxattr(from.c_str(), nullptr, 0);
  if (bytes <= 0) return;
  std::string names(static_cast<std::size_t>(bytes), '\0');
  const ssize_t got = listxattr(from.c_str(), names.data(), names.size());
  for (std::size_t at = 0; got > 0 && at < static_cast<std::size_t>(got); at = names.find('\0', at) + 1) {
    const char* const name = names.c_str() + at;
    std::vector<char> value(1 << 16);  // the kernel's limit
    const ssize_t size = getxattr(from.c_str(), name, value.data(), value.size());
    if (size >= 0) (void)fsetxattr(to, name, value.data(), static_cast<std::size_t>(size), 0);
  }
}

/// Gives the file the owner, the mode and the attributes of the one that it will replace.
void take_over(int file, const fs::path& old) {
  struct stat status {};
  if (stat(old.c_str(), &status) != 0) return;
  mode_t mode = status.st_mode & 07777;
  if (fchown(file, status.st_uid, status.st_gid) != 0 && fchown(file, static_cast<uid_t>(-1), status.st_gid) != 0)
    mode &= 0777;  // A program must not run as another user or group than before.
  (void)fchmod(file, mode);
  copy_attributes(old, file);
}

/// The names of the temporary files of this process, which remove_temporaries() takes out at any time.
std::array<std::atomic<char*>, 64> temporaries{};
std::mutex temporaries_mutex;  ///< Protects the names from being freed while they are compared.

void remember_temporary(const fs::path& temporary) {
  char* const name = strdup(temporary.c_str());
  for (std::atomic<char*>& place : temporaries) {
    char* none = nullptr;
    if (name != nullptr && place.compare_exchange_strong(none, name)) return;
  }
  std::free(name);  // One more than there are places is left to the first writer of a later program.
}

/// To be called for a file that has another name now, or none.
void forget_temporary(const fs::path& temporary) noexcept {
  const std::lock_guard lock(temporaries_mutex);
  for (std::atomic<char*>& place : temporaries) {
    char* name = place;
    if (name == nullptr || temporary.native() != name || !place.compare_exchange_strong(name, nullptr)) continue;
    std::free(name);
    return;
  }
}

std::atomic<bool> syncs = true;

/// Does for an open file what has to be done before it takes the place of another one. Returns 0 or the error number.
int complete_file(int file, const fs::path& target) {
  take_over(file, target);
  if (syncs) {
    // Some file systems cannot be asked to write a file to the disk.
    if (fsync(file) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP) return errno;
  } else if (const int copy = dup(file); copy >= 0 && close(copy) != 0) {
    return errno;  // File systems of a network report a full disk when a file is closed.
  }
  return 0;
}

/// Waits until the disk has the name of a file. Its folder may be one that is written, but not read.
void sync_folder(const fs::path& file) try {
  const Descriptor folder(syncs ? open(folder_of(file).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1);
  if (folder.get() >= 0) (void)fsync(folder.get());
} catch (const std::bad_alloc&) {
  // Nothing may fail any more once the file has its name.
}

thread_local FileGroup* group = nullptr;  ///< The innermost one that lives.

/// Calls remove_stale_files() once for each folder.
void remove_stale_files_once(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<fs::path> seen;
  const std::lock_guard lock(mutex);
  if (seen.insert(folder).second) remove_stale_files(folder);
}

/// The path by which the kernel names a file that is open.
std::string path_of_open(int file) {
  return "/proc/self/fd/" + std::to_string(file);
}

}  // namespace

void set_syncing(bool syncing) {
  syncs = syncing;
}

fs::path target_of(const fs::path& path) {
  constexpr int most_links = 40;
  fs::path target = path;
  std::error_code error;
  for (int i = 0; i < most_links && fs::is_symlink(target, error); ++i) {
    const fs::path next = fs::read_symlink(target, error);
    target = next.is_absolute() ? next : folder_of(target) / next;
  }
  const fs::path canonical = fs::weakly_canonical(target, error);
  return error ? path : canonical;
}

int replace_file(int file, const fs::path& temporary, const fs::path& target) {
  if (const int error = complete_file(file, target); error != 0) return error;
  if (::rename(temporary.c_str(), target.c_str()) != 0) return errno;
  forget_temporary(temporary);
  sync_folder(target);
  return 0;
}

void remove_temporary(const fs::path& temporary) noexcept {
  unlink(temporary.c_str());
  forget_temporary(temporary);
}

void remove_temporaries() noexcept {
  for (std::atomic<char*>& place : temporaries)
    if (const char* const name = place.exchange(nullptr); name != nullptr) unlink(name);
}

void require_writable(const fs::path& path) {
  if (path.empty()) throw UsageError("the output path is empty");
  if (is_standard_stream(path)) return;
  const fs::path target = target_of(path);
  std::error_code error;
  if (fs::is_directory(target, error)) throw EnvironmentError("cannot write " + quoted(path) + ": it is a directory");
  const fs::path parent = folder_of(target);
  if (!fs::is_directory(parent, error))
    throw EnvironmentError("cannot write " + quoted(path) + ": the folder " + quoted(parent) + " does not exist");
  // Renaming would replace a write-protected file, which is not what its owner asked for.
  const fs::path& decisive = fs::exists(target, error) ? target : parent;
  // AT_EACCESS: the effective user counts, as it does for open().
  const auto closed = [](const fs::path& where) { return faccessat(AT_FDCWD, where.c_str(), W_OK, AT_EACCESS) != 0; };
  if (closed(decisive) || (!is_special(target) && closed(parent)))
    throw EnvironmentError("cannot write " + quoted(path) + ": " + std::strerror(errno));
}

fs::path create_temporary(const fs::path& path) {
  require_writable(path);
  const fs::path target = target_of(path);
  remove_stale_files_once(folder_of(target));
  fs::path temporary;
  int file = -1;
  do {
    temporary = temporary_name(target);
    file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (file < 0 && errno == EEXIST);
  if (file < 0) throw EnvironmentError("cannot create " + quoted(path) + ": " + std::strerror(errno));
  remember_temporary(temporary);
  close(file);
  return temporary;
}

FileWriter::FileWriter(const fs::path& path) : path_(path), target_(target_of(path)) {
  require_writable(path);
  if (is_standard_stream(path)) {
    file_ = open_standard_output();
    return;
  }
  if (is_special(target_)) {
    file_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) fail("open", errno);
    return;
  }
  remove_stale_files_once(folder_of(target_));
  open_temporary();
}

void FileWriter::open_temporary() {
#ifdef O_TMPFILE
  file_ = open(folder_of(target_).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  // Without /proc the file could never be named.
  unnamed_ = file_ >= 0 && access(path_of_open(file_).c_str(), F_OK) == 0;
  if (unnamed_) return;
  if (file_ >= 0) close(std::exchange(file_, -1));
#endif
  do {
    temporary_ = temporary_name(target_);
    file_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (file_ < 0 && errno == EEXIST);
  if (file_ < 0) {
    const int error = errno;
    temporary_.clear();
    fail("create", error);
  }
  remember_temporary(temporary_);
  (void)flock(file_, LOCK_EX | LOCK_NB);  // the sign for others that it is being written
}

int FileWriter::name_file() {
  do {
    temporary_ = temporary_name(target_);
    if (linkat(AT_FDCWD, path_of_open(file_).c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      remember_temporary(temporary_);
      unnamed_ = false;
      return 0;
    }
  } while (errno == EEXIST);
  const int error = errno;
  temporary_.clear();
  return error;
}

FileWriter::~FileWriter() {
  if (file_ >= 0) close(file_);
  if (!temporary_.empty()) remove_temporary(temporary_);
}

void FileWriter::fail(const char* action, int error) const {
  throw EnvironmentError("cannot " + std::string(action) + " " +
                         (is_standard_stream(path_) ? "standard output" : quoted(path_)) + ": " + std::strerror(error));
}

void FileWriter::write(const void* data, std::size_t bytes) {
  const auto* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(file_, next, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", errno);
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

void FileWriter::rewrite(std::int64_t offset, const void* data, std::size_t bytes) {
  if (!is_temporary()) fail("change what was written to", ESPIPE);
  const auto* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::pwrite(file_, next, bytes, offset);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write", errno);
    next += written;
    offset += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

void FileWriter::commit() {
  // A link cannot replace a file, so the file gets a temporary name, which is renamed at once.
  if (unnamed_)
    if (const int error = name_file(); error != 0) fail("write", error);
  const bool replaces = !temporary_.empty();
  if (replaces) {
    const int error = group != nullptr ? complete_file(file_, target_) : replace_file(file_, temporary_, target_);
    if (error != 0) fail("write", error);
    if (group != nullptr) group->complete_.push_back({path_, temporary_, target_});
  }
  temporary_.clear();
  const int file = std::exchange(file_, -1);
  if (close(file) != 0 && !replaces) fail("write", errno);
}

void FileWriter::rename(const fs::path& name) {
  if (is_temporary()) target_.replace_filename(name.filename());
}

FileGroup::FileGroup() : outer_(std::exchange(group, this)) {}

FileGroup::~FileGroup() {
  group = outer_;
  for (const Complete& file : complete_)
    remove_temporary(file.temporary);
}

void FileGroup::commit() {
  if (outer_ != nullptr) {
    outer_->removed_.insert(outer_->removed_.end(), removed_.begin(), removed_.end());
    outer_->complete_.insert(outer_->complete_.end(), complete_.begin(), complete_.end());
    complete_.clear();
    return;
  }
  // Where the file system can, an old file takes the temporary name of the new one, so that it can come back.
  enum class Done : std::uint8_t { replaced, made, exchanged };
  std::vector<Done> done;
  done.reserve(complete_.size());
  const auto exchange = [](const Complete& file) {
    forget_temporary(file.temporary);  // An old file has this name next.
    return renameat2(AT_FDCWD, file.temporary.c_str(), AT_FDCWD, file.target.c_str(), RENAME_EXCHANGE) == 0;
  };
  for (const Complete& file : complete_) {
    const bool is_new = access(file.target.c_str(), F_OK) != 0;
    const bool may_come_back = !is_new && &file != &complete_.back();
    done.push_back(is_new ? Done::made : may_come_back && exchange(file) ? Done::exchanged : Done::replaced);
    if (done.back() == Done::exchanged || ::rename(file.temporary.c_str(), file.target.c_str()) == 0) continue;
    const int error = errno;
    for (std::size_t i = 0; i + 1 < done.size(); ++i)
      if (done[i] == Done::made)
        unlink(complete_[i].target.c_str());
      else if (done[i] == Done::exchanged)
        (void)exchange(complete_[i]);
    throw EnvironmentError("cannot write " + quoted(file.path) + ": " + std::strerror(error));
  }
  for (const Complete& file : complete_)
    sync_folder(file.target);
  for (const fs::path& file : removed_)
    unlink(file.c_str());
}

void save_bytes(const fs::path& path, std::string_view bytes) {
  FileWriter writer(path);
  writer.write(bytes);
  writer.commit();
}

}  // namespace threadscape::io
