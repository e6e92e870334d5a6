#pragma once
// The texts in which the head of a sketch is written.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threadscape::sketch {

/// Takes the next line from the front of a text, without its end and the spaces around it.
[[nodiscard]] std::string_view take_line(std::string_view& text);
/// Where the next "key:" begins behind two spaces or more, outside of quotation marks; npos if there is none.
[[nodiscard]] std::size_t next_entry(std::string_view line);
/// Takes a text between quotation marks from the end of a value, with the spaces before it; "" if there is none.
[[nodiscard]] std::string take_help(std::string_view& value);
/// Takes what stands between the parentheses at the end of a value; nothing if there are none.
[[nodiscard]] std::optional<std::string_view> take_parentheses(std::string_view& value);
/// A finite number. Throws UsageError.
[[nodiscard]] double parse_number(std::string_view text);
/// The parts of a list between which the separator stands outside of parentheses.
[[nodiscard]] std::vector<std::string> split(std::string_view list, char separator);
/// The names of the functions that a source declares with __global__ outside of comments.
[[nodiscard]] std::vector<std::string> kernels_of(std::string_view text);

}  // namespace threadscape::sketch
