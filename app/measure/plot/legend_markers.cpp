#include "app/measure/plot/legend_markers.h"

#include <imgui_internal.h>
#include <implot_internal.h>

#include <algorithm>

namespace threadscape::app {

namespace {

/// Draws a marker with ImPlot's shapes and proportions, in a circle of this radius.
void draw_legend_marker(ImDrawList& list, ImPlotMarker marker, ImVec2 at, float radius, ImU32 colour) {
  const float half = 0.7071068f * radius, wide = 0.8660254f * radius, low = 0.5f * radius;
  switch (marker) {
    case ImPlotMarker_None:
      return;
    case ImPlotMarker_Square:
      list.AddRectFilled({at.x - half, at.y - half}, {at.x + half, at.y + half}, colour);
      return;
    case ImPlotMarker_Diamond:
      list.AddQuadFilled({at.x - radius, at.y}, {at.x, at.y - radius}, {at.x + radius, at.y}, {at.x, at.y + radius},
                         colour);
      return;
    case ImPlotMarker_Up:
      list.AddTriangleFilled({at.x - wide, at.y + low}, {at.x, at.y - radius}, {at.x + wide, at.y + low}, colour);
      return;
    case ImPlotMarker_Down:
      list.AddTriangleFilled({at.x - wide, at.y - low}, {at.x + wide, at.y - low}, {at.x, at.y + radius}, colour);
      return;
    default:
      list.AddCircleFilled(at, radius, colour);
  }
}

}  // namespace

void LegendMarkers::add(const char* name, ImPlotMarker marker, const ImVec4& colour, bool joined) {
  plot_ = ImPlot::GetCurrentPlot()->ID;
  lines_.push_back({ImGui::GetID(name), marker, colour, joined});
}

void LegendMarkers::draw() const {
  ImPlotPlot* const plot = plot_ == 0 ? nullptr : ImPlot::GetCurrentContext()->Plots.GetByKey(plot_);
  if (plot == nullptr || (plot->Flags & ImPlotFlags_NoLegend) != 0) return;
  ImPlotItemGroup& items = plot->Items;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImVec4 behind = ImPlot::GetStyleColorVec4(ImPlotCol_LegendBg);
  behind.w = 1.0f;  // so that the square of ImPlot is not seen
  const ImPlotStyle& style = ImPlot::GetStyle();
  const float side = ImGui::GetTextLineHeight(), radius = 0.36f * side;
  list.PushClipRect(items.Legend.RectClamped.Min, items.Legend.RectClamped.Max, true);
  for (int i = 0; i < items.GetLegendCount(); ++i) {
    const ImPlotItem* const item = items.GetLegendItem(i);
    const auto line = std::ranges::find(lines_, item->ID, &Line::item);
    if (line == lines_.end()) continue;
    // The square is at the left of its entry, and as high as a line of text.
    const ImVec2 low{
        items.Legend.Rect.Min.x + style.LegendInnerPadding.x,
        items.Legend.Rect.Min.y + style.LegendInnerPadding.y + static_cast<float>(i) * (side + style.LegendSpacing.y)};
    const ImVec2 high{low.x + side, low.y + side}, middle{low.x + 0.42f * side, low.y + 0.5f * side};
    const ImU32 colour = item->Show ? ImGui::GetColorU32(line->colour) : ImGui::GetColorU32(ImGuiCol_TextDisabled);
    list.AddRectFilled(low, high, ImGui::GetColorU32(behind));
    if (line->joined) list.AddLine({low.x, middle.y}, {high.x - 0.15f * side, middle.y}, colour, 0.12f * side);
    draw_legend_marker(list, line->marker, middle, radius, colour);
  }
  list.PopClipRect();
}

}  // namespace threadscape::app
