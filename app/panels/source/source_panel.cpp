#include "app/panels/source/source_panel.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdio>

#include "app/panels/code/code_editor.h"
#include "app/ui/theme.h"
#include "app/ui/view_canvas.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

bool SourcePanel::has_room() {
  constexpr float least = 50.0f;  // The unit is the height of a line of text.
  return ImGui::GetMainViewport()->WorkSize.x >= em(least);
}

bool SourcePanel::is_there(Desk& desk) {
  if (!desk.shows_code() || !has_room()) return false;
  const auto drawn = desk.scene().drawn_code(desk.workspace().wanted());
  return drawn && code_place(desk.workspace().algorithm(), *drawn);
}

void SourcePanel::draw(Desk& desk) {
  const Work work = desk.workspace().wanted();
  const auto drawn = desk.scene().drawn_code(work);
  if (!drawn) return;
  const bool same = followed_.first == work.algorithm && followed_.second.backend == drawn->backend &&
                    followed_.second.variant == drawn->variant;
  if (!same) chosen_.reset();
  followed_ = {work.algorithm, *drawn};

  DrawnCode code = *drawn;
  code.backend = chosen_.value_or(drawn->backend);
  if (code.backend != drawn->backend) code.variant = code.backend == work.backend ? work.variant : 0;
  const std::array<Segment, 3> segments{
      {{"Serial", true, "The serial code"}, {"OpenMP", true, "The code for all cores"}, {"CUDA", true, "The kernel"}}};
  const int clicked = segmented("backend", segments, static_cast<int>(code.backend), em(13));
  if (clicked >= 0) chosen_ = static_cast<Backend>(clicked);
  const auto place = code_place(*work.algorithm, code);
  if (!place) return;
  const auto variant = work.algorithm->variants_of(code.backend)[static_cast<std::size_t>(code.variant)].name;
  const std::string title = std::string(variant) + ":  " + std::string(place->function) + "()";
  if (fits_behind(ImGui::CalcTextSize(title.c_str()).x)) ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", elided(title, ImGui::GetContentRegionAvail().x).c_str());
  if (ImGui::IsItemHovered()) tooltip(place->file);
  const std::vector<std::string>& lines = sources_.of(place->file);
  if (lines.empty()) return disabled_sentence(("There is no " + place->file + " beside this program.").c_str());
  list(lines, *place, desk.fonts().mono);
}

void SourcePanel::list(const std::vector<std::string>& lines, const CodePlace& place, ImFont* mono) {
  const CodeRange range = find_code(lines, place);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, canvas_colour());
  push_type(TypeSize::normal, mono);
  ImGui::BeginChild("lines", {0, 0}, ImGuiChildFlags_None, ImGuiWindowFlags_HorizontalScrollbar);
  const float row = std::round(ImGui::GetTextLineHeight() * 1.15f), digit = ImGui::CalcTextSize("0").x;
  const float margin = digit * static_cast<float>(std::to_string(lines.size()).size() + 2);
  const float rows_seen = ImGui::GetWindowHeight() / row;
  std::size_t widest = 0;
  for (const std::string& line : lines)
    widest = std::max(widest, line.size());
  // The function from its head on, unless the marked line would be out of sight then.
  std::size_t top = range.begin;
  if (!range.marked.empty() && static_cast<float>(range.marked.front() - range.begin + 3) > rows_seen)
    top = range.marked.front() - static_cast<std::size_t>(std::max(rows_seen * 0.4f, 1.0f)) + 1;
  const std::pair wanted{place.file, top + (range.marked.empty() ? 0 : range.marked.front() * lines.size())};
  scrolls_ = shown_ != wanted;
  if (scrolls_) ImGui::SetScrollY(row * static_cast<float>(top > 0 ? top - 1 : 0));
  shown_ = wanted;

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float left = ImGui::GetWindowPos().x, right = left + ImGui::GetWindowWidth(), size = ImGui::GetFontSize();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(lines.size()), row);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto line = static_cast<std::size_t>(i);
      const std::string& text = lines[line];
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const bool inside = line >= range.begin && line < range.end;
      if (std::ranges::find(range.marked, line) != range.marked.end()) {
        list.AddRectFilled({left, at.y}, {right, at.y + row}, faint_ink());
        list.AddRectFilled({left, at.y}, {left + digit * 0.4f, at.y + row}, accent_ink());
      }
      std::array<char, 16> number{};
      std::snprintf(number.data(), number.size(), "%*zu", static_cast<int>(margin / digit) - 1, line + 1);
      const float y = at.y + (row - size) / 2;
      list.AddText(mono, size, {at.x, y}, ImGui::GetColorU32(ImGuiCol_TextDisabled), number.data());
      bool in_comment = false;
      float x = at.x + margin;
      for (const CodeSpan& span : code_spans(text, in_comment)) {
        const char* const begin = text.data() + span.begin;
        const char* const end = text.data() + span.end;
        list.AddText(mono, size, {x, y}, inside ? code_colour(span.word) : ImGui::GetColorU32(ImGuiCol_TextDisabled),
                     begin, end);
        x += mono->CalcTextSizeA(size, FLT_MAX, 0.0f, begin, end).x;
      }
      ImGui::Dummy({margin + digit * static_cast<float>(widest), row});
    }
  ImGui::PopStyleVar();
  ImGui::EndChild();
  ImGui::PopFont();
  ImGui::PopStyleColor();
}

}  // namespace threadscape::app
