#include "compute/io/words.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "compute/core/errors.h"
#include "compute/io/ascii.h"

namespace threadscape::io {

std::string_view without_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  return text;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  text.remove_prefix(text.starts_with("\r\n") ? 2 : std::min<std::size_t>(text.size(), 1));
  return line;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_space(text.back()))
    text.remove_suffix(1);
  return text;
}

std::string_view take_word(std::string_view& line) {
  line = trimmed(line);
  const auto* const end = std::ranges::find_if(line, is_space);
  const std::string_view word = line.substr(0, static_cast<std::size_t>(end - line.begin()));
  line = trimmed(line.substr(word.size()));
  return word;
}

double number_of(std::string_view word) {
  std::string_view digits = word;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range)
    return digits.find("e-") != std::string_view::npos ? 0.0 : std::numeric_limits<double>::infinity();
  if (error != std::errc{} || end != digits.data() + digits.size())
    throw UsageError("'" + readable_word(word) + "' is no number");
  return value;
}

std::string readable_word(std::string_view word) {
  std::string text(word.substr(0, 40));
  std::ranges::replace_if(
      text, [](char c) { return c < ' ' || c > '~'; }, '?');
  return word.size() > text.size() ? text + "..." : text;
}

}  // namespace threadscape::io
