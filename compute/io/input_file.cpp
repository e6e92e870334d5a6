#include "compute/io/input_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "compute/core/errors.h"
#include "compute/core/machine.h"
#include "compute/io/standard_stream.h"

namespace threadscape::io {

namespace {

/// Why a file of this type is not read; empty for regular files and pipes.
std::string refusal_of(mode_t mode) {
  if (S_ISREG(mode) || S_ISFIFO(mode)) return {};
  if (S_ISDIR(mode)) return "it is a directory, a file is wanted";
  if (S_ISSOCK(mode)) return "it is a socket: files and pipes are read";
  return "it is a device: files and pipes are read";
}

}  // namespace

void cannot_read(const std::filesystem::path& path, const std::string& cause) {
  throw EnvironmentError("cannot read " + readable_name(path) + ": " + cause);
}

InputFile::InputFile(std::filesystem::path path, std::stop_token stop)
    : path_(std::move(path)), stop_(std::move(stop)) {
  const std::filesystem::path source = readable_path(path_, stop_);
  struct stat status {};
  // The type is asked for before the file is opened, because opening alone makes some devices act.
  if (stat(source.c_str(), &status) != 0) cannot_read(path_, std::strerror(errno));
  if (const std::string why = refusal_of(status.st_mode); !why.empty()) cannot_read(path_, why);
  file_ = open(source.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file_ < 0) cannot_read(path_, std::strerror(errno));
  const bool known = fstat(file_, &status) == 0;
  const std::string why = known ? refusal_of(status.st_mode) : std::strerror(errno);
  if (!why.empty()) {
    close(std::exchange(file_, -1));
    cannot_read(path_, why);
  }
  if (S_ISREG(status.st_mode)) size_ = status.st_size;
}

InputFile::~InputFile() {
  if (file_ >= 0) close(file_);
}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)),
      stop_(std::move(other.stop_)),
      file_(std::exchange(other.file_, -1)),
      size_(other.size_) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(stop_, other.stop_);
  std::swap(file_, other.file_);
  std::swap(size_, other.size_);
  return *this;
}

void InputFile::require_regular() const {
  if (!is_regular()) cannot_read(path_, "it is a pipe: write its data to a file first");
}

void InputFile::wait_for_data() const {
  constexpr std::chrono::milliseconds slice(50);
  const std::int64_t seconds = limit_of(Limit::silence);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  for (pollfd wanted{file_, POLLIN, 0}; poll(&wanted, 1, static_cast<int>(slice.count())) <= 0;) {
    if (stop_.stop_requested()) throw Cancelled();
    if (std::chrono::steady_clock::now() >= end)
      cannot_read(path_, "the pipe was silent for " + std::to_string(seconds) + " s; " + limit_text(Limit::silence));
  }
}

std::size_t InputFile::read(void* to, std::size_t bytes) {
  std::size_t done = 0;
  // The end of a named pipe that nobody has opened for writing yet is no end: poll() waits for the first writer.
  if (!is_regular()) wait_for_data();
  while (done < bytes) {
    if (stop_.stop_requested()) throw Cancelled();
    const std::size_t piece = std::min(bytes - done, std::size_t{16} << 20);
    const ssize_t got = ::read(file_, static_cast<char*>(to) + done, piece);
    if (got == 0) break;
    if (got > 0)
      done += static_cast<std::size_t>(got);
    else if (errno == EAGAIN || errno == EWOULDBLOCK)
      wait_for_data();
    else if (errno != EINTR)
      cannot_read(path_, std::strerror(errno));
  }
  return done;
}

bool InputFile::read_at(std::int64_t offset, void* to, std::size_t bytes) const {
  for (std::size_t done = 0; done < bytes;) {
    if (stop_.stop_requested()) throw Cancelled();
    const std::size_t piece = std::min(bytes - done, std::size_t{16} << 20);
    const ssize_t got =
        pread(file_, static_cast<char*>(to) + done, piece, static_cast<off_t>(offset) + static_cast<off_t>(done));
    if (got == 0) return false;
    if (got > 0)
      done += static_cast<std::size_t>(got);
    else if (errno != EINTR)
      cannot_read(path_, std::strerror(errno));
  }
  return true;
}

void InputFile::read_on(std::vector<std::byte>& content, std::int64_t total) {
  constexpr std::size_t first_piece = std::size_t{1} << 20;
  while (std::cmp_less(content.size(), total)) {
    const std::size_t used = content.size(), missing = static_cast<std::size_t>(total) - used;
    // The length of a regular file is known, one byte more finds its end. A pipe's memory doubles.
    const std::size_t expected =
        is_regular()
            ? static_cast<std::size_t>(std::max<std::int64_t>(size_ - static_cast<std::int64_t>(used), 4095)) + 1
            : std::max(used, first_piece);
    const std::size_t piece = std::min(missing, expected);
    if (const auto free = free_host_bytes_below(piece))
      cannot_read(path_, "its " + std::to_string(used + piece) + " bytes do not fit into memory, " +
                             std::to_string(*free) + " are free");
    content.resize(used + piece);
    const std::size_t got = read(content.data() + used, piece);
    content.resize(used + got);
    if (got < piece) return;
  }
}

void InputFile::read_rest(std::vector<std::byte>& content, Limit limit) {
  const std::int64_t most = limit_of(limit);
  if (size_ <= most) read_on(content, most + 1);
  if (size_ > most || std::cmp_greater(content.size(), most))
    cannot_read(path_, "it is too long; " + limit_text(limit));
}

std::vector<std::byte> load_bytes(const std::filesystem::path& path, Limit limit, const std::stop_token& stop) {
  std::vector<std::byte> content;
  InputFile(path, stop).read_rest(content, limit);
  return content;
}

}  // namespace threadscape::io
