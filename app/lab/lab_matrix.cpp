#include "app/lab/lab_matrix.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/analysis/speedup.h"
#include "app/measure/measurement.h"
#include "app/measure/plot/chart_plot.h"
#include "app/report/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

std::string matrix_csv(const WinMatrix& matrix) {
  std::string text = "row,items,winner,factor,factor_of_pairs,tie\n";
  for (std::size_t row = 0; row < matrix.rows.size(); ++row)
    for (std::size_t column = 0; column < matrix.columns.size(); ++column) {
      const WinCell& cell = matrix.at(row, column);
      if (!cell.measured) continue;
      text += csv_field(matrix.rows[row]) + "," + format_exact(matrix.columns[column]) + "," +
              std::string(name_of(cell.winner)) + "," + format_exact(cell.factor) + "," + format_exact(cell.pairs) +
              "," + (cell.tie ? "1" : "0") + "\n";
    }
  return text;
}

void draw_matrix(const WinMatrix& matrix, ImVec2 size) {
  if (matrix.rows.empty()) {
    sentence_in_the_middle("Choose what varies and press Run, or open a report.", size);
    return;
  }
  const float room = size.x * 0.36f;
  const bool fit = std::ranges::all_of(
      matrix.rows, [room](const std::string& row) { return ImGui::CalcTextSize(row.c_str()).x <= room; });
  const std::vector<std::string> names = fit ? matrix.rows : short_labels(matrix.rows);
  const auto columns = static_cast<int>(matrix.columns.size()) + 1;
  constexpr int max_columns = 64;
  if (!ImGui::BeginTable("winners", std::min(columns, max_columns),
                         ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit |
                             ImGuiTableFlags_BordersInner,
                         size))
    return;
  ImGui::TableSetupScrollFreeze(1, 1);
  ImGui::TableSetupColumn("");
  for (int column = 1; column < std::min(columns, max_columns); ++column)
    ImGui::TableSetupColumn(format_count(matrix.columns[static_cast<std::size_t>(column - 1)]).c_str());
  ImGui::TableHeadersRow();
  for (std::size_t row = 0; row < matrix.rows.size(); ++row) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + std::max(room, em(12)));
    ImGui::TextUnformatted(names[row].c_str());
    ImGui::PopTextWrapPos();
    if (!fit && ImGui::IsItemHovered()) tooltip(matrix.rows[row]);
    for (int column = 1; column < std::min(columns, max_columns); ++column) {
      ImGui::TableNextColumn();
      const WinCell& cell = matrix.at(row, static_cast<std::size_t>(column - 1));
      if (!cell.measured) continue;
      ImVec4 colour = backend_colour(cell.winner);
      colour.w = cell.tie ? 0.15f : 0.45f;
      ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, ImGui::GetColorU32(colour));
      std::string text(name_of(cell.winner));
      if (cell.tie)
        text += " (tie)";
      else if (cell.factor > 1.0)
        text += " " + factor_text(cell.factor) + (ratios_differ(cell.factor, cell.pairs) ? "?" : "");
      ImGui::TextUnformatted(text.c_str());
      if (!ImGui::IsItemHovered()) continue;
      std::string times;
      for (const WinCell::Time& time : cell.times)
        times += (times.empty() ? "" : "\n") + std::string(name_of(time.backend)) + ": " +
                 format_ms(time.median.median) + ", 95 %: " + format_ms(time.median.interval.low) + " .. " +
                 format_ms(time.median.interval.high) + ", " + std::to_string(time.samples) + " samples";
      if (cell.times.size() > 1)
        times +=
            "\nratio of the two medians: " + factor_text(cell.factor) +
            "; median of the ratios of all pairs of runs: " + factor_text(cell.pairs) +
            (ratios_differ(cell.factor, cell.pairs) ? ". They differ: the times have several values, as where other "
                                                      "programs run beside it"
                                                    : "");
      tooltip(times);
    }
  }
  ImGui::EndTable();
}

}  // namespace threadscape::app
