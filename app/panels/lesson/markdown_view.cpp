#include "app/panels/lesson/markdown_view.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/code/code_editor.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

using SpanKind = MarkdownSpan::Kind;
using BlockKind = MarkdownBlock::Kind;

/// The height of a line of text in the height of its font.
constexpr float line_spacing = 1.35f;

/// Places words one behind the other, in lines of a width.
class WordFlow {
 public:
  WordFlow(const MarkdownLook& look, float scale)
      : look_(look),
        size_(ImGui::GetFontSize() * scale),
        width_(std::max(ImGui::GetContentRegionAvail().x, size_)),
        origin_(ImGui::GetCursorScreenPos()),
        bold_(ImGui::GetFont() == look.fonts.strong) {}

  void add(const MarkdownSpan& span) {
    const std::string_view text = span.text;
    if (span.kind == SpanKind::code && width_of(span.kind, text) < width_ / 2) return put_piece(span.kind, text);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      if (end > at) put_piece(span.kind, text.substr(at, end - at));
      if (end < text.size()) end_word();
      at = end + 1;
    }
  }
  /// Ends the text, which becomes an item of ImGui.
  void finish() {
    put_word();
    ImGui::Dummy({widest_, y_ + size_ * line_spacing});
  }

 private:
  struct Piece {
    SpanKind kind;
    std::string_view text;
    float width;
  };

  [[nodiscard]] ImFont* font_of(SpanKind kind) const {
    if (kind == SpanKind::code) return look_.fonts.mono;
    return bold_ || kind == SpanKind::strong ? look_.fonts.strong : look_.fonts.regular;
  }
  [[nodiscard]] float width_of(SpanKind kind, std::string_view text) const {
    const float padding = kind == SpanKind::code ? 2 * code_padding() : 0.0f;
    return padding + font_of(kind)->CalcTextSizeA(size_, FLT_MAX, 0.0f, text.data(), text.data() + text.size()).x;
  }
  [[nodiscard]] float code_padding() const { return size_ * 0.2f; }

  void put_piece(SpanKind kind, std::string_view text) { word_.push_back({kind, text, width_of(kind, text)}); }
  void end_word() {
    put_word();
    if (x_ > 0) blank_ = width_of(SpanKind::plain, " ");
  }
  void put_word() {
    if (word_.empty()) return;
    float width = 0;
    for (const Piece& piece : word_)
      width += piece.width;
    if (x_ > 0 && x_ + blank_ + width > width_) {
      x_ = 0;
      y_ += size_ * line_spacing;
    } else {
      x_ += blank_;
    }
    blank_ = 0;
    for (const Piece& piece : word_)
      put(piece);
    word_.clear();
  }
  /// Draws a piece, in several lines if it is wider than one.
  void put(Piece piece) {
    ImFont* const font = font_of(piece.kind);
    while (piece.width > width_ - x_ && piece.text.size() > 1) {
      const char* rest = nullptr;
      const char* const begin = piece.text.data();
      (void)font->CalcTextSizeA(size_, width_ - x_ - 2 * code_padding(), 0.0f, begin, begin + piece.text.size(), &rest);
      auto taken = static_cast<std::size_t>(rest - begin);
      if (taken >= piece.text.size()) break;
      if (taken == 0 && x_ == 0) taken = 1;
      if (taken > 0) draw({piece.kind, piece.text.substr(0, taken), width_ - x_});
      piece.text.remove_prefix(taken);
      piece.width = width_of(piece.kind, piece.text);
      x_ = 0;
      y_ += size_ * line_spacing;
    }
    draw(piece);
    x_ += piece.width;
    widest_ = std::max(widest_, std::min(x_, width_));
  }
  void draw(const Piece& piece) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImVec2 at{std::round(origin_.x + x_), std::floor(origin_.y + y_ + size_ * (line_spacing - 1) / 2)};
    const float bottom = at.y + size_;
    if (bottom < list.GetClipRectMin().y || at.y > list.GetClipRectMax().y) return;
    if (piece.kind == SpanKind::code) {
      list.AddRectFilled({at.x, at.y - size_ * 0.08f}, {at.x + piece.width, bottom + size_ * 0.08f},
                         ImGui::GetColorU32(ImGuiCol_FrameBg), size_ * 0.2f);
      at.x += code_padding();
    }
    const int before = list.VtxBuffer.Size;
    list.AddText(font_of(piece.kind), size_, at,
                 ImGui::GetColorU32(piece.kind == SpanKind::link ? ImGuiCol_CheckMark : ImGuiCol_Text),
                 piece.text.data(), piece.text.data() + piece.text.size());
    if (piece.kind != SpanKind::emphasis) return;
    constexpr float slant = 0.2f;  // The fonts of the window have no italics.
    for (int i = before; i < list.VtxBuffer.Size; ++i)
      list.VtxBuffer[i].pos.x += slant * (bottom - list.VtxBuffer[i].pos.y - size_ / 4);
  }

  const MarkdownLook& look_;
  float size_, width_;
  ImVec2 origin_;
  bool bold_;
  float x_ = 0, y_ = 0, blank_ = 0, widest_ = 0;  ///< Relative to the origin.
  std::vector<Piece> word_;                       ///< The pieces of a word, between which no line ends.
};

