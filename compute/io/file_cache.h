#pragma once
// Parsed contents of files that an algorithm's parameters name. One run asks for them several times (for the shape of
// its result, its scratch memory, its plan), and the window's thread asks beside the worker's.

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <system_error>

namespace threadscape::io {

/// Holds what was read from the last `capacity` files. A file is read again when its modification time or its size has
/// changed. All functions may be called from several threads.
template <class T, std::size_t capacity = 4>
class FileCache {
 public:
  using Read = std::shared_ptr<const T> (*)(const std::filesystem::path&);

  explicit FileCache(Read read) : read_(read) {}

  /// The content of the file. Throws what `read` throws, and keeps nothing then. Two threads that ask for a new file
  /// concurrently may both read it.
  [[nodiscard]] std::shared_ptr<const T> get(const std::filesystem::path& path) {
    std::error_code no_time, no_size;
    Entry asked{path, std::filesystem::last_write_time(path, no_time), std::filesystem::file_size(path, no_size), {}};
    // The read throws the cause, or reads a file without a size, such as a pipe.
    if (no_time || no_size) return read_(path);
    {
      const std::lock_guard lock(mutex_);
      for (const Entry& entry : entries_)
        if (entry.content && entry.path == path && entry.written == asked.written && entry.bytes == asked.bytes)
          return entry.content;
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
  struct Entry {
    std::filesystem::path path;
    std::filesystem::file_time_type written;
    std::uintmax_t bytes = 0;
    std::shared_ptr<const T> content;
  };
  Read read_;
  std::mutex mutex_;
  std::array<Entry, capacity> entries_;
  std::size_t next_ = 0;  ///< Number of files read so far; modulo `capacity` the entry to be replaced next.
};

}  // namespace threadscape::io
