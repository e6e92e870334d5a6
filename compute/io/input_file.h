#pragma once
// Files that are read a piece at a time. What is read is decided by the header, never by where a file ends: pipes and
// devices need not end at all.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "compute/io/limits.h"

namespace threadscape::io {

/// Throws EnvironmentError: "cannot read 'PATH': CAUSE".
[[noreturn]] void cannot_read(const std::filesystem::path& path, const std::string& cause);

/// A regular file or a pipe, opened for reading. Opening never waits, not even for the writer of a named pipe. All
/// errors are EnvironmentError with the path and the cause; requests to stop are Cancelled.
class InputFile {
 public:
  /// Refuses folders, devices and sockets. `stop` ends the wait for the data of a pipe.
  explicit InputFile(std::filesystem::path path, std::stop_token stop = {});
  ~InputFile();
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  [[nodiscard]] bool is_regular() const { return size_ >= 0; }
  /// The length in bytes; negative for a pipe.
  [[nodiscard]] std::int64_t size() const { return size_; }
  /// Throws if the file is a pipe, which can be read only once and from its beginning.
  void require_regular() const;

  /// Reads the next bytes, up to this number or the end of the file, and returns how many these are. Waits for a pipe
  /// that is silent no longer than Limit::silence.
  [[nodiscard]] std::size_t read(void* to, std::size_t bytes);
  /// Reads these bytes of a regular file; false where it ends before them.
  [[nodiscard]] bool read_at(std::int64_t offset, void* to, std::size_t bytes) const;
  /// Appends bytes until `content` has `total` or the file ends. Memory grows with what really arrives.
  void read_on(std::vector<std::byte>& content, std::int64_t total);
  /// Appends what is left of the file, of which `content` is what was read so far. Throws if all of it has more bytes
  /// than the limit.
  void read_rest(std::vector<std::byte>& content, Limit limit);

 private:
  void wait_for_data() const;

  std::filesystem::path path_;
  std::stop_token stop_;
  int file_ = -1;
  std::int64_t size_ = -1;
};

/// Reads a whole file. Throws EnvironmentError with the path and the cause (missing, a folder, a device, more bytes
/// than the limit).
[[nodiscard]] std::vector<std::byte> load_bytes(const std::filesystem::path& path, Limit limit,
                                                const std::stop_token& stop = {});

}  // namespace threadscape::io
