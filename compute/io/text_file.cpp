#include "compute/io/text_file.h"

#include "compute/core/json_limits.h"
#include "compute/io/input_file.h"

namespace threadscape::io {

std::string load_text(const std::filesystem::path& path, Limit limit) {
  const std::vector<std::byte> bytes = load_bytes(path, limit);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string load_json_text(const std::filesystem::path& path) {
  std::string text = load_text(path, Limit::json_bytes);
  check_json_limits(text);
  return text;
}

}  // namespace threadscape::io
