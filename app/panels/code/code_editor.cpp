#include "app/panels/code/code_editor.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "app/scenes/microscope/line_figure.h"
#include "app/ui/held_keys.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

constexpr int tab_width = 2;
/// An editor that is narrower than so many digits shows no figures beside its lines.
constexpr float narrow = 36.0f;

int callback(ImGuiInputTextCallbackData* data) {
  return static_cast<CodeEditor*>(data->UserData)->edited(*data);
}

/// The offset of the first character of a line, from 1 on.
std::size_t begin_of_line(std::string_view text, int line) {
  std::size_t at = 0;
  for (int i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
  return at;
}

int lines_of(std::string_view text) {
  return 1 + static_cast<int>(std::ranges::count(text, '\n'));
}

}  // namespace

ImU32 code_colour(CodeWord word) {
  // In the order of CodeWord.
  static constexpr std::array<ImU32, 8> dark{IM_COL32(222, 226, 230, 255), IM_COL32(120, 170, 255, 255),
                                             IM_COL32(90, 205, 200, 255),  IM_COL32(140, 215, 90, 255),
                                             IM_COL32(240, 175, 95, 255),  IM_COL32(225, 150, 190, 255),
                                             IM_COL32(140, 150, 160, 255), IM_COL32(195, 160, 245, 255)};
  static constexpr std::array<ImU32, 8> light{
      IM_COL32(30, 34, 40, 255), IM_COL32(20, 80, 190, 255),  IM_COL32(0, 105, 110, 255),  IM_COL32(50, 110, 10, 255),
      IM_COL32(150, 75, 0, 255), IM_COL32(160, 40, 100, 255), IM_COL32(95, 105, 115, 255), IM_COL32(110, 60, 170, 255)};
  const bool is_dark = ImGui::GetStyleColorVec4(ImGuiCol_Text).x > 0.5f;
  return (is_dark ? dark : light)[static_cast<std::size_t>(word)];
}

/// Where a new line was added before the cursor, begins it like the one before, and one step further in behind an
/// opening brace.
void CodeEditor::indent(ImGuiInputTextCallbackData& data) const {
  const auto cursor = static_cast<std::size_t>(data.CursorPos);
  const std::string_view now(data.Buf, static_cast<std::size_t>(data.BufTextLen));
  if (cursor == 0 || now[cursor - 1] != '\n' || now.size() != length_ + 1) return;
  const std::size_t before = cursor < 2 ? 0 : now.rfind('\n', cursor - 2) + 1;
  const std::size_t text = std::min(now.find_first_not_of(' ', before), cursor - 1);
  std::string blanks(text - before, ' ');
  if (cursor >= 2 && now[cursor - 2] == '{') blanks.append(tab_width, ' ');
  data.InsertChars(data.CursorPos, blanks.c_str());
}

int CodeEditor::edited(ImGuiInputTextCallbackData& data) {
  if (data.EventFlag == ImGuiInputTextFlags_CallbackResize) {
    text_->resize(static_cast<std::size_t>(data.BufTextLen));
    data.Buf = text_->data();
    return 0;
  }
  // Who writes a brace quickly still holds Shift at the end of the line, which is no new line for ImGui.
  if (data.EventFlag == ImGuiInputTextFlags_CallbackAlways && ImGui::GetIO().KeyShift && !ImGui::GetIO().KeyCtrl &&
      (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter))) {
    if (data.HasSelection()) {
      data.DeleteChars(std::min(data.SelectionStart, data.SelectionEnd),
                       std::abs(data.SelectionEnd - data.SelectionStart));
      data.ClearSelection();
    }
    length_ = static_cast<std::size_t>(data.BufTextLen);
    data.InsertChars(data.CursorPos, "\n");
    indent(data);
  }
  const auto cursor = static_cast<std::size_t>(data.CursorPos);
  if (data.EventFlag == ImGuiInputTextFlags_CallbackEdit) {
    const std::string_view now(data.Buf, static_cast<std::size_t>(data.BufTextLen));
    const bool enter = ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter);
    if (cursor > 0 && now[cursor - 1] == '\n' && enter && modifier_held(ImGuiMod_Ctrl)) {
      // Ctrl+Enter runs the text. ImGui takes it for Enter where Ctrl was let go within a slow frame.
      data.DeleteChars(data.CursorPos - 1, 1);
    } else if (cursor > 0 && now[cursor - 1] == '\t') {
      const std::size_t column = cursor - 1 - (now.rfind('\n', cursor - 1) + 1);
      data.DeleteChars(data.CursorPos - 1, 1);
      data.InsertChars(data.CursorPos, std::string(tab_width - column % tab_width, ' ').c_str());
    } else {
      indent(data);
    }
  }
  if (wanted_line_ > 0 || wanted_end_ > 0) {
    if (wanted_line_ > 0)
      wanted_begin_ = wanted_end_ = begin_of_line({data.Buf, static_cast<std::size_t>(data.BufTextLen)}, wanted_line_);
    data.SelectionStart =
        static_cast<int>(std::min<std::size_t>(wanted_begin_, static_cast<std::size_t>(data.BufTextLen)));
    data.CursorPos = data.SelectionEnd =
        static_cast<int>(std::min<std::size_t>(wanted_end_, static_cast<std::size_t>(data.BufTextLen)));
    wanted_line_ = 0;
    wanted_begin_ = wanted_end_ = 0;
  }
  cursor_ = static_cast<std::size_t>(data.CursorPos);
  length_ = static_cast<std::size_t>(data.BufTextLen);
  return 0;
}

