#include "app/panels/parameters/ab_panel.h"

#include <imgui.h>

#include <string>
#include <vector>

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

void draw_differences(const std::vector<SettingDifference>& all, std::optional<double> a_ms,
                      std::optional<double> b_ms) {
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
  cut_cell(a_ms ? format_ms(*a_ms) : "-");
  cut_cell(b_ms ? format_ms(*b_ms) : "-");
  ImGui::EndTable();
}

std::string ratio_text(std::optional<double> a_ms, std::optional<double> b_ms) {
  if (!a_ms || !b_ms || *a_ms <= 0.0 || *b_ms <= 0.0) return "Space runs A again; a time is known after its run";
  const double ratio = *b_ms / *a_ms;
  return ratio >= 1.0 ? "A is " + format_value(ratio) + " x as fast as B"
                      : "B is " + format_value(1.0 / ratio) + " x as fast as A";
}

}  // namespace

void draw_ab(Desk& desk) {
  Workspace& workspace = desk.workspace();
  const std::optional<double> a_ms = desk.present_ms();
  heading(desk.fonts().strong, "A and B");
  const std::vector<SettingDifference> all = differences(workspace.setting(), workspace.slot.b());
  if (all.empty()) disabled_sentence("A is the same as B: change something");
  draw_differences(all, a_ms, workspace.slot.b_ms());
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextDisabled("%s", ratio_text(a_ms, workspace.slot.b_ms()).c_str());
  ImGui::PopTextWrapPos();
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
