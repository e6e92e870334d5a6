#include "compute/io/standard_stream.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/errors.h"
#include "compute/io/file_extension.h"
#include "compute/io/limits.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void cannot_read(int error) {
  throw EnvironmentError(std::string("cannot read standard input: ") + std::strerror(error));
}

void write_all(int file, const char* data, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t written = ::write(file, data, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) cannot_read(errno);
    data += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

/// Copies standard input into a file in memory, which stays open until the program ends. Returns its path.
fs::path copy_of_input(const std::stop_token& stop) {
  const int file = memfd_create("standard input", MFD_CLOEXEC);
  if (file < 0) cannot_read(errno);
  std::vector<char> part(std::size_t{1} << 20);
  for (std::int64_t total = 0;;) {
    constexpr int slice_ms = 50;
    const std::int64_t seconds = limit_of(Limit::silence);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    for (pollfd wanted{STDIN_FILENO, POLLIN, 0}; poll(&wanted, 1, slice_ms) <= 0;) {
      if (stop.stop_requested()) throw Cancelled();
      if (std::chrono::steady_clock::now() >= end)
        throw EnvironmentError("cannot read standard input: the pipe was silent for " + std::to_string(seconds) +
                               " s; " + limit_text(Limit::silence));
    }
    const ssize_t got = ::read(STDIN_FILENO, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read(errno);
    if (got == 0) break;
    total += got;
    if (total > limit_of(Limit::file_bytes))
      throw EnvironmentError("cannot read standard input: it is too long; " + limit_text(Limit::file_bytes));
    write_all(file, part.data(), static_cast<std::size_t>(got));
  }
  return "/proc/self/fd/" + std::to_string(file);
}

}  // namespace

fs::path stream_or_file(const std::string& word) {
  constexpr std::string_view end = ":-";
  if (word.size() <= end.size() || !word.ends_with(end)) return word;
  const std::string format = word.substr(0, word.size() - end.size());
  const bool is_word = std::ranges::all_of(format, [](unsigned char c) { return std::isalnum(c) != 0 || c == '.'; });
  fs::path stream = "-." + format;
  return is_word && is_standard_stream(stream) ? stream : fs::path(word);
}

bool is_standard_stream(const fs::path& path) {
  return !path.has_parent_path() && stem_of(path) == "-";
}

fs::path readable_path(const fs::path& path, const std::stop_token& stop) {
  if (!is_standard_stream(path)) return path;
  static const fs::path copy = copy_of_input(stop);
  return copy;
}

int open_standard_output() {
  const int file = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  if (file < 0) throw EnvironmentError(std::string("cannot write to standard output: ") + std::strerror(errno));
  return file;
}

void require_redirected_output() {
  if (isatty(STDOUT_FILENO) == 1)
    throw UsageError("standard output is a terminal: send it to a file or a program, for example `-o - | program`");
}

std::string readable_name(const fs::path& path) {
  return is_standard_stream(path) ? "standard input" : "'" + path.string() + "'";
}

}  // namespace threadscape::io
