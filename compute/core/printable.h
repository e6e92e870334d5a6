#pragma once
// Text for terminals that may hold what files and their names say.

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace threadscape {

/// The text with everything escaped that is no visible text: bytes that are no UTF-8 as \x1b, and characters that
/// control terminals (C0, DEL, C1) or the direction and the lines of text as \u{202e}. Ends of lines and tabs stay. A
/// line of more than 1 kB ends there with "...".
[[nodiscard]] std::string printable(std::string_view text);

/// Returns the number of bytes of the first character of a text, which must not be empty; 0 if that does not begin with
/// a character of UTF-8.
[[nodiscard]] std::size_t character_bytes(std::string_view text);

/// Writes the printable form of a text to standard output or standard error.
void print(std::FILE* to, std::string_view text);

}  // namespace threadscape
