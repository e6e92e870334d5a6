#pragma once
// Numbers, byte counts, lists and tables as plain text, for output on a terminal and in documents.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace threadscape::app {

/// Formats a table as text. Columns are padded with spaces to equal width, two spaces apart, and right-aligned from
/// column `first_number_column` on. The last cell of a row that has fewer cells than the first row may extend over the
/// columns to its right. Cells beyond the first row's last column are not padded.
[[nodiscard]] std::string format_table(const std::vector<std::vector<std::string>>& rows,
                                       std::size_t first_number_column = std::string::npos);
/// Formats a number with `digits` significant digits and without an exponent: 0.0123, 4.56, 1235. Returns "n/a" if
/// `value` is not finite.
[[nodiscard]] std::string format_number(double value, int digits = 3);
/// Formats a number with nine significant digits, for other programs.
[[nodiscard]] std::string format_exact(double value);
/// Joins the texts in their order with `separator` between each two: "a | b | c".
template <class Texts>
[[nodiscard]] std::string joined(const Texts& texts, std::string_view separator) {
  std::string all;
  for (const auto& text : texts)
    all += (all.empty() ? std::string() : std::string(separator)) + std::string(text);
  return all;
}
/// A field of a CSV file: in quotation marks, which are doubled inside, if it contains a comma, a quotation mark or a
/// new line.
[[nodiscard]] std::string csv_field(const std::string& text);
/// Formats a number of bytes in the largest binary unit that fits, with three digits: "512 MiB", "1.50 GiB".
[[nodiscard]] std::string format_bytes(std::size_t bytes);

}  // namespace threadscape::app
