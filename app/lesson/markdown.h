#pragma once
// The part of Markdown that lessons use: headings, paragraphs, lists, tables, sources, emphasis, links and pictures.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace threadscape::app {

/// A piece of a line of text.
struct MarkdownSpan {
  enum class Kind : std::uint8_t { plain, strong, emphasis, code, link, picture };
  Kind kind = Kind::plain;
  std::string text;    ///< The words that are shown; for a picture what is seen in it.
  std::string target;  ///< The address of a link, or the file of a picture.
  bool operator==(const MarkdownSpan&) const = default;
};

struct MarkdownBlock {
  enum class Kind : std::uint8_t { heading, paragraph, item, numbered_item, source, table };
  Kind kind = Kind::paragraph;
  int level = 0;                    ///< 1 to 6 for headings.
  std::vector<MarkdownSpan> spans;  ///< The text of headings, paragraphs and items.
  std::string source;               ///< The lines of a source.
  /// The cells of a table by row, of which the first one is its head.
  std::vector<std::vector<std::vector<MarkdownSpan>>> rows;
};

/// Lines of a paragraph and of an item are joined. What is not understood is plain text.
[[nodiscard]] std::vector<MarkdownBlock> parse_markdown(std::string_view text);
[[nodiscard]] std::vector<MarkdownSpan> parse_spans(std::string_view text);

}  // namespace threadscape::app
