#pragma once
// Files in ZIP archives, stored or deflated.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/io/bytes.h"

namespace threadscape::io {

[[nodiscard]] bool is_zip(Bytes file);

/// A file in an archive, whose bytes hold its name.
struct ZipEntry {
  std::string_view name;
  std::size_t method = 0, packed = 0, size = 0, local = 0;
};

/// The files and folders of an archive in the order of its directory. Throws DecodeFailure.
[[nodiscard]] std::vector<ZipEntry> zip_directory(Bytes archive);
/// The content of a file. Throws DecodeFailure, also where it is longer than Limit::file_bytes.
[[nodiscard]] std::vector<std::byte> unzipped(Bytes archive, const ZipEntry& entry);

/// The names and contents of the files of an archive on disk, without folders. Throws EnvironmentError where it cannot
/// be read, and where it has more files, or more bytes in them, than that.
[[nodiscard]] std::vector<std::pair<std::string, std::vector<std::byte>>> load_zip(const std::filesystem::path& path,
                                                                                   std::size_t most_files,
                                                                                   std::size_t most_bytes);

}  // namespace threadscape::io
