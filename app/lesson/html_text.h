#pragma once
// Texts of lessons as HTML.

#include <string>
#include <string_view>

#include "app/lesson/lesson.h"

namespace threadscape::app {

/// Markdown as HTML. Headings are one level lower than they say, since a page is a section of the document. Pictures
/// are those of the lesson. Links lead nowhere but to addresses that begin with https://, and are text otherwise.
[[nodiscard]] std::string html_of(const Lesson& lesson, std::string_view markdown);

}  // namespace threadscape::app
