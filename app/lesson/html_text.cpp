#include "app/lesson/html_text.h"

#include <unistd.h>

#include <algorithm>
#include <limits>

#include "app/session/user_folders.h"
#include "compute/core/data.h"
#include "compute/core/errors.h"
#include "compute/io/base64.h"
#include "compute/io/input_file.h"
#include "compute/io/pictures/image_file.h"
#include "compute/run/similarity.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --text: #1b1f24; --back: #ffffff; --soft: #f2f4f7; --line: #b6bec9; --link: #0b57a4; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e9ee; --back: #16191d; --soft: #22272e; --line: #4d5763; --link: #8cc0f5; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 52rem; font: 1.05rem/1.6 system-ui, sans-serif; color: var(--text);
  background: var(--back); }
h1, h2, h3, h4 { line-height: 1.25; }
h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.5rem; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.88em; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: 0.8rem; overflow-x: auto; }
p code, li code, td code { background: var(--soft); padding: 0.1em 0.3em; border-radius: 3px; }
figure { margin: 1.5rem 0; }
figure img { max-width: 100%; image-rendering: pixelated; border: 1px solid var(--line); }
figure svg { max-width: 100%; height: auto; background: #ffffff; }
figcaption, caption { font-size: 0.92em; text-align: left; padding: 0.4rem 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; font-size: 0.92em; }
th, td { border: 1px solid var(--line); padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.task, .question { border: 1px solid var(--line); border-left: 0.4rem solid var(--link); border-radius: 6px;
  padding: 0.4rem 1rem; margin: 1.5rem 0; }
summary { cursor: pointer; color: var(--link); padding: 0.3rem 0; }
@media print {
  body { max-width: none; font-size: 10.5pt; padding: 0; }
  h2 { break-before: page; }
  .task, .question, figure, table, pre { break-inside: avoid; }
  details::details-content { content-visibility: visible; display: block; }
}
)";

std::string data_address(const fs::path& file, std::string_view type) {
  const std::vector<std::byte> bytes = io::load_bytes(file, io::Limit::file_bytes);
  return "data:image/" + std::string(type) + ";base64," +
         io::to_base64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

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
  return "<img src=\"" + data_address(file, type) + "\" alt=\"" + html_escaped(span.text) + "\">";
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

/// A picture of bytes in the place of one of other numbers, in the range from the least to the greatest.
HostArray scaled_to_bytes(HostIn picture) {
  Shape shape = picture.shape;
  shape.kind = Kind::image;
  shape.element = Element::u8;
  HostArray bytes(shape);
  std::vector<double> row(static_cast<std::size_t>(shape.width));
  double least = std::numeric_limits<double>::max(), most = std::numeric_limits<double>::lowest();
  const auto for_each_row = [&](const auto& f) {
    for (int channel = 0; channel < shape.channels; ++channel)
      for (std::int64_t y = 0; y < shape.height; ++y) {
        read_row(picture, y, 0, channel, row.data());
        f(y, channel);
      }
  };
  for_each_row([&](std::int64_t, int) {
    for (const double value : row) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
  });
  const double range = most > least ? most - least : 1.0;
  const HostOut to = bytes.view();
  for_each_row([&](std::int64_t y, int channel) {
    std::byte* const line = to.data + static_cast<std::size_t>(y) * to.pitch;
    for (std::size_t x = 0; x < row.size(); ++x)
      line[x * static_cast<std::size_t>(shape.channels) + static_cast<std::size_t>(channel)] =
          static_cast<std::byte>(std::clamp((row[x] - least) / range * 255.0 + 0.5, 0.0, 255.0));
  });
  return bytes;
}

bool is_number_cell(std::string_view cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789.- %") == std::string_view::npos;
}

}  // namespace

std::string_view html_style() {
  return style;
}

std::string html_escaped(std::string_view text) {
  std::string safe;
  for (const char c : text)
    safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return safe;
}

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
    if (block.kind == Kind::source) html += "<pre><code>" + html_escaped(block.source) + "</code></pre>\n";
    if (block.kind != Kind::table) continue;
    html += "<div class=\"scroll\"><table>\n";
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

std::string html_table(const std::vector<std::vector<std::string>>& table, std::string_view caption) {
  std::string html = "<div class=\"scroll\"><table>\n<caption>" + html_escaped(caption) + "</caption>\n";
  for (const std::vector<std::string>& row : table) {
    html += "<tr>";
    for (const std::string& cell : row) {
      if (&row == &table.front())
        html += "<th scope=\"col\">" + html_escaped(cell) + "</th>";
      else if (is_number_cell(cell))
        html += "<td class=\"number\">" + html_escaped(cell) + "</td>";
      else
        html += "<td><code>" + html_escaped(cell) + "</code></td>";
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

std::string html_picture(HostIn picture, std::string_view alt) {
  HostArray bytes;
  if (picture.shape.element != Element::u8 || picture.shape.kind != Kind::image) {
    bytes = scaled_to_bytes(picture);
    picture = bytes.view();
  }
  const fs::path file = cache_folder() / ("lesson-" + std::to_string(getpid()) + ".png");
  fs::create_directories(file.parent_path());
  io::save_picture(file, picture, picture.shape.channels == 4 ? io::FileColour::rgba : io::FileColour::grey);
  std::string html = "<img src=\"" + data_address(file, "png") + "\" alt=\"" + html_escaped(alt) + "\" width=\"" +
                     std::to_string(picture.shape.width) + "\" height=\"" + std::to_string(picture.shape.height) +
                     "\">";
  std::error_code error;
  fs::remove(file, error);
  return html;
}

}  // namespace threadscape::app
