#include "app/lesson/markdown.h"

#include <algorithm>
#include <cctype>

#include "app/lesson/block_entries.h"

namespace threadscape::app {

namespace {

using SpanKind = MarkdownSpan::Kind;
using BlockKind = MarkdownBlock::Kind;

/// Takes `mark`, a text, and `mark` from the front; false if they are not there or the text is empty or begins or ends
/// with a blank.
bool take_marked(std::string_view& text, std::string_view mark, std::string& inside) {
  if (!text.starts_with(mark)) return false;
  const std::size_t end = text.find(mark, mark.size());
  if (end == std::string_view::npos || end == mark.size()) return false;
  const std::string_view found = text.substr(mark.size(), end - mark.size());
  if (mark != "`" && (found.front() == ' ' || found.back() == ' ')) return false;
  inside = found;
  text.remove_prefix(end + mark.size());
  return true;
}

/// Takes "[text](target)" from the front.
bool take_link(std::string_view& text, MarkdownSpan& span) {
  const std::size_t middle = text.find("](");
  if (!text.starts_with('[') || middle == std::string_view::npos) return false;
  const std::size_t end = text.find(')', middle);
  if (end == std::string_view::npos || text.substr(0, middle).find('\n') != std::string_view::npos) return false;
  span.text = text.substr(1, middle - 1);
  span.target = text.substr(middle + 2, end - middle - 2);
  text.remove_prefix(end + 1);
  return true;
}

/// The cells of "| a | b |", without the empty ones before the first and behind the last mark.
std::vector<std::string_view> cells_of(std::string_view line) {
  line = without_blanks(line);
  line.remove_prefix(1);
  if (line.ends_with('|')) line.remove_suffix(1);
  std::vector<std::string_view> cells;
  for (;;) {
    const std::size_t end = std::min(line.find('|'), line.size());
    cells.push_back(without_blanks(line.substr(0, end)));
    if (end == line.size()) return cells;
    line.remove_prefix(end + 1);
  }
}

/// Returns true for the line "|---|---|" below the head of a table.
bool is_rule(std::string_view line) {
  return line.find('-') != std::string_view::npos && line.find_first_not_of("|-: ") == std::string_view::npos;
}

/// The number of signs of "- " or "12. " at the front; 0 if there is none.
std::size_t item_mark(std::string_view line, bool& numbered) {
  numbered = false;
  if (line.starts_with("- ") || line.starts_with("* ")) return 2;
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  numbered = digits > 0 && digits <= 3 && line.substr(digits).starts_with(". ");
  return numbered ? digits + 2 : 0;
}

class MarkdownReader {
 public:
  std::vector<MarkdownBlock> read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view one = text.substr(0, end);
      if (one.ends_with('\r')) one.remove_suffix(1);
      text.remove_prefix(std::min(end + 1, text.size()));
      line(one);
    }
    end_text();
    return std::move(blocks_);
  }

 private:
  void line(std::string_view text) {
    if (in_source_) {
      if (text.starts_with("```"))
        in_source_ = false;
      else
        blocks_.back().source += std::string(text) + '\n';
      return;
    }
    const std::string_view words = without_blanks(text);
    if (words.empty()) return end_text();
    if (text.starts_with("```")) {
      end_text();
      in_source_ = true;
      blocks_.emplace_back().kind = BlockKind::source;
      return;
    }
    const std::size_t level = std::min(text.find_first_not_of('#'), text.size());
    if (level >= 1 && level <= 6 && text.substr(level).starts_with(' ')) {
      end_text();
      MarkdownBlock& heading = blocks_.emplace_back();
      heading.kind = BlockKind::heading;
      heading.level = static_cast<int>(level);
      heading.spans = parse_spans(without_blanks(text.substr(level)));
      return;
    }
    if (words.starts_with('|')) return row(words);
    bool numbered = false;
    if (const std::size_t mark = item_mark(words, numbered); mark > 0) {
      end_text();
      kind_ = numbered ? BlockKind::numbered_item : BlockKind::item;
      text_ = words.substr(mark);
      return;
    }
    if (text_.empty()) kind_ = BlockKind::paragraph;
    text_ += (text_.empty() ? "" : " ") + std::string(words);
  }
  void row(std::string_view words) {
    const bool goes_on = text_.empty() && !blocks_.empty() && blocks_.back().kind == BlockKind::table && in_table_;
    end_text();
    if (!goes_on) blocks_.emplace_back().kind = BlockKind::table;
    in_table_ = true;
    if (goes_on && is_rule(words)) return;
    auto& cells = blocks_.back().rows.emplace_back();
    for (const std::string_view cell : cells_of(words))
      cells.push_back(parse_spans(cell));
  }
  void end_text() {
    in_table_ = false;
    if (text_.empty()) return;
    MarkdownBlock& block = blocks_.emplace_back();
    block.kind = kind_;
    block.spans = parse_spans(text_);
    text_.clear();
  }

  std::vector<MarkdownBlock> blocks_;
  std::string text_;
  BlockKind kind_ = BlockKind::paragraph;
  bool in_source_ = false, in_table_ = false;
};

}  // namespace

std::vector<MarkdownSpan> parse_spans(std::string_view text) {
  std::vector<MarkdownSpan> spans;
  const auto plain = [&](std::string_view words) {
    if (spans.empty() || spans.back().kind != SpanKind::plain) spans.emplace_back();
    spans.back().text += words;
  };
  char before = ' ';
  while (!text.empty()) {
    MarkdownSpan span;
    const bool in_word = std::isalnum(static_cast<unsigned char>(before)) != 0;
    std::string_view rest = text;
    if (take_marked(rest, "`", span.text)) {
      span.kind = SpanKind::code;
    } else if (take_marked(rest, "**", span.text)) {
      span.kind = SpanKind::strong;
    } else if (!in_word && (take_marked(rest, "*", span.text) || take_marked(rest, "_", span.text))) {
      span.kind = SpanKind::emphasis;
    } else if (take_link(rest, span)) {
      span.kind = SpanKind::link;
    } else if (rest.starts_with('!')) {
      rest.remove_prefix(1);
      if (take_link(rest, span)) span.kind = SpanKind::picture;
    }
    if (span.kind == SpanKind::plain) {
      before = text.front();
      plain(text.substr(0, 1));
      text.remove_prefix(1);
      continue;
    }
    before = ' ';
    spans.push_back(std::move(span));
    text = rest;
  }
  return spans;
}

std::vector<MarkdownBlock> parse_markdown(std::string_view text) {
  return MarkdownReader().read(text);
}

}  // namespace threadscape::app
