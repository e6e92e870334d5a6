#pragma once
// Parsed contents of files that an algorithm's parameters name. One run asks for them several times (for the shape of
// its result, its scratch memory, its plan), and the window's thread asks beside the worker's.

#include <sys/stat.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <tuple>

namespace threadscape {

/// Holds what was read from the last `capacity` files. A file is read again when another file has its name, or when its
/// size or one of its times has changed. The times alone do not suffice, because a clock tick is several milliseconds
/// long. All functions may be called from several threads.
template <class T, std::size_t capacity = 4>
class FileCache {
 public:
  using Read = std::shared_ptr<const T> (*)(const std::filesystem::path&);

  explicit FileCache(Read read) : read_(read) {}

  /// The content of the file. Throws what `read` throws, and keeps nothing then. Two threads that ask for a new file
  /// concurrently may both read it.
  [[nodiscard]] std::shared_ptr<const T> get(const std::filesystem::path& path) {
    struct stat status {};
    // The read throws the cause, or reads a file without a size, such as a pipe.
    if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return read_(path);
    Entry asked{path, version_of(status), {}};
    {
      const std::lock_guard lock(mutex_);
      for (const Entry& entry : entries_)
        if (entry.content && entry.path == path && entry.version == asked.version) return entry.content;
    }
    asked.content = read_(path);  // without the lock, so that requests for other files do not wait
    const std::lock_guard lock(mutex_);
    Entry* place = &entries_[next_++ % capacity];
    for (Entry& entry : entries_)
      if (entry.path == path) place = &entry;
    *place = asked;
    return asked.content;
  }

 private:
  /// Device, inode, size, and the seconds and nanoseconds of the last change of the content and of the inode.
  using Version =
      std::tuple<std::uint64_t, std::uint64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
  static Version version_of(const struct stat& status) {
    return {status.st_dev,          status.st_ino,         status.st_size,        status.st_mtim.tv_sec,
            status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec};
  }

  struct Entry {
    std::filesystem::path path;
    Version version;
    std::shared_ptr<const T> content;
  };
  Read read_;
  std::mutex mutex_;
  std::array<Entry, capacity> entries_;
  std::size_t next_ = 0;  ///< Number of files read so far; modulo `capacity` the entry to be replaced next.
};

}  // namespace threadscape
