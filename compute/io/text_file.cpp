#include "compute/io/text_file.h"

#include "compute/core/json_limits.h"
#include "compute/io/input_file.h"

namespace threadscape::io {

std::string load_json_text(const std::filesystem::path& path) {
  const std::vector<std::byte> bytes = load_bytes(path, Limit::json_bytes);
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  check_json_limits(text);
  return text;
}

}  // namespace threadscape::io
