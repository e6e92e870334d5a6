#include "app/lab/value_table.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/measure/chart_layout.h"
#include "app/measure/chart_text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

constexpr std::size_t most_columns = 61;
constexpr ImGuiTableFlags table_flags = ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY |
                                        ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_SizingFixedFit |
                                        ImGuiTableFlags_NoSavedSettings;

std::string shown_in_cell(const std::string& text, bool name) {
  return elided(text, em(name ? 18 : 9));
}

void draw_cell(const std::string& text, bool name, bool head) {
  ImGui::TableNextColumn();
  const std::string shown = shown_in_cell(text, name);
  const float room = ImGui::GetContentRegionAvail().x;
  if (!name)  // Numbers stand below each other.
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, room - ImGui::CalcTextSize(shown.c_str()).x));
  if (head || name)
    ImGui::TextDisabled("%s", shown.c_str());
  else
    ImGui::TextUnformatted(shown.c_str());
  if (shown != text && ImGui::IsItemHovered()) tooltip(text);
}

}  // namespace

ValueCells value_cells(const Chart& chart) {
  if (chart.style == ChartStyle::histogram || is_empty(chart)) return {};
  ValueCells by_place = chart_cells(chart);
  // Bars that are drawn as shares have the numbers of which these are the shares.
  by_place.front().front() += chart.y_label.empty() ? "" : ", " + chart.y_label;
  if (chart.style == ChartStyle::stacked) return by_place;
  if (by_place.size() > most_columns) return {};
  ValueCells cells(by_place.front().size(), std::vector<std::string>(by_place.size()));
  for (std::size_t row = 0; row < by_place.size(); ++row)
    for (std::size_t column = 0; column < by_place[row].size(); ++column)
      cells[column][row] = by_place[row][column];
  return cells;
}

float value_table_height(const ValueCells& cells) {
  const float row = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
  return cells.empty() ? 0.0f : std::ceil(static_cast<float>(cells.size()) * row + em(0.3f));
}

void draw_value_table(const ValueCells& cells, float height) {
  if (cells.empty() || height <= 0.0f) return;
  const auto columns = static_cast<int>(cells.front().size());
  if (!ImGui::BeginTable("values", columns, table_flags, {0, height})) return;
  ImGui::TableSetupScrollFreeze(1, 1);
  for (std::size_t column = 0; column < cells.front().size(); ++column) {
    float width = 1.0f;  // ImGui itself would find the width of new texts only frames later.
    for (const std::vector<std::string>& row : cells)
      if (column < row.size())
        width = std::max(width, ImGui::CalcTextSize(shown_in_cell(row[column], column == 0).c_str()).x);
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, std::ceil(width));
  }
  for (std::size_t row = 0; row < cells.size(); ++row) {
    ImGui::TableNextRow();
    for (std::size_t column = 0; column < cells[row].size(); ++column)
      draw_cell(cells[row][column], column == 0, row == 0);
  }
  ImGui::EndTable();
}

}  // namespace threadscape::app
