#include "app/shell/step_list_bar.h"

#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/ui/icons.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

constexpr const char* next_label = "Next step...";

/// The titles of the steps with their numbers.
std::vector<std::string> labels_of(const std::vector<Step>& steps) {
  std::vector<std::string> labels;
  for (const Step& step : steps)
    labels.push_back(std::to_string(labels.size() + 1) + "  " + std::string(step.algorithm->title));
  return labels;
}

}  // namespace

bool draw_step_list(Workspace& workspace) {
  if (workspace.steps().empty()) return false;
  const std::vector<Step> steps = workspace.steps().steps();
  const std::size_t chosen = workspace.steps().chosen();
  const ImGuiStyle& style = ImGui::GetStyle();
  const float gap = style.ItemInnerSpacing.x * 0.5f, button = ImGui::GetFrameHeight();
  const float next = ImGui::CalcTextSize(next_label).x + 2 * style.FramePadding.x;
  const float others = next + 3 * button + 2 * gap + 2 * style.ItemSpacing.x;
  const float room = std::max(ImGui::GetContentRegionAvail().x - others, em(4));

  // All buttons have the width of the widest, or less, which cuts their titles. Where too little of the titles would be
  // left, the buttons have numbers. Tooltips have the titles.
  std::vector<std::string> labels = labels_of(steps);
  const std::vector<std::string> titles = labels;
  const auto count = static_cast<float>(labels.size());
  float widest = 0;
  for (const std::string& label : labels)
    widest = std::max(widest, ImGui::CalcTextSize(label.c_str()).x + em(1.2f));
  const bool titled = std::min(widest, em(6)) * count <= room;
  std::vector<Segment> segments;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!titled) labels[i] = std::to_string(i + 1);
    segments.push_back({labels[i], true, titles[i]});
  }
  ImGui::PushID("step list");
  const float width = std::min(room, (titled ? widest : em(2.4f)) * count);
  const int clicked = segmented("steps", segments, static_cast<int>(chosen), width);
  ImGui::SameLine();
  ImGui::BeginDisabled(chosen == 0);
  const bool earlier = ImGui::ArrowButton("earlier", ImGuiDir_Left);
  if (ImGui::IsItemHovered()) tooltip("Move the chosen step one place to the front");
  ImGui::EndDisabled();
  ImGui::SameLine(0, gap);
  ImGui::BeginDisabled(chosen + 1 == steps.size());
  const bool later = ImGui::ArrowButton("later", ImGuiDir_Right);
  if (ImGui::IsItemHovered()) tooltip("Move the chosen step one place to the back");
  ImGui::EndDisabled();
  ImGui::SameLine(0, gap);
  const bool removed = icon_button(Icon::cross, "remove", "Remove the chosen step");
  ImGui::SameLine();
  const bool wants_next = ImGui::Button(next_label);
  if (ImGui::IsItemHovered()) tooltip("Add a step behind the chosen one (Shift+U)");
  ImGui::PopID();

  if (clicked >= 0) workspace.choose_step(static_cast<std::size_t>(clicked));
  if (earlier) workspace.move_step(chosen, chosen - 1);
  if (later) workspace.move_step(chosen, chosen + 1);
  if (removed) workspace.remove_step(chosen);
  return wants_next;
}

}  // namespace threadscape::app
