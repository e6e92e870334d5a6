#include "compute/io/file_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "compute/core/errors.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

/// The path with symbolic links resolved; the path itself where there is no file yet.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(path, error);
  return error ? path : target;
}

std::string quoted(const fs::path& path) {
  return "'" + path.string() + "'";
}

/// Whether the path names something that is written in place: a device or a pipe.
bool is_special(const fs::path& target) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

}  // namespace

void require_writable(const fs::path& path) {
  if (path.empty()) throw UsageError("the output path is empty");
  const fs::path target = resolved(path);
  std::error_code error;
  if (fs::is_directory(target, error)) throw EnvironmentError("cannot write " + quoted(path) + ": it is a directory");
  const fs::path parent = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(parent, error))
    throw EnvironmentError("cannot write " + quoted(path) + ": the folder " + quoted(parent) + " does not exist");
  // Renaming would replace a write-protected file, which is not what its owner asked for.
  const fs::path& decisive = fs::exists(target, error) ? target : parent;
  // AT_EACCESS: the effective user counts, as it does for open().
  const auto closed = [](const fs::path& where) { return faccessat(AT_FDCWD, where.c_str(), W_OK, AT_EACCESS) != 0; };
  if (closed(decisive) || (!is_special(target) && closed(parent)))
    throw EnvironmentError("cannot write " + quoted(path) + ": " + std::strerror(errno));
}

FileWriter::FileWriter(const fs::path& path) : path_(path), target_(resolved(path)) {
  require_writable(path);
  if (is_special(target_)) {
    file_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) fail("open", errno);
    return;
  }
  static std::atomic<unsigned> counter{0};
  temporary_ = target_;
  temporary_ += ".tmp-" + std::to_string(getpid()) + "-" + std::to_string(counter++);
  file_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file_ < 0) {
    const int error = errno;
    temporary_.clear();
    fail("create", error);
  }
}

FileWriter::~FileWriter() {
  if (file_ >= 0) close(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void FileWriter::fail(const char* action, int error) const {
  throw EnvironmentError("cannot " + std::string(action) + " " + quoted(path_) + ": " + std::strerror(error));
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

void FileWriter::commit() {
  const int file = std::exchange(file_, -1);
  if (close(file) != 0) fail("write", errno);  // Network file systems report a full disk when a file is closed.
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), target_.c_str()) != 0) fail("write", errno);
  temporary_.clear();
}

void save_bytes(const fs::path& path, std::string_view bytes) {
  FileWriter writer(path);
  writer.write(bytes);
  writer.commit();
}

}  // namespace threadscape::io
