#include "compute/io/folder_reader.h"

#include <cerrno>
#include <string_view>
#include <utility>

namespace threadscape::io {

FolderReader::FolderReader(std::filesystem::path folder)
    : path_(std::move(folder)), folder_(opendir(path_.empty() ? "." : path_.c_str())) {
  if (!folder_) error_ = {errno, std::generic_category()};
}

std::optional<std::filesystem::path> FolderReader::next() {
  while (folder_) {
    errno = 0;
    const dirent* const entry = readdir(folder_.get());
    if (entry == nullptr) {
      if (errno != 0) error_ = {errno, std::generic_category()};
      folder_.reset();
      break;
    }
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") return path_ / name;
  }
  return {};
}

}  // namespace threadscape::io