void space(float lines) {
  ImGui::Dummy({0, em(lines)});
}

void draw_heading(const MarkdownBlock& block, const MarkdownLook& look) {
  const float large = pixels_of(TypeSize::large) / pixels_of(TypeSize::normal);
  if (block.level > 1) space(0.4f);
  ImGui::PushFont(look.fonts.strong, 0.0f);
  draw_spans(block.spans, look, block.level == 1 ? large : 1.0f);
  ImGui::PopFont();
}

/// Draws an item with its number, or with a dot if that is 0.
void draw_item(const MarkdownBlock& block, const MarkdownLook& look, int number) {
  const float indent = em(1.4f);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 colour = ImGui::GetColorU32(ImGuiCol_Text);
  const float middle = at.y + em(line_spacing / 2);
  if (number > 0)
    list.AddText({at.x + em(0.1f), middle - em(0.5f)}, colour, (std::to_string(number) + ".").c_str());
  else
    list.AddCircleFilled({at.x + em(0.7f), middle}, em(0.14f), colour);
  ImGui::Indent(indent);
  draw_spans(block.spans, look);
  ImGui::Unindent(indent);
}

/// The widths of the columns of a table: those of their longest texts, or where these do not fit, less of it down to
/// those of the longest words.
std::vector<float> column_widths(const MarkdownRows& rows, std::size_t columns, const MarkdownLook& look) {
  std::vector<float> least(columns, em(1)), most(columns, em(1));
  const auto measure = [&](const MarkdownSpan& span, std::string_view text) {
    ImFont* const font = span.kind == SpanKind::code ? look.fonts.mono : look.fonts.strong;
    const float size = ImGui::GetFontSize();
    return font->CalcTextSizeA(size, FLT_MAX, 0.0f, text.data(), text.data() + text.size()).x + em(0.4f);
  };
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      float whole = 0;
      for (const MarkdownSpan& span : row[i]) {
        whole += measure(span, span.text);
        for (std::string_view rest = span.text; !rest.empty();) {
          const std::size_t end = std::min(rest.find(' '), rest.size());
          least[i] = std::max(least[i], measure(span, rest.substr(0, end)));
          rest.remove_prefix(std::min(end + 1, rest.size()));
        }
      }
      most[i] = std::max({most[i], least[i], whole});
    }
  float fewest = 0, all = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    fewest += least[i];
    all += most[i];
  }
  const float borders = static_cast<float>(columns) * (2 * ImGui::GetStyle().CellPadding.x + 1) + 1;
  const float room = std::max(ImGui::GetContentRegionAvail().x - borders, em(1));
  if (all <= room) return most;
  const float share = all > fewest ? std::max(0.0f, (room - fewest) / (all - fewest)) : 0.0f;
  const float shrunk = std::min(1.0f, room / fewest);  // Words are broken only where they have to be.
  for (std::size_t i = 0; i < columns; ++i)
    most[i] = shrunk * (least[i] + share * (most[i] - least[i]));
  return most;
}

}  // namespace

