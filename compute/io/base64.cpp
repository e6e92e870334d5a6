#include "compute/io/base64.h"

#include <algorithm>
#include <cstdint>

#include "compute/io/ascii.h"

namespace threadscape::io {

namespace {

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=' || is_space(c)) continue;
    const std::size_t digit = base64_digits.find(c);
    if (digit == std::string_view::npos) return {};
    bits = (bits << 6 | static_cast<std::uint32_t>(digit)) & 0xffffffu;
    if ((count += 6) < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xffu);
  }
  return bytes;
}

std::string to_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t bits = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i)
      text += i <= count ? base64_digits[bits >> (18 - 6 * i) & 63u] : '=';
  }
  return text;
}

}  // namespace threadscape::io
