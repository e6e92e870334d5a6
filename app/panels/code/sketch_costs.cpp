#include "app/panels/code/sketch_costs.h"

#include <imgui.h>

#include <algorithm>

#include "app/analysis/verdict.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

RowComparison verdict_on(const SketchComparison& costs) {
  const std::vector<RowSamples> samples{{.before = costs.other_ms, .after = costs.sketch_ms}};
  return compare_rows(samples, {}).front();
}

void row(const std::string& title, const std::string& sketch, const std::string& other) {
  ImGui::TableNextRow();
  for (const std::string* cell : {&title, &sketch, &other}) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(cell->c_str());
  }
}

}  // namespace

std::string cost_sentence(const SketchComparison& costs) {
  if (!costs.where.empty()) {
    const RowComparison found = verdict_on(costs);
    const bool same = found.verdict == Verdict::same, unclear = found.verdict == Verdict::unclear;
    return std::string(name_of(found.verdict)) +
           (same      ? " as "
            : unclear ? " beside "
                      : " than ") +
           costs.other + " on " + costs.where + ": " + format_ms(found.after) + ", not " + format_ms(found.before);
  }
  std::string text = "Beside " + costs.other + ":";
  int listed = 0;
  for (const ComparedCount& count : costs.counts)
    if (count.of_sketch != count.of_other && listed++ < 3)
      text += std::string(listed > 1 ? ", " : " ") +
              (count.of_other > 0 ? format_value(count.of_sketch / count.of_other) + " times the "
                                  : format_value(count.of_sketch) + " per value, not 0, of the ") +
              std::string(count.title);
  if (listed == 0) text += " equal counts";
  return text + " (no times: " + costs.why_no_times + ")";
}

void draw_costs(const SketchComparison& costs) {
  if (!ImGui::BeginTable("costs", 3, ImGuiTableFlags_SizingFixedFit)) return;
  const bool timed = !costs.where.empty();
  for (const std::string& title : {std::string(timed ? "milliseconds" : "per value"), costs.sketch, costs.other})
    ImGui::TableSetupColumn(title.c_str());
  ImGui::TableHeadersRow();
  for (const ComparedCount& count : costs.counts)
    if (count.of_sketch > 0 || count.of_other > 0)
      row(std::string(count.title), format_value(count.of_sketch), format_value(count.of_other));
  if (timed) {
    const RowComparison found = verdict_on(costs);
    row("median", format_ms(found.after), format_ms(found.before));
    row("samples", std::to_string(costs.sketch_ms.size()), std::to_string(costs.other_ms.size()));
  }
  ImGui::EndTable();
}

}  // namespace threadscape::app
