#include "app/measure/plot/chart_texts.h"

#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/measure/chart_layout.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

/// Draws a text on a background through which lines are seen, but do not cross it out.
void draw_text_over_lines(const TextBox& box, const std::string& text) {
  ImDrawList& list = *ImPlot::GetPlotDrawList();
  ImVec4 behind = ImPlot::GetStyle().Colors[ImPlotCol_PlotBg];
  behind.w = 0.75f;
  list.AddRectFilled({box.x - em(0.15f), box.y}, {box.x + box.width + em(0.15f), box.y + box.height},
                     ImGui::GetColorU32(behind), em(0.15f));
  list.AddText({box.x, box.y}, ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
}

}  // namespace

void name_ceilings(const Chart& chart) {
  constexpr std::array shares{0.85, 0.75, 0.65, 0.55, 0.45, 0.35, 0.25, 0.15, 0.05};
  std::vector<ImVec2> points;
  for (const ChartLine& line : chart.lines)
    for (std::size_t i = 0; i < line.x.size(); ++i)
      points.push_back(ImPlot::PlotToPixels(line.x[i], line.y[i]));
  const ImVec2 low = ImPlot::GetPlotPos(), extent = ImPlot::GetPlotSize();
  const float gap = em(0.25f);
  std::vector<TextBox> boxes;
  const auto covered = [&](const TextBox& box) {
    const auto meets = [&](float x, float y, float width, float height) {
      return x < box.x + box.width + gap && x + width > box.x - gap && y < box.y + box.height + gap &&
             y + height > box.y - gap;
    };
    const auto of_points = std::ranges::count_if(points, [&](const ImVec2& at) { return meets(at.x, at.y, 0, 0); });
    const auto of_names =
        std::ranges::count_if(boxes, [&](const TextBox& b) { return meets(b.x, b.y, b.width, b.height); });
    return static_cast<double>(of_points) + 1000.0 * static_cast<double>(of_names);
  };
  ImPlot::PushPlotClipRect();
  for (const ChartLine& guide : chart.guides) {
    if (guide.x.size() != 2) continue;
    const bool level = guide.y[0] == guide.y[1];
    const std::string name = elided(guide.label, 0.8f * extent.x);
    const ImVec2 size = ImGui::CalcTextSize(name.c_str());
    std::optional<TextBox> best;
    double least = 0.0;
    for (const double share : shares)
      // A rising line has room above it on its left, and below it on its right.
      for (const bool above : {true, false}) {
        const auto between = [share](double from, double to) { return from * std::pow(to / from, share); };
        const ImVec2 at = ImPlot::PlotToPixels(between(guide.x[0], guide.x[1]), between(guide.y[0], guide.y[1]));
        const float x = level ? at.x - size.x / 2 : above ? at.x - size.x - 2 * gap : at.x + 2 * gap;
        const float y = above ? at.y - size.y - gap : at.y + gap;
        if (x < low.x + gap || x + size.x > low.x + extent.x - gap || y < low.y || y + size.y > low.y + extent.y)
          continue;
        const TextBox box{x, y, size.x, size.y};
        if (const double here = covered(box); !best || here < least) {
          best = box;
          least = here;
        }
      }
    if (!best) continue;
    boxes.push_back(*best);
    draw_text_over_lines(*best, name);
  }
  ImPlot::PopPlotClipRect();
}

void draw_marks(const Chart& chart) {
  ImPlot::PushPlotClipRect();
  ImDrawList& list = *ImPlot::GetPlotDrawList();
  const ImVec2 corner = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
  const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text);
  const bool lines = chart.style == ChartStyle::lines;
  std::vector<TextBox> texts;
  for (const ChartMark& mark : chart.marks) {
    const ImVec2 at = ImPlot::PlotToPixels(mark.x, mark.y);
    const float width = ImGui::CalcTextSize(mark.label.c_str()).x;
    const float gap = lines ? em(0.6f) : em(0.3f);
    const float x = std::min(at.x + gap, corner.x + size.x - width - em(0.3f));
    texts.push_back({x, lines ? at.y - em(1.3f) : corner.y + em(0.2f), width, ImGui::GetTextLineHeight()});
    if (!lines)
      list.AddLine({at.x, corner.y}, {at.x, corner.y + size.y}, ImGui::GetColorU32(warning_colour()), em(0.1f));
  }
  separate(texts, corner.y, corner.y + size.y);
  for (std::size_t i = 0; i < texts.size(); ++i)
    draw_text_over_lines(texts[i], chart.marks[i].label);
  if (lines)
    for (const ChartMark& mark : chart.marks)
      list.AddCircle(ImPlot::PlotToPixels(mark.x, mark.y), em(0.45f), ink, 0, em(0.09f));
  ImPlot::PopPlotClipRect();
}

}  // namespace threadscape::app