bool CodeEditor::find(std::string_view text, std::string_view needle) {
  if (needle.empty()) return false;
  const bool exact = std::ranges::any_of(needle, [](unsigned char c) { return std::isupper(c) != 0; });
  const auto same = [exact](unsigned char a, unsigned char b) {
    return exact ? a == b : std::tolower(a) == std::tolower(b);
  };
  const auto from = text.begin() + static_cast<std::ptrdiff_t>(std::min(cursor_, text.size()));
  auto found = std::search(from, text.end(), needle.begin(), needle.end(), same);
  if (found == text.end()) found = std::search(text.begin(), text.end(), needle.begin(), needle.end(), same);
  if (found == text.end()) return false;
  wanted_begin_ = static_cast<std::size_t>(found - text.begin());
  wanted_end_ = wanted_begin_ + needle.size();
  cursor_ = wanted_end_;
  return true;
}

void CodeEditor::draw_words(ImDrawList& list, std::string_view text, ImVec2 origin, float low, float high,
                            float line_height) {
  if (coloured_ != text || spans_.empty()) {
    coloured_ = text;
    spans_.clear();
    bool in_comment = false;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      spans_.push_back(code_spans(text.substr(at, end - at), in_comment));
      at = end + 1;
    }
  }
  const float size = ImGui::GetFontSize();
  ImFont* const font = ImGui::GetFont();
  std::size_t at = 0;
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const float top = origin.y + static_cast<float>(i) * line_height;
    if (top > high) break;
    if (top + line_height >= low) {
      float x = origin.x;
      for (const CodeSpan& span : spans_[i]) {
        const char* const begin = text.data() + at + span.begin;
        const char* const stop = text.data() + at + span.end;
        list.AddText(font, size, {x, top}, code_colour(span.word), begin, stop);
        x += font->CalcTextSizeA(size, FLT_MAX, 0.0f, begin, stop).x;
      }
    }
    at = end + 1;
  }
}

void CodeEditor::draw_gutter(const CodeGutter& gutter, ImVec2 low, ImVec2 size, float figures, float line_height,
                             float scroll) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 high{low.x + size.x, low.y + size.y};
  const float digit = ImGui::CalcTextSize("0").x;
  list.PushClipRect(low, high, true);
  list.AddRectFilled(low, high, ImGui::ColorConvertFloat4ToU32(canvas_colour()));
  double most = 0.0;
  for (const auto& [line, figure] : gutter.figures)
    most = std::max(most, figure);
  const float padding = ImGui::GetStyle().FramePadding.y;
  const auto top_of = [&](int line) { return low.y + padding + static_cast<float>(line - 1) * line_height - scroll; };
  for (const auto& [line, figure] : gutter.figures) {
    const float top = top_of(line);
    if (figure <= 0.0 || line < 1) continue;  // Line 0 has what belongs to none.
    const std::string text = figure_text(figure);
    const float end = figures > 0 ? low.x + figures : high.x - 1.3f * digit;
    list.AddRectFilled({low.x, top}, {end, top + line_height - 1}, heat(most > 0 ? figure / most : 0));
    if (figures > 0)
      list.AddText({end - 0.5f * digit - ImGui::CalcTextSize(text.c_str()).x, top}, ImGui::GetColorU32(ImGuiCol_Text),
                   text.c_str());
  }
  const int lines = lines_of(*text_);
  for (int line = std::max(1, static_cast<int>(scroll / line_height)); line <= lines; ++line) {
    const float top = top_of(line);
    if (top > high.y) break;
    std::array<char, 16> number{};
    std::snprintf(number.data(), number.size(), "%d", line);
    list.AddText(
        {high.x - 1.5f * digit - ImGui::CalcTextSize(number.data()).x, top},
        ImGui::GetColorU32(figures > 0 || !gutter.figures.contains(line) ? ImGuiCol_TextDisabled : ImGuiCol_Text),
        number.data());
  }
  const ImVec2 mouse = ImGui::GetMousePos();
  const bool hovered =
      ImGui::IsWindowHovered() && mouse.x >= low.x && mouse.x < high.x && mouse.y >= low.y && mouse.y < high.y;
  std::string tip;
  for (const CodeMark& mark : gutter.marks) {
    const float top = top_of(mark.line);
    const ImVec4 ink = mark.error ? warning_colour() : muted_text();
    list.AddCircleFilled({high.x - 0.7f * digit, top + line_height / 2}, digit * 0.42f,
                         ImGui::ColorConvertFloat4ToU32(ink));
    if (hovered && mouse.y >= top && mouse.y < top + line_height) tip += (tip.empty() ? "" : "\n") + mark.text;
  }
  const int under_mouse = 1 + static_cast<int>((mouse.y - top_of(1)) / line_height);
  if (hovered && tip.empty() && gutter.figures.contains(under_mouse))
    tip = "line " + std::to_string(under_mouse) + ": " + figure_text(gutter.figures.at(under_mouse)) + " " +
          std::string(gutter.figure);
  if (hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) go_to(std::clamp(under_mouse, 1, lines));
  if (!tip.empty()) tooltip(tip);
  list.PopClipRect();
}

