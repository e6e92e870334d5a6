#pragma once
// Text, tables and pictures as HTML.

#include <string>
#include <vector>

#include "app/lesson/lesson.h"
#include "app/lesson/markdown.h"
#include "compute/core/data_view.h"

namespace threadscape::app {

/// The text with the characters escaped that mean something in HTML, also within attributes.
[[nodiscard]] std::string html_escaped(std::string_view text);
/// Markdown as HTML. Headings are one level lower than they say, since a page is a section of the document. Pictures
/// are those of the lesson. Links lead nowhere but to addresses that begin with https://, and are text otherwise.
[[nodiscard]] std::string html_of(const Lesson& lesson, std::string_view markdown);
/// A table whose first row is its head; numbers are aligned.
[[nodiscard]] std::string html_table(const std::vector<std::vector<std::string>>& table, std::string_view caption);
/// A picture as a data address in an element img. Numbers that are no 8 bits are scaled to the range that they have.
[[nodiscard]] std::string html_picture(HostIn picture, std::string_view alt);

/// The style of the document.
[[nodiscard]] std::string_view html_style();

}  // namespace threadscape::app
