#include "compute/io/file_uri.h"

#include "compute/core/path_text.h"

namespace threadscape::io {

std::filesystem::path path_of_uri(std::string_view uri) {
  constexpr std::string_view scheme = "file://";
  if (!uri.starts_with(scheme)) return {};
  uri.remove_prefix(scheme.size());
  const std::size_t root = uri.find('/');  // The name of a host may stand in front of the path.
  if (root == std::string_view::npos) return {};
  return without_escapes(uri.substr(root));
}

}  // namespace threadscape::io
