#include "app/lesson/html_text.h"

#include <algorithm>
#include <filesystem>

#include "app/document/html.h"
#include "app/lesson/markdown.h"
#include "compute/core/errors.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

std::string picture_of_lesson(const Lesson& lesson, const MarkdownSpan& span) {
  if (span.text.empty())
    throw UsageError("the picture " + span.target + " needs a text that says what is seen: ![TEXT](" + span.target +
                     ")");
  if (span.target.find('/') != std::string::npos)
    throw UsageError("the picture " + span.target + " is not beside the pages");
  const fs::path file = lesson_file(lesson, span.target);
  std::string type = file.extension().string();
  if (type != ".png" && type != ".jpg" && type != ".webp" && type != ".gif")
    throw UsageError("the picture " + span.target + " is no PNG, JPEG, WebP or GIF (.png, .jpg, .webp, .gif)");
  type = type == ".jpg" ? "jpeg" : type.substr(1);
  return "<img src=\"" + html_data_address(file, type) + "\" alt=\"" + html_escaped(span.text) + "\">";
}

std::string html_spans(const Lesson& lesson, const std::vector<MarkdownSpan>& spans) {
  std::string html;
  for (const MarkdownSpan& span : spans) {
    using Kind = MarkdownSpan::Kind;
    const std::string text = html_escaped(span.text);
    const bool leads = span.target.starts_with("https://");
    if (span.kind == Kind::plain || (span.kind == Kind::link && !leads)) html += text;
    if (span.kind == Kind::strong) html += "<strong>" + text + "</strong>";
    if (span.kind == Kind::emphasis) html += "<em>" + text + "</em>";
    if (span.kind == Kind::code) html += "<code>" + text + "</code>";
    if (span.kind == Kind::link && leads) html += "<a href=\"" + html_escaped(span.target) + "\">" + text + "</a>";
    if (span.kind == Kind::picture) html += picture_of_lesson(lesson, span);
  }
  return html;
}

}  // namespace

std::string html_of(const Lesson& lesson, std::string_view markdown) {
  std::string html;
  std::string_view list;
  for (const MarkdownBlock& block : parse_markdown(markdown)) {
    using Kind = MarkdownBlock::Kind;
    const std::string_view wanted = block.kind == Kind::item ? "ul" : block.kind == Kind::numbered_item ? "ol" : "";
    if (wanted != list) {
      if (!list.empty()) html += "</" + std::string(list) + ">\n";
      if (!wanted.empty()) html += "<" + std::string(wanted) + ">\n";
      list = wanted;
    }
    if (block.kind == Kind::heading) {
      const std::string level = std::to_string(std::min(block.level + 1, 6));
      html += "<h" + level + ">" + html_spans(lesson, block.spans) + "</h" + level + ">\n";
    }
    if (block.kind == Kind::paragraph) html += "<p>" + html_spans(lesson, block.spans) + "</p>\n";
    if (!wanted.empty()) html += "<li>" + html_spans(lesson, block.spans) + "</li>\n";
    if (block.kind == Kind::source)
      html += "<pre tabindex=\"0\"><code>" + html_escaped(block.source) + "</code></pre>\n";
    if (block.kind != Kind::table) continue;
    html += "<div class=\"scroll\" tabindex=\"0\"><table>\n";
    for (const auto& row : block.rows) {
      const std::string tag = &row == &block.rows.front() ? "th" : "td";
      html += "<tr>";
      for (const auto& cell : row)
        html += "<" + tag + ">" + html_spans(lesson, cell) + "</" + tag + ">";
      html += "</tr>\n";
    }
    html += "</table></div>\n";
  }
  return html + (list.empty() ? "" : "</" + std::string(list) + ">\n");
}

}  // namespace threadscape::app
