#include "compute/io/file_uri.h"

#include <cctype>
#include <string>

namespace threadscape::io {

std::filesystem::path path_of_uri(std::string_view uri) {
  constexpr std::string_view scheme = "file://";
  if (!uri.starts_with(scheme)) return {};
  uri.remove_prefix(scheme.size());
  const std::size_t root = uri.find('/');  // The name of a host may stand in front of the path.
  if (root == std::string_view::npos) return {};
  return without_escapes(uri.substr(root));
}

std::string without_escapes(std::string_view uri) {
  std::string plain;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const bool code = uri[i] == '%' && i + 2 < uri.size() && std::isxdigit(static_cast<unsigned char>(uri[i + 1])) &&
                      std::isxdigit(static_cast<unsigned char>(uri[i + 2]));
    if (!code) {
      plain += uri[i];
      continue;
    }
    plain += static_cast<char>(std::stoi(std::string(uri.substr(i + 1, 2)), nullptr, 16));
    i += 2;
  }
  return plain;
}

}  // namespace threadscape::io
