#include "app/document/document.h"
#include "app/document/html.h"
#include "compute/io/file_extension.h"

namespace threadscape::app {

namespace {

struct ToHtml {
  std::string operator()(const DocumentHeading& heading) const {
    return "<h2>" + html_escaped(heading.text) + "</h2>\n";
  }
  std::string operator()(const DocumentText& text) const { return "<p>" + html_escaped(text.text) + "</p>\n"; }
  std::string operator()(const DocumentList& list) const {
    std::string html = "<ul>\n";
    for (const std::string& item : list.items)
      html += "<li>" + html_escaped(item) + "</li>\n";
    return html + "</ul>\n";
  }
  std::string operator()(const DocumentTable& table) const {
    return html_table(table.rows, table.caption, HtmlCells::text);
  }
  std::string operator()(const DocumentPicture& picture) const {
    return "<figure>\n" + html_picture(picture.pixels.view(), picture.caption) + "\n<figcaption>" +
           html_escaped(picture.caption) + "</figcaption>\n</figure>\n";
  }
  std::string operator()(const DocumentChart& chart) const { return html_chart(chart.chart, chart.caption); }
  std::string operator()(const DocumentCommands& commands) const {
    return "<pre tabindex=\"0\"><code>" + html_escaped(commands.text) + "</code></pre>\n";
  }
};

}  // namespace

std::string document_html(const Document& document) {
  std::string html = "<main>\n";
  for (const DocumentBlock& block : document.blocks)
    html += std::visit(ToHtml{}, block);
  return html_file(document.title, document.summary, document.summary, html + "</main>\n");
}

bool is_document_path(const std::filesystem::path& path) {
  const std::string extension = io::extension_of(path);
  return extension == ".html" || extension == ".htm" || extension == ".pdf";
}

std::string document_bytes(const Document& document, const std::filesystem::path& path) {
  return io::extension_of(path) == ".pdf" ? document_pdf(document) : document_html(document);
}

}  // namespace threadscape::app
