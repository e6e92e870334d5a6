#pragma once
// Words and numbers of files that are texts, whatever the locale.

#include <string>
#include <string_view>

namespace threadscape::io {

/// A text without the mark of UTF-8 that some editors put in front of it.
[[nodiscard]] std::string_view without_mark(std::string_view text);
/// Takes the next line, which ends with LF, CR or both, from the front of `text`.
[[nodiscard]] std::string_view take_line(std::string_view& text);
/// Takes the next word from the front of `line`, and the blanks around it; empty at the end.
[[nodiscard]] std::string_view take_word(std::string_view& line);
/// A text without the blanks around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// The number that a word states, in the way of C whatever the locale: "-1", "+.5", "2e-3". Throws UsageError with the
/// word for all others.
[[nodiscard]] double number_of(std::string_view word);
/// The beginning of a word for a message, whose other characters than those of ASCII text are '?'.
[[nodiscard]] std::string readable_word(std::string_view word);

}  // namespace threadscape::io
