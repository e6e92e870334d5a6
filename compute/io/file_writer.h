#pragma once
// Writing a file so that a failure never leaves half of one, and never costs the file that was there before.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace threadscape::io {

/// Bytes go to a file without a name in the folder of the target, which commit() names: a program that is killed leaves
/// nothing behind. Where the file system has no such files, they go to `.threadscape-<16 random digits>` beside the
/// target, which commit() renames and the destructor removes; what killed programs have left of these is removed by the
/// first writer of a later program in that folder. commit() does what replace_file() does. Devices, pipes and standard
/// output (compute/io/standard_stream.h) are written directly. Errors are EnvironmentError with the path.
class FileWriter {
 public:
  explicit FileWriter(const std::filesystem::path& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(const void* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Replaces bytes that were written. Throws EnvironmentError for devices, pipes and standard output, too.
  void rewrite(std::int64_t offset, const void* data, std::size_t bytes);
  void commit();
  /// Changes the name of a file that is not written in place. It stays in its folder.
  void rename(const std::filesystem::path& name);

 private:
  [[noreturn]] void fail(const char* action, int error) const;
  /// Returns whether the bytes go to a file that gets its name when it is complete.
  [[nodiscard]] bool is_temporary() const { return unnamed_ || !temporary_.empty(); }
  void open_temporary();
  /// Gives the file without a name a temporary one. Returns the error number, 0 on success.
  [[nodiscard]] int name_file();

  std::filesystem::path path_;       ///< The path that the caller stated, for messages.
  std::filesystem::path target_;     ///< The path with symbolic links resolved, so that a link stays a link.
  std::filesystem::path temporary_;  ///< The name of the temporary file; empty if it has none.
  bool unnamed_ = false;             ///< If true, the temporary file has no name yet.
  int file_ = -1;
};

/// Files that are replaced together. While an object of this class lives, FileWriter::commit() on its thread completes
/// files without giving them their names; those that are written in place are not delayed. commit() does it, in their
/// order. An object inside of the life of another one leaves that to it. What was not committed is removed.
class FileGroup {
 public:
  FileGroup();
  ~FileGroup();
  FileGroup(const FileGroup&) = delete;
  FileGroup& operator=(const FileGroup&) = delete;

  /// Removes a file that the new ones do without, once they have their names.
  void remove_after(std::filesystem::path file) { removed_.push_back(std::move(file)); }
  /// If one file cannot get its name, those that were not there before are removed again. Throws EnvironmentError.
  void commit();

 private:
  friend class FileWriter;
  struct Complete {
    std::filesystem::path path, temporary, target;
  };
  FileGroup* outer_;
  std::vector<Complete> complete_;
  std::vector<std::filesystem::path> removed_;
};

/// The path with symbolic links resolved, also where they point to nothing yet: what is written at `path` has this
/// name.
[[nodiscard]] std::filesystem::path target_of(const std::filesystem::path& path);
/// Creates an empty file beside the target of `path`, under a name that nobody can guess, for a program that writes the
/// content. Returns its path. Throws what FileWriter would throw.
[[nodiscard]] std::filesystem::path create_temporary(const std::filesystem::path& path);
/// Removes a temporary file that create_temporary() has made.
void remove_temporary(const std::filesystem::path& temporary) noexcept;
/// Removes the temporary files of this process that have names, for handlers of signals that end it.
void remove_temporaries() noexcept;
/// Gives a complete temporary file, which is open as `file`, the name of its target (target_of()). It takes over the
/// mode, the extended attributes and, where that is allowed, the owner of the file that it replaces; other names of
/// that file (hard links) keep the old content. Both are on the disk before the call returns, unless set_syncing() says
/// that they need not be. Returns 0 or the error number, and leaves the temporary file then.
[[nodiscard]] int replace_file(int file, const std::filesystem::path& temporary, const std::filesystem::path& target);
/// Says if replace_file() waits until the disk has the file, which it does at first. Without it a loss of power can
/// cost the old file and the new one.
void set_syncing(bool syncing);

/// Throws what FileWriter would throw for this path, so that callers can ask before they compute the result.
void require_writable(const std::filesystem::path& path);

/// Writes these bytes (JSON, CSV, raw data) as the whole content of a file. Throws EnvironmentError.
void save_bytes(const std::filesystem::path& path, std::string_view bytes);

}  // namespace threadscape::io