void CodeEditor::draw(std::string& text, const CodeGutter& gutter, ImFont* mono, ImVec2 size) {
  text_ = &text;
  ImGui::PushFont(mono, 0.0f);
  const float digit = ImGui::CalcTextSize("0").x;
  const float line_height = ImGui::GetTextLineHeight();
  const auto digits = static_cast<float>(std::max<std::size_t>(2, std::to_string(lines_of(text)).size()));
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  // A narrow editor has the colours behind the numbers of its lines, and the figures in tooltips.
  float figures = 0.0f;
  if (size.x > narrow * digit)
    for (const auto& [line, figure] : gutter.figures)
      if (line > 0 && figure > 0.0)
        figures = std::max(figures, ImGui::CalcTextSize(figure_text(figure).c_str()).x + digit);
  const ImVec2 beside{(digits + 2.0f) * digit + figures, size.y};
  ImGui::Dummy(beside);
  ImGui::SameLine(0.0f, 0.0f);

  if (wanted_line_ > 0 || wanted_end_ > 0) ImGui::SetKeyboardFocusHere();
  // A field that is edited has a copy of the text. What has changed the text since the last frame is no key.
  ImGuiInputTextState* const edited = ImGui::GetInputTextState(ImGui::GetID("##code"));
  if (edited != nullptr && !spans_.empty() && coloured_ != text) edited->ReloadUserBufAndKeepSelection();
  // The field draws the cursor and the selection; its text is drawn afterwards in the colours of words.
  ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(0, 0, 0, 0));
  ImGui::PushStyleColor(ImGuiCol_FrameBg, canvas_colour());
  ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, 0.0f);
  ImGui::InputTextMultiline("##code", text.data(), text.capacity() + 1, {size.x - beside.x, size.y},
                            ImGuiInputTextFlags_AllowTabInput | ImGuiInputTextFlags_CallbackResize |
                                ImGuiInputTextFlags_CallbackEdit | ImGuiInputTextFlags_CallbackAlways,
                            callback, this);
  const ImGuiID field = ImGui::GetItemID();
  active_ = ImGui::IsItemActive();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(2);
  // The field is a window of its own, which scrolls.
  ImGuiWindow* const parent = ImGui::GetCurrentWindow();
  if (!parent->DC.ChildWindows.empty()) {
    const ImGuiWindow& child = *parent->DC.ChildWindows.back();
    const ImGuiInputTextState* const state = ImGui::GetInputTextState(field);
    scroll_ = child.Scroll.y;
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    const ImVec2 origin{child.Pos.x + padding.x - (state != nullptr ? state->Scroll.x : 0.0f),
                        child.Pos.y + padding.y - child.Scroll.y};
    child.DrawList->PushClipRect(child.InnerClipRect.Min, child.InnerClipRect.Max, false);
    draw_words(*child.DrawList, text, origin, child.InnerClipRect.Min.y, child.InnerClipRect.Max.y, line_height);
    child.DrawList->PopClipRect();
  }
  draw_gutter(gutter, corner, beside, figures, line_height, scroll_);
  if (wanted_line_ > 0 || wanted_end_ > 0) hold_keys();
  ImGui::PopFont();
}

}  // namespace threadscape::app
