#include "app/lab/lab_compare.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/measure/plot/chart_plot.h"
#include "app/report/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"
#include "compute/core/errors.h"

namespace threadscape::app {

namespace {

/// The colours of Okabe and Ito for better and worse, which differ in lightness as well. The word beside them says the
/// same.
ImVec4 verdict_colour(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster:
      return {0.0f, 0.62f, 0.45f, 0.45f};
    case Verdict::slower:
      return {0.84f, 0.37f, 0.0f, 0.55f};
    default:
      return {0.0f, 0.0f, 0.0f, 0.0f};
  }
}

/// The ends of the axis of ratios, symmetric around 1: every ratio with its interval, and the rule's effect.
double reach_of(const ComparisonReport& report) {
  double reach = std::log(1.0 + 2.0 * report.rule.effect);
  for (const LabelledComparison& compared : report.rows)
    for (const double ratio :
         {compared.row.ratio.ratio, compared.row.ratio.interval.low, compared.row.ratio.interval.high})
      if (std::isfinite(ratio) && ratio > 0.0) reach = std::max(reach, std::abs(std::log(ratio)));
  return reach * 1.05;
}

/// Draws the interval of a ratio on a logarithmic axis of this width, with a line at 1.
void draw_interval(const RatioEstimate& ratio, double reach, float width) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 size{width, ImGui::GetTextLineHeight()};
  ImGui::Dummy(size);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto at = [&](double value) {
    const double share = 0.5 + 0.5 * std::log(value) / reach;
    return corner.x + static_cast<float>(std::clamp(share, 0.0, 1.0)) * size.x;
  };
  const float middle = corner.y + size.y / 2;
  list.AddLine({at(1.0), corner.y}, {at(1.0), corner.y + size.y}, ImGui::GetColorU32(muted_text()), em(0.06f));
  const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text);
  if (std::isfinite(ratio.interval.high) && ratio.interval.low > 0.0)
    list.AddLine({at(ratio.interval.low), middle}, {at(ratio.interval.high), middle}, ink, em(0.12f));
  list.AddCircleFilled({at(ratio.ratio), middle}, em(0.2f), ink);
}

/// Draws a list of the reports that have rows. Returns true if another one was chosen.
bool report_list(const char* id, const LabReports& reports, std::optional<std::size_t>& chosen, float width) {
  bool changed = false;
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo(id, chosen ? reports[*chosen].name.c_str() : "")) return false;
  for (std::size_t i = 0; i < reports.size(); ++i)
    if (!reports[i].rows.empty() && ImGui::Selectable(reports[i].name.c_str(), chosen == i) && chosen != i) {
      chosen = i;
      changed = true;
    }
  ImGui::EndCombo();
  return changed;
}

}  // namespace

void LabComparison::update(const LabReports& reports) {
  const auto usable = [&](std::optional<std::size_t> side) {
    return side && *side < reports.size() && !reports[*side].rows.empty();
  };
  if (!usable(before_) || !usable(after_) || before_ == after_) {
    before_.reset();
    after_.reset();
    // Files come first: what this session has measured is what is new.
    std::vector<std::size_t> with_rows;
    for (std::size_t i = 1; i < reports.size(); ++i)
      if (!reports[i].rows.empty()) with_rows.push_back(i);
    if (!reports.empty() && !reports.front().rows.empty()) with_rows.push_back(0);
    if (!with_rows.empty()) before_ = with_rows.front();
    if (with_rows.size() > 1) after_ = with_rows[1];
  }
  compare(reports);
}

void LabComparison::compare(const LabReports& reports) {
  report_.reset();
  names_.clear();
  trouble_.clear();
  if (!before_ || !after_) {
    trouble_ = "Two reports are compared: open one, and press Run or open another one.";
    return;
  }
  try {
    report_ = compare_reports(reports[*before_], reports[*after_], {});
    for (const LabelledComparison& compared : report_->rows)
      names_.push_back(compared.label);
    names_ = short_labels(names_);
  } catch (const UsageError& error) {
    trouble_ = error.what();
  }
}

