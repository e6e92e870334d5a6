#include "app/panels/parameters/ab_panel.h"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/analysis/samples.h"
#include "app/analysis/speedup.h"
#include "app/analysis/verdict.h"
#include "app/panels/timings/factor_line.h"
#include "app/shell/field_names.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

/// A cell of the table, cut to its width, with the whole text as a tip.
void cut_cell(const std::string& text) {
  ImGui::TableNextColumn();
  const std::string fitting = elided(text, ImGui::GetContentRegionAvail().x);
  ImGui::TextUnformatted(fitting.c_str());
  if (fitting != text && ImGui::IsItemHovered()) tooltip(text);
}

/// The median with the ends of its interval where that is known: "12.1 ms (11.9 .. 12.4)"; "-" without times.
std::string time_text(const std::vector<double>& times) {
  if (times.empty()) return "-";
  const MedianInterval median = median_interval(times);
  if (!median.reached) return format_ms(median.median);
  return format_ms(median.median) + " (" + format_value(median.interval.low) + " .. " +
         format_value(median.interval.high) + ")";
}

void draw_differences(const std::vector<SettingDifference>& all, const std::vector<double>& a_times,
                      const std::vector<double>& b_times) {
  if (!ImGui::BeginTable("ab", 3, ImGuiTableFlags_SizingStretchSame | ImGuiTableFlags_BordersInnerV)) return;
  ImGui::TableSetupColumn("");
  ImGui::TableSetupColumn("A (now)");
  ImGui::TableSetupColumn("B");
  ImGui::TableHeadersRow();
  for (const SettingDifference& difference : all) {
    cut_cell(difference.title);
    cut_cell(difference.a);
    cut_cell(difference.b);
  }
  cut_cell("Time");
  cut_cell(time_text(a_times));
  cut_cell(time_text(b_times));
  ImGui::EndTable();
}

}  // namespace

std::string ab_sentence(const std::vector<double>& a, const std::vector<double>& b) {
  const auto missing = [](const std::vector<double>& times) {
    return min_interval_samples - std::min(min_interval_samples, times.size());
  };
  if (missing(a) + missing(b) > 0)
    return "UNCLEAR: " + std::to_string(missing(a)) + " more runs of A and " + std::to_string(missing(b)) +
           " of B are needed, after a first one each that warms up. Space runs A again";
  const RowSamples samples{.before = b, .after = a};
  const RowComparison row = compare_rows({&samples, 1}, {}).front();
  const Interval& times = row.ratio.interval;
  const double medians = row.before / row.after;
  const auto faster = [](const char* text, double factor, double pairs, double low, double high) {
    return text[0] + std::string(" is ") + format_value(factor) + " x as fast as " + text[1] +
           " by the medians; by all pairs of runs " + format_value(pairs) + " x (95 %: " + format_value(low) + " .. " +
           format_value(high) + ")" +
           (ratios_differ(factor, pairs) ? ". The two differ, since the times have several values: run both again"
                                         : "");
  };
  if (row.verdict == Verdict::faster)
    return faster("AB", medians, 1.0 / row.ratio.ratio, 1.0 / times.high, 1.0 / times.low);
  if (row.verdict == Verdict::slower) return faster("BA", 1.0 / medians, row.ratio.ratio, times.low, times.high);
  if (row.verdict == Verdict::same) return "SAME: the times of A and B differ by less than 2 %";
  return "UNCLEAR: A takes " + format_value(times.low) + " .. " + format_value(times.high) +
         " of the time of B; more runs decide (Space)";
}

void draw_ab(Desk& desk) {
  Workspace& workspace = desk.workspace();
  const std::vector<double> a_times = desk.present_times();
  heading(desk.fonts().strong, "A and B");
  const std::vector<SettingDifference> all = differences(workspace.setting(), workspace.slot.b());
  if (all.empty()) disabled_sentence("A is the same as B: change something");
  const std::optional<CpuFactor> factor = factor_of_a_and_b(workspace);
  std::vector<double> b_times = workspace.slot.b_times();
  if (factor)
    if (std::vector<double> later = times_of_b(workspace.timings, *factor); later.size() > b_times.size())
      b_times = std::move(later);
  draw_differences(all, a_times, b_times);
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextDisabled("%s", ab_sentence(a_times, b_times).c_str());
  ImGui::PopTextWrapPos();
  if (factor) draw_factor_line(desk, *factor, ImGui::GetContentRegionAvail().x);
  if (const std::string of_cuda = device_sentence_of_a_and_b(workspace); !of_cuda.empty())
    draw_grey_line(of_cuda + ".", of_cuda + ".", ImGui::GetContentRegionAvail().x);
  ImGui::Checkbox("Compare pictures with B", &workspace.slot.compares_pictures);
  if (ImGui::IsItemHovered())
    tooltip("In 2-D, Split, Side by side and Difference show B in the place of the input and of the serial result");
  const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  if (ImGui::Button("Swap", {half, 0})) desk.swap_a_and_b();
  if (ImGui::IsItemHovered()) tooltip("B becomes the present setting, and this one B (Shift+K)");
  ImGui::SameLine();
  if (ImGui::Button("Forget B", {half, 0})) workspace.slot.clear();
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();
}

}  // namespace threadscape::app
