#include "tests/support/app/text_rectangles.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace threadscape::app {

namespace {

/// A glyph is a quad of six indices and four vertices with a part of the texture of the fonts that has two dimensions.
/// Areas have one place of it, and lines a row.
bool is_glyph(const ImDrawVert* v) {
  const float u0 = std::min(v[0].uv.x, v[2].uv.x), u1 = std::max(v[0].uv.x, v[2].uv.x);
  const float v0 = std::min(v[0].uv.y, v[2].uv.y), v1 = std::max(v[0].uv.y, v[2].uv.y);
  const bool upright = v[0].pos.y == v[1].pos.y && v[1].pos.x == v[2].pos.x && v[2].pos.y == v[3].pos.y;
  const bool visible = (v[0].col & IM_COL32_A_MASK) != 0;
  return upright && visible && u1 > u0 && v1 > v0 && v[0].uv.y == v[1].uv.y && v[2].uv.y == v[3].uv.y;
}

bool covers_by_intention(const ImDrawList& list) {
  const std::string_view name = list._OwnerName != nullptr ? list._OwnerName : "";
  return name.starts_with("##Tooltip") || name.starts_with("##Popup") || name.starts_with("##Combo") ||
         name.starts_with("##Menu");
}

}  // namespace

std::vector<TextRun> text_runs(const ImDrawData& data) {
  std::vector<TextRun> runs;
  const ImTextureRef fonts = ImGui::GetIO().Fonts->TexRef;
  for (int n = 0; n < data.CmdLists.Size; ++n) {
    const ImDrawList& list = *data.CmdLists[n];
    if (covers_by_intention(list)) continue;
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.TexRef._TexData != fonts._TexData || command.UserCallback != nullptr) continue;
      ImVec2 end{-1e9f, -1e9f};  // The end of the last glyph.
      for (unsigned at = 0; at + 6 <= command.ElemCount; at += 3) {
        const ImDrawIdx* index = &list.IdxBuffer[static_cast<int>(command.IdxOffset + at)];
        const bool quad = index[1] == index[0] + 1 && index[2] == index[0] + 2 && index[3] == index[0] &&
                          index[4] == index[0] + 2 && index[5] == index[0] + 3;
        if (!quad) continue;
        const ImDrawVert* v = &list.VtxBuffer[static_cast<int>(command.VtxOffset + index[0])];
        if (!is_glyph(v)) continue;
        at += 3;
        const ImVec4 clip = command.ClipRect;
        const ImVec2 low{std::max(v[0].pos.x, clip.x), std::max(v[0].pos.y, clip.y)};
        const ImVec2 high{std::min(v[2].pos.x, clip.z), std::min(v[2].pos.y, clip.w)};
        if (low.x >= high.x || low.y >= high.y) continue;
        const bool cut = low.x - v[0].pos.x > 1.0f || v[2].pos.x - high.x > 1.0f;
        const float height = v[2].pos.y - v[0].pos.y;
        const bool follows = std::abs(v[0].pos.x - end.x) < 0.6f * std::max(height, 6.0f) && !runs.empty() &&
                             low.y < runs.back().high.y + 2.0f * height && high.y > runs.back().low.y - 2.0f * height &&
                             std::abs((low.y + high.y) / 2 - (runs.back().low.y + runs.back().high.y) / 2) < 8.0f;
        end = v[2].pos;
        if (!follows) {
          runs.push_back({low, high, n, cut});
          continue;
        }
        TextRun& run = runs.back();
        run.cut = run.cut || cut;
        run.low = {std::min(run.low.x, low.x), std::min(run.low.y, low.y)};
        run.high = {std::max(run.high.x, high.x), std::max(run.high.y, high.y)};
      }
    }
  }
  return runs;
}

std::string cut_text(const ImDrawData& data) {
  std::string found;
  for (const TextRun& run : text_runs(data)) {
    const char* owner = data.CmdLists[run.list]->_OwnerName;
    if (run.cut)
      found += std::string(owner != nullptr ? owner : "?") + " (" + std::to_string(std::lround(run.low.x)) + ", " +
               std::to_string(std::lround(run.low.y)) + ") to " + std::to_string(std::lround(run.high.x)) + "\n";
  }
  return found;
}

std::string overlapping_text(const ImDrawData& data) {
  const std::vector<TextRun> runs = text_runs(data);
  std::string found;
  const auto text = [](const TextRun& run) {
    return "(" + std::to_string(std::lround(run.low.x)) + ", " + std::to_string(std::lround(run.low.y)) + ") to (" +
           std::to_string(std::lround(run.high.x)) + ", " + std::to_string(std::lround(run.high.y)) + ")";
  };
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (std::size_t k = i + 1; k < runs.size(); ++k) {
      const float wide = std::min(runs[i].high.x, runs[k].high.x) - std::max(runs[i].low.x, runs[k].low.x);
      const float high = std::min(runs[i].high.y, runs[k].high.y) - std::max(runs[i].low.y, runs[k].low.y);
      if (wide > 1.0f && high > 1.0f) found += text(runs[i]) + " and " + text(runs[k]) + "\n";
    }
  return found;
}

}  // namespace threadscape::app