void draw_spans(std::span<const MarkdownSpan> spans, const MarkdownLook& look, float scale) {
  // Pictures stand between lines of text.
  for (std::size_t at = 0; at < spans.size();) {
    const bool is_picture = spans[at].kind == SpanKind::picture && look.picture;
    if (is_picture) {
      look.picture(spans[at++], ImGui::GetContentRegionAvail().x);
      continue;
    }
    WordFlow flow(look, scale);
    for (; at < spans.size() && (spans[at].kind != SpanKind::picture || !look.picture); ++at)
      flow.add(spans[at]);
    flow.finish();
  }
}

void draw_source(std::string_view source, const MarkdownLook& look, int id) {
  while (source.ends_with('\n'))
    source.remove_suffix(1);
  const auto lines = static_cast<float>(1 + std::ranges::count(source, '\n'));
  const ImGuiStyle& style = ImGui::GetStyle();
  ImGui::PushID(id);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::GetStyleColorVec4(ImGuiCol_FrameBg));
  ImGui::PushFont(look.fonts.mono, 0.0f);
  const float line_height = ImGui::GetFontSize() * 1.2f;
  float width = 0;
  for (std::string_view rest = source; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    width = std::max(width, ImGui::CalcTextSize(rest.data(), rest.data() + end).x);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const bool scrolls = width + 2 * style.WindowPadding.x > ImGui::GetContentRegionAvail().x;
  const float height = lines * line_height + 2 * style.WindowPadding.y + (scrolls ? style.ScrollbarSize : 0.0f);
  if (ImGui::BeginChild("source", {0, height}, ImGuiChildFlags_AlwaysUseWindowPadding,
                        ImGuiWindowFlags_HorizontalScrollbar)) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    bool in_comment = false;
    float y = origin.y;
    for (std::string_view rest = source; !rest.empty(); y += line_height) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      float x = origin.x;
      for (const CodeSpan& span : code_spans(rest.substr(0, end), in_comment)) {
        const char* const begin = rest.data() + span.begin;
        const char* const stop = rest.data() + span.end;
        list.AddText({x, y}, code_colour(span.word), begin, stop);
        x += ImGui::CalcTextSize(begin, stop).x;
      }
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    ImGui::Dummy({width, lines * line_height - style.ItemSpacing.y});
  }
  ImGui::EndChild();
  ImGui::PopFont();
  ImGui::PopStyleColor();
  ImGui::PopID();
}

void draw_rows(const MarkdownRows& rows, const MarkdownLook& look, int id) {
  std::size_t columns = 0;
  for (const auto& row : rows)
    columns = std::max(columns, row.size());
  if (columns == 0) return;
  const std::vector<float> widths = column_widths(rows, columns, look);
  ImGui::PushID(id);
  constexpr int flags = ImGuiTableFlags_Borders | ImGuiTableFlags_NoSavedSettings | ImGuiTableFlags_NoHostExtendX;
  if (ImGui::BeginTable("table", static_cast<int>(columns), flags)) {
    for (const float width : widths)
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, width);
    for (const auto& row : rows) {
      const bool is_head = &row == &rows.front();
      ImGui::TableNextRow(is_head ? ImGuiTableRowFlags_Headers : ImGuiTableRowFlags_None);
      if (is_head) ImGui::PushFont(look.fonts.strong, 0.0f);
      for (const auto& cell : row) {
        ImGui::TableNextColumn();
        draw_spans(cell, look);
      }
      if (is_head) ImGui::PopFont();
    }
    ImGui::EndTable();
  }
  ImGui::PopID();
}

void draw_markdown(std::span<const MarkdownBlock> blocks, const MarkdownLook& look) {
  int number = 0, id = 0;
  for (const MarkdownBlock& block : blocks) {
    number = block.kind == BlockKind::numbered_item ? number + 1 : 0;
    ++id;
    switch (block.kind) {
      case BlockKind::heading:
        draw_heading(block, look);
        break;
      case BlockKind::paragraph:
        draw_spans(block.spans, look);
        break;
      case BlockKind::item:
      case BlockKind::numbered_item:
        draw_item(block, look, number);
        break;
      case BlockKind::source:
        draw_source(block.source, look, id);
        break;
      case BlockKind::table:
        draw_rows(block.rows, look, id);
        break;
    }
    if (block.kind == BlockKind::paragraph && &block != &blocks.back()) space(0.2f);
  }
}

void draw_markdown(std::string_view text, const MarkdownLook& look) {
  draw_markdown(parse_markdown(text), look);
}

}  // namespace threadscape::app
