#pragma once
// A document of headings, texts, tables, pictures and charts, which becomes one HTML file or one PDF.

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "app/measure/chart.h"
#include "compute/core/data.h"

namespace threadscape::app {

struct DocumentHeading {
  std::string text;
};
struct DocumentText {
  std::string text;
};
struct DocumentList {
  std::vector<std::string> items;
};
/// A table whose first row is its head.
struct DocumentTable {
  std::vector<std::vector<std::string>> rows;
  std::string caption;
};
/// Data with rows and columns of any numbers, drawn as a picture.
struct DocumentPicture {
  HostArray pixels;
  std::string caption;  ///< What is seen, in words.
};
struct DocumentChart {
  Chart chart;
  std::string caption;  ///< What is seen, in words.
};
/// Commands, one a line.
struct DocumentCommands {
  std::string text;
};

using DocumentBlock = std::variant<DocumentHeading, DocumentText, DocumentList, DocumentTable, DocumentPicture,
                                   DocumentChart, DocumentCommands>;

struct Document {
  std::string title, summary;
  std::vector<DocumentBlock> blocks = {};
};

/// One HTML file that needs neither network nor scripts. Throws EnvironmentError for a picture that cannot be written.
[[nodiscard]] std::string document_html(const Document& document);
/// The bytes of a PDF on pages of A4. Its fonts are those that every reader of PDF has, whose letters are those of
/// Western Europe; others become "?".
[[nodiscard]] std::string document_pdf(const Document& document);

/// The pixels that a side of a picture in a document needs at most.
inline constexpr std::int64_t longest_on_page = 1600;
/// Returns true for the name of a file that document_bytes() can make: .html, .htm or .pdf.
[[nodiscard]] bool is_document_path(const std::filesystem::path& path);
/// The document as HTML or PDF, as the extension says.
[[nodiscard]] std::string document_bytes(const Document& document, const std::filesystem::path& path);

}  // namespace threadscape::app
