#include "compute/core/printable.h"

#include <algorithm>
#include <cstdint>

namespace threadscape {

namespace {

constexpr std::size_t most_line_bytes = 1024;

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0 if the text does not begin with a character of UTF-8.
};

/// The character at the beginning of a text that is not empty.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  // Longer forms than a character needs, halves of pairs of UTF-16, and what is beyond Unicode.
  constexpr std::uint32_t least[]{0, 0, 0x80, 0x800, 0x10000};
  if (code < least[bytes] || (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) return {};
  return {code, bytes};
}

bool is_control(std::uint32_t code) {
  const auto within = [code](std::uint32_t low, std::uint32_t high) { return code >= low && code <= high; };
  return code < 0x20 || within(0x7F, 0x9F) || code == 0x061C || within(0x200E, 0x200F) || within(0x2028, 0x202E) ||
         within(0x2066, 0x2069) || code == 0xFEFF;
}

std::string escaped(const char* form, unsigned value) {
  char text[16];
  std::snprintf(text, sizeof text, form, value);
  return text;
}

std::string printable_line(std::string_view line) {
  std::string text;
  while (!line.empty()) {
    const Character character = first_of(line);
    const std::size_t bytes = std::max<std::size_t>(character.bytes, 1);
    std::string next(line.substr(0, bytes));
    if (character.bytes == 0 || (character.code < 0x80 && is_control(character.code) && next != "\t"))
      next = escaped("\\x%02x", static_cast<unsigned char>(line[0]));
    else if (next != "\t" && is_control(character.code))
      next = escaped("\\u{%x}", character.code);
    if (text.size() + next.size() > most_line_bytes) return text + "...";
    text += next;
    line.remove_prefix(bytes);
  }
  return text;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string all;
  while (true) {
    const std::size_t end = text.find('\n');
    all += printable_line(text.substr(0, end));
    if (end == std::string_view::npos) return all;
    all += '\n';
    text.remove_prefix(end + 1);
  }
}

std::size_t character_bytes(std::string_view text) {
  return first_of(text).bytes;
}

void print(std::FILE* to, std::string_view text) {
  const std::string line = printable(text);
  std::fwrite(line.data(), 1, line.size(), to);
}

}  // namespace threadscape
