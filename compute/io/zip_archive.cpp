#include "compute/io/zip_archive.h"

#include <cstring>

#include "compute/core/errors.h"
#include "compute/io/deflate.h"
#include "compute/io/input_file.h"
#include "compute/io/limits.h"

namespace threadscape::io {

namespace {

constexpr std::size_t end_bytes = 22, entry_bytes = 46, local_bytes = 30;
constexpr std::uint64_t end_mark = 0x06054b50, entry_mark = 0x02014b50, local_mark = 0x04034b50;

[[noreturn]] void damaged_directory() {
  throw DecodeFailure{"corrupt ZIP: its directory is damaged"};
}

}  // namespace

bool is_zip(Bytes file) {
  return file.size() >= 4 && std::memcmp(file.data(), "PK\3\4", 4) == 0;
}

std::vector<ZipEntry> zip_directory(Bytes archive) {
  // The central directory is at the end, because the sizes beside the files themselves may be missing.
  if (archive.size() < end_bytes) throw DecodeFailure{"it is truncated"};
  std::size_t end = archive.size() - end_bytes;
  while (end > 0 && archive.size() - end < end_bytes + 65536 && little_endian_at(archive, end, 4) != end_mark)
    --end;
  if (little_endian_at(archive, end, 4) != end_mark) throw DecodeFailure{"it is truncated"};
  std::size_t at = little_endian_at(archive, end + 16, 4);
  std::vector<ZipEntry> entries;
  for (std::uint64_t left = little_endian_at(archive, end + 10, 2); left > 0; --left) {
    if (little_endian_at(archive, at, 4) != entry_mark) damaged_directory();
    const std::size_t name_bytes = little_endian_at(archive, at + 28, 2);
    const std::size_t method = little_endian_at(archive, at + 10, 2), packed = little_endian_at(archive, at + 20, 4);
    const std::size_t size = little_endian_at(archive, at + 24, 4), local = little_endian_at(archive, at + 42, 4);
    if (at + entry_bytes + name_bytes > archive.size()) throw DecodeFailure{"it is truncated"};
    entries.push_back({.name = {reinterpret_cast<const char*>(archive.data()) + at + entry_bytes, name_bytes},
                       .method = method,
                       .packed = packed,
                       .size = size,
                       .local = local});
    at += entry_bytes + name_bytes + little_endian_at(archive, at + 30, 2) + little_endian_at(archive, at + 32, 2);
  }
  return entries;
}

std::vector<std::byte> unzipped(Bytes archive, const ZipEntry& entry) {
  if (little_endian_at(archive, entry.local, 4) != local_mark) damaged_directory();
  const std::size_t start = entry.local + local_bytes + little_endian_at(archive, entry.local + 26, 2) +
                            little_endian_at(archive, entry.local + 28, 2);
  if (start > archive.size() || entry.packed > archive.size() - start) throw DecodeFailure{"it is truncated"};
  const Bytes content = archive.subspan(start, entry.packed);
  if (entry.method == 0) return {content.begin(), content.end()};
  if (entry.method == 8) return inflated(content, static_cast<std::int64_t>(entry.size), Deflate::raw);
  throw DecodeFailure{std::string(entry.name) + " is compressed by a method that is not read: Deflate is"};
}

std::vector<std::pair<std::string, std::vector<std::byte>>> load_zip(const std::filesystem::path& path,
                                                                     std::size_t most_files, std::size_t most_bytes) {
  const std::vector<std::byte> archive = load_bytes(path, Limit::file_bytes);
  std::vector<std::pair<std::string, std::vector<std::byte>>> files;
  try {
    std::size_t bytes = 0;
    for (const ZipEntry& entry : zip_directory(archive)) {
      if (entry.name.ends_with('/')) continue;
      const std::size_t size = entry.method == 0 ? entry.packed : entry.size;
      if (files.size() == most_files || size > most_bytes - bytes)
        throw DecodeFailure{"it has more than " + std::to_string(most_files) + " files, or more than " +
                            std::to_string(most_bytes) + " bytes in them"};
      bytes += size;
      files.emplace_back(entry.name, unzipped(archive, entry));
    }
  } catch (const DecodeFailure& failure) {
    throw EnvironmentError("cannot read '" + path.string() + "': " + failure.cause);
  }
  return files;
}

}  // namespace threadscape::io
