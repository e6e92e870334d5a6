#include "compute/io/base64.h"

#include <array>
#include <cstdint>

#include "compute/io/ascii.h"

namespace threadscape::io {

std::optional<std::string> from_base64(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=' || is_space(c)) continue;
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) return {};
    bits = (bits << 6 | static_cast<std::uint32_t>(digit)) & 0xffffffu;
    if ((count += 6) < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xffu);
  }
  return bytes;
}

}  // namespace threadscape::io
