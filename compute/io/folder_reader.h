#pragma once
// Lists what is in a folder. The iterators of std::filesystem end the program if they get no memory (libstdc++ 12: they
// allocate in functions that must not throw), while this reader throws std::bad_alloc, which costs one run.

#include <dirent.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

namespace threadscape::io {

class FolderReader {
 public:
  /// An empty path is the current folder.
  explicit FolderReader(std::filesystem::path folder);

  /// The path of the next entry, which begins with that of the folder. Entries have no order. Unset at the end, and
  /// where the folder cannot be read.
  [[nodiscard]] std::optional<std::filesystem::path> next();
  /// Why the folder cannot be read.
  [[nodiscard]] const std::error_code& error() const { return error_; }

 private:
  struct Close {
    void operator()(DIR* folder) const { closedir(folder); }
  };
  std::filesystem::path path_;
  std::error_code error_;
  std::unique_ptr<DIR, Close> folder_;
};

}  // namespace threadscape::io
