#include "compute/io/sequence_file.h"

#include <algorithm>
#include <bit>
#include <fstream>

#include "compute/io/file_extension.h"
#include "compute/io/file_writer.h"

namespace threadscape::io {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "files are little endian, and memory is written as it is");

namespace {

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
  throw EnvironmentError("cannot read '" + path.string() + "': " + why);
}

}  // namespace

HostArray load_sequence(const fs::path& path, Element element) {
  std::error_code error;
  if (fs::is_directory(path, error)) fail(path, "it is a directory");
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) fail(path, fs::exists(path, error) ? "no permission" : "no such file");
  const auto bytes = static_cast<std::int64_t>(file.tellg());
  const auto size = static_cast<std::int64_t>(size_of(element));
  if (bytes < 0) fail(path, "it has no length");
  if (bytes == 0) fail(path, "it is empty: raw numbers are wanted, little endian");
  if (bytes % size != 0)
    fail(path, std::to_string(bytes) + " bytes are no whole number of " + std::string(name_of(element)) + " (" +
                   std::to_string(size) + " bytes each)");
  HostArray values({Kind::sequence, element, 1, bytes / size, 1, 1});
  file.seekg(0);
  if (!file.read(reinterpret_cast<char*>(values.data()), bytes)) fail(path, "it is truncated");
  return values;
}

void save_sequence(const fs::path& path, HostIn data) {
  require_sequence_path(path);
  FileWriter file(path);
  const std::size_t row = static_cast<std::size_t>(data.shape.width) * data.shape.pixel_bytes();
  for (std::int64_t y = 0; y < data.shape.height; ++y)
    file.write(data.data + static_cast<std::size_t>(y) * data.pitch, row);
  file.commit();
}

void require_sequence_path(const fs::path& path) {
  if (std::ranges::count(sequence_extensions, extension_of(path)) == 0)
    throw UsageError("cannot write '" + path.string() + "': numbers are written to " + enumerated(sequence_extensions));
  require_writable(path);
}

}  // namespace threadscape::io
