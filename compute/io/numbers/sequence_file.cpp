#include "compute/io/numbers/sequence_file.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <vector>

#include "compute/io/file_extension.h"
#include "compute/io/file_writer.h"
#include "compute/io/input_file.h"

namespace threadscape::io {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "files are little endian, and memory is written as it is");

HostArray load_sequence(const fs::path& path, Element element, const std::stop_token& stop) {
  InputFile file(path, stop);
  const auto size = static_cast<std::int64_t>(size_of(element)), limit = limit_of(Limit::numbers);
  const std::int64_t max_bytes =
      limit > std::numeric_limits<std::int64_t>::max() / size ? std::numeric_limits<std::int64_t>::max() : limit * size;
  std::vector<std::byte> piped;  // The length of a pipe is known when all of it has arrived.
  if (!file.is_regular())
    file.read_on(piped, max_bytes < std::numeric_limits<std::int64_t>::max() ? max_bytes + 1 : max_bytes);
  const std::int64_t bytes = file.is_regular() ? file.size() : static_cast<std::int64_t>(piped.size());
  if (bytes > max_bytes) cannot_read(path, "it is too long; " + limit_text(Limit::numbers));
  if (bytes == 0) cannot_read(path, "it is empty: raw numbers are wanted, little endian");
  if (bytes % size != 0)
    cannot_read(path, std::to_string(bytes) + " bytes are no whole number of " + std::string(name_of(element)) + " (" +
                          std::to_string(size) + " bytes each)");
  HostArray values({Kind::sequence, element, 1, bytes / size, 1, 1});
  if (!piped.empty())
    std::memcpy(values.data(), piped.data(), piped.size());
  else if (!file.read_at(0, values.data(), static_cast<std::size_t>(bytes)))
    cannot_read(path, "it is truncated");
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