bool LabComparison::draw_sides(const LabReports& reports) {
  if (!before_ || !after_) return false;
  const float width = std::min(em(16), (ImGui::GetContentRegionAvail().x - em(8)) / 2);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("before");
  ImGui::SameLine();
  bool changed = report_list("##before", reports, before_, width);
  ImGui::SameLine();
  ImGui::TextUnformatted("after");
  ImGui::SameLine();
  changed = report_list("##after", reports, after_, width) || changed;
  if (changed) compare(reports);
  return changed;
}

void LabComparison::draw(ImVec2 size) const {
  if (!report_) return sentence_in_the_middle(trouble_.c_str(), size);
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit |
                                    ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_RowBg;
  // Where there is no room for all columns, the last two are only in the tip of a row.
  const std::size_t columns = comparison_titles.size() - (size.x < em(64) ? 2 : 0);
  if (!ImGui::BeginTable("comparison", static_cast<int>(columns) + 1, flags, size)) return;
  ImGui::TableSetupScrollFreeze(1, 1);
  for (std::size_t i = 0; i < columns; ++i) {
    if (i == 5) ImGui::TableSetupColumn("faster | slower");  // The drawn interval stands before its numbers.
    ImGui::TableSetupColumn(comparison_titles[i]);
  }
  ImGui::TableHeadersRow();
  const double reach = reach_of(*report_);
  const float interval_width = std::clamp(size.x * 0.12f, em(5), em(9));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(report_->rows.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const LabelledComparison& compared = report_->rows[static_cast<std::size_t>(i)];
      const std::vector<std::string> cells = comparison_cells(compared);
      ImGui::TableNextRow();
      for (std::size_t column = 0; column < columns; ++column) {
        ImGui::TableNextColumn();
        if (column == 5) {
          draw_interval(compared.row.ratio, reach, interval_width);
          ImGui::TableNextColumn();
        }
        // A long name must not push the figures out of sight.
        const std::string name = elided(names_[static_cast<std::size_t>(i)], std::max(size.x * 0.38f, em(12)));
        ImGui::TextUnformatted((column == 0 ? name : cells[column]).c_str());
        if (column == 0 && ImGui::IsItemHovered())
          tooltip(compared.label + "\np " + cells[6] + ", " + cells[7] + " samples");
        if (column == 1)
          ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, ImGui::GetColorU32(verdict_colour(compared.row.verdict)));
      }
    }
  ImGui::EndTable();
}

std::vector<std::string> LabComparison::notes() const {
  std::vector<std::string> notes;
  if (!report_) return notes;
  notes.push_back(counts_sentence(*report_));
  notes.push_back("Mann-Whitney test, p adjusted by Holm for " + std::to_string(report_->rows.size()) +
                  (report_->rows.size() == 1 ? " row" : " rows") + "; a change of at least " +
                  format_number(report_->rule.effect * 100.0, 2) + " % counts; UNCLEAR: more samples are needed.");
  notes.emplace_back(pairs_sentence);
  notes.emplace_back("The sides were measured one after the other, so that a drift of the machine counts as a change.");
  notes.insert(notes.end(), report_->notes.begin(), report_->notes.end());
  return notes;
}

std::string LabComparison::csv() const {
  std::string text = "row,verdict,before_ms,after_ms,ratio,low,high,p,adjusted_p,before_samples,after_samples\n";
  if (!report_) return text;
  for (const LabelledComparison& compared : report_->rows) {
    const RowComparison& row = compared.row;
    const bool interval = std::isfinite(row.ratio.interval.high);
    text += csv_field(compared.label) + "," + std::string(name_of(row.verdict)) + "," + format_exact(row.before) + "," +
            format_exact(row.after) + "," + format_exact(row.ratio.ratio) + "," +
            (interval ? format_exact(row.ratio.interval.low) : "") + "," +
            (interval ? format_exact(row.ratio.interval.high) : "") + "," + format_exact(row.p) + "," +
            format_exact(row.adjusted_p) + "," + std::to_string(compared.before_count) + "," +
            std::to_string(compared.after_count) + "\n";
  }
  return text;
}

}  // namespace threadscape::app
