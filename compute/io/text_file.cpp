#include "compute/io/text_file.h"

#include <fstream>
#include <iterator>

#include "compute/core/errors.h"

namespace threadscape::io {

std::string load_text(const std::filesystem::path& path) {
  constexpr std::uintmax_t limit = std::uintmax_t{16} << 20;
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed))
    throw EnvironmentError(path.string() + ": is a directory, not a file");
  const std::uintmax_t bytes = std::filesystem::file_size(path, failed);
  if (failed) throw EnvironmentError(path.string() + ": " + failed.message());
  if (bytes > limit)
    throw EnvironmentError(path.string() + ": " + std::to_string(bytes) + " bytes are too many for a text file");
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.good() && !file.eof()) throw EnvironmentError(path.string() + ": cannot be read");
  return text;
}

}  // namespace threadscape::io
