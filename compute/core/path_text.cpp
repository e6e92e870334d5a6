#include "compute/core/path_text.h"

#include <cctype>

#include "compute/core/printable.h"

namespace threadscape {

namespace {

constexpr std::string_view scheme = "file:";

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string text_of_path(const std::string& path) {
  if (is_utf8(path) && !path.starts_with(scheme)) return path;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text(scheme);
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && c != '%')
      text += c;
    else
      text.append({'%', digits[byte >> 4], digits[byte & 15]});
  }
  return text;
}

std::string path_of_text(const std::string& text) {
  return text.starts_with(scheme) ? without_escapes(std::string_view(text).substr(scheme.size())) : text;
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

}  // namespace threadscape
