#include "app/document/html.h"

#include <unistd.h>

#include <algorithm>

#include "app/document/byte_picture.h"
#include "app/measure/chart_svg.h"
#include "app/session/user_folders.h"
#include "compute/core/data.h"
#include "compute/io/base64.h"
#include "compute/io/input_file.h"
#include "compute/io/pictures/image_file.h"

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
  :root { --text: #000000; --back: #ffffff; --soft: #f2f4f7; --line: #b6bec9; --link: #0b57a4; }
  body { max-width: none; font-size: 10pt; line-height: 1.45; padding: 0; }
  h1, h2, h3, h4, summary { break-after: avoid; }
  h2 { margin-top: 1.5rem; padding-top: 1rem; }
  .question, figure, .scroll, tr, pre { break-inside: avoid; }
  pre, .scroll { overflow: visible; white-space: pre-wrap; }
  details::details-content { content-visibility: visible; display: block; }
}
)";

}  // namespace

std::string html_data_address(const fs::path& file, std::string_view type) {
  const std::vector<std::byte> bytes = io::load_bytes(file, io::Limit::file_bytes);
  return "data:image/" + std::string(type) + ";base64," +
         io::to_base64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

bool is_number_cell(std::string_view cell) {
  if (cell.ends_with('x')) cell.remove_suffix(1);
  return !cell.empty() && cell.find_first_not_of("0123456789.- %") == std::string_view::npos;
}

std::string html_escaped(std::string_view text) {
  std::string safe;
  for (const char c : text)
    safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return safe;
}

std::string html_table(const std::vector<std::vector<std::string>>& table, std::string_view caption, HtmlCells cells) {
  std::string html = "<div class=\"scroll\" tabindex=\"0\"><table>\n<caption>" + html_escaped(caption) + "</caption>\n";
  for (const std::vector<std::string>& row : table) {
    html += "<tr>";
    for (const std::string& cell : row) {
      if (&row == &table.front())
        html += "<th scope=\"col\">" + html_escaped(cell) + "</th>";
      else if (is_number_cell(cell))
        html += "<td class=\"number\">" + html_escaped(cell) + "</td>";
      else if (cells == HtmlCells::code)
        html += "<td><code>" + html_escaped(cell) + "</code></td>";
      else
        html += "<td>" + html_escaped(cell) + "</td>";
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

std::string html_picture(HostIn picture, std::string_view alt) {
  const HostArray bytes = byte_picture(picture);
  const fs::path file = cache_folder() / ("page-" + std::to_string(getpid()) + ".png");
  fs::create_directories(file.parent_path());
  io::save_picture(file, bytes.view(), picture.shape.channels == 4 ? io::FileColour::rgba : io::FileColour::grey);
  std::string html = "<img src=\"" + html_data_address(file, "png") + "\" alt=\"" + html_escaped(alt) + "\" width=\"" +
                     std::to_string(picture.shape.width) + "\" height=\"" + std::to_string(picture.shape.height) +
                     "\">";
  std::error_code error;
  fs::remove(file, error);
  return html;
}

std::string html_chart(const Chart& chart, std::string_view caption) {
  return "<figure>\n<div role=\"img\" aria-label=\"" + html_escaped(caption) + "\">" + chart_svg(chart) +
         "</div>\n<figcaption>" + html_escaped(caption) + "</figcaption>\n</figure>\n";
}

std::string html_file(std::string_view title, std::string_view summary, std::string_view words, std::string_view body) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         html_escaped(title) + "</title>\n<meta name=\"description\" content=\"" + html_escaped(summary) +
         "\">\n<style>" + std::string(style) + "</style>\n</head>\n<body>\n<header>\n<h1>" + html_escaped(title) +
         "</h1>\n<p>" + html_escaped(words) + "</p>\n</header>\n" + std::string(body) + "</body>\n</html>\n";
}

}  // namespace threadscape::app
