#pragma once
// Text, tables, pictures and charts as HTML, for documents and lessons.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/measure/chart.h"
#include "compute/core/data_view.h"

namespace threadscape::app {

/// The text with the characters escaped that mean something in HTML, also within attributes.
[[nodiscard]] std::string html_escaped(std::string_view text);
/// What the cells of a table are that are no numbers.
enum class HtmlCells : std::uint8_t { text, code };
/// A table whose first row is its head; numbers are aligned.
[[nodiscard]] std::string html_table(const std::vector<std::vector<std::string>>& table, std::string_view caption,
                                     HtmlCells cells);
/// Returns true for a number that tables align at the right: "12", "-0.5", "97 %", "1.5x".
[[nodiscard]] bool is_number_cell(std::string_view cell);
/// A picture as a data address in an element img. Numbers that are no 8 bits are scaled to the range that they have.
[[nodiscard]] std::string html_picture(HostIn picture, std::string_view alt);
/// A chart as SVG with a caption, which also says what is seen to those who do not see it.
[[nodiscard]] std::string html_chart(const Chart& chart, std::string_view caption);
/// The address of a file as "data:image/TYPE;base64,...". Throws EnvironmentError if it cannot be read.
[[nodiscard]] std::string html_data_address(const std::filesystem::path& file, std::string_view type);

/// A whole file: the head with the style, title and summary, and the elements of the body. `words` is what stands
/// below the title, and the description of the file is `summary`, both as text.
[[nodiscard]] std::string html_file(std::string_view title, std::string_view summary, std::string_view words,
                                    std::string_view body);

}  // namespace threadscape::app
