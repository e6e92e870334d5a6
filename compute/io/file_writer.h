#pragma once
// Writing a file so that a failure never leaves half of one, and never costs the file that was there before.

#include <filesystem>
#include <span>
#include <string_view>

namespace threadscape::io {

/// Bytes go to a temporary file in the same folder; commit() renames it. Without commit() it is removed.
/// Devices and pipes, which cannot be renamed over, are written directly. Errors are EnvironmentError with the path.
class FileWriter {
 public:
  explicit FileWriter(const std::filesystem::path& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(const void* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void commit();

 private:
  [[noreturn]] void fail(const char* action, int error) const;

  std::filesystem::path path_;       ///< as the caller named it, for messages
  std::filesystem::path target_;     ///< after symbolic links, so that a link stays one
  std::filesystem::path temporary_;  ///< empty when written directly
  int file_ = -1;
};

/// Throws what FileWriter would throw for this path, before hours are spent on the result.
void require_writable(const std::filesystem::path& path);

}  // namespace threadscape::io
