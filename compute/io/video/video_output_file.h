#pragma once
// The file that a video is written to, with room that is kept for its end.

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

#include "compute/core/errors.h"
#include "compute/io/file_writer.h"

namespace threadscape::io {

/// A temporary file beside the target, which can be written at any place. commit() gives it the name of the target; the
/// destructor removes it otherwise.
class VideoOutputFile {
 public:
  explicit VideoOutputFile(const std::filesystem::path& target) : target_(target), part_(create_temporary(target)) {
    file_ = ::open(part_.c_str(), O_RDWR | O_CLOEXEC);
    if (file_ >= 0) {
      (void)flock(file_, LOCK_EX | LOCK_NB);  // The sign for others that it is being written, whatever the clock says.
      return;
    }
    const int error = errno;
    remove();
    fail(error);
  }
  ~VideoOutputFile() {
    if (file_ >= 0) ::close(file_);
    if (!part_.empty()) remove();
  }
  VideoOutputFile(const VideoOutputFile&) = delete;
  VideoOutputFile& operator=(const VideoOutputFile&) = delete;

  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::int64_t position() const { return position_; }
  void seek(std::int64_t position) { position_ = position; }
  /// Writes at the position. Returns 0 or the error number.
  [[nodiscard]] int write(const std::uint8_t* data, std::size_t bytes) {
    while (bytes > 0) {
      const ssize_t done = pwrite(file_, data, bytes, position_);
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) return errno;
      data += done;
      bytes -= static_cast<std::size_t>(done);
      position_ += done;
      size_ = std::max(size_, position_);
    }
    return 0;
  }
  /// Keeps room on the disk for this many bytes behind what is written. Returns 0 or the error number. File systems
  /// that cannot keep room say so by EOPNOTSUPP, which is no error here.
  [[nodiscard]] int keep_room(std::int64_t bytes) {
    if (size_ + bytes <= kept_) return 0;
    // More than is asked for, so that the system is not called for every frame.
    const std::int64_t wanted = size_ + bytes + ahead;
    for (const std::int64_t end : {wanted, size_ + bytes}) {
      if (fallocate(file_, 0, kept_, end - kept_) == 0) {
        kept_ = end;
        return 0;
      }
      if (errno == EOPNOTSUPP || errno == EINTR) return 0;
    }
    return errno;
  }
  /// Gives back the room that is kept. Returns the temporary path, by which the complete file can be read.
  [[nodiscard]] const std::filesystem::path& complete() {
    if (ftruncate(file_, size_) != 0) fail(errno);
    return part_;
  }
  /// To be called after complete().
  void commit() {
    if (const int error = replace_file(file_, part_, target_of(target_)); error != 0) fail(error);
    part_.clear();
    ::close(std::exchange(file_, -1));
  }
  [[noreturn]] void fail(int error) const {
    throw EnvironmentError("cannot write '" + target_.string() + "': " + std::strerror(error));
  }

 private:
  static constexpr std::int64_t ahead = std::int64_t{1} << 20;
  void remove() const { remove_temporary(part_); }

  std::filesystem::path target_, part_;
  int file_ = -1;
  std::int64_t size_ = 0, position_ = 0;
  std::int64_t kept_ = 0;  ///< The end of the room that is kept.
};

}  // namespace threadscape::io
