#include "app/panels/algorithms/algorithms_panel.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cfloat>
#include <utility>

#include "app/ui/widgets.h"
#include "compute/registry/registry.h"
#include "compute/registry/step_kinds.h"

namespace threadscape::app {

namespace {

bool contains(std::string_view text, std::string_view wanted) {
  const auto same = [](char a, char b) { return std::tolower(a) == std::tolower(b); };
  return std::search(text.begin(), text.end(), wanted.begin(), wanted.end(), same) != text.end();
}

/// The groups of all algorithms: first the known ones in this order, then the others.
std::vector<std::string_view> groups() {
  std::vector<std::string_view> all{"Filters", "Smoothing", "Edges",     "Morphology",
                                    "Terrain", "Volumes",   "Sequences", "Memory"};
  for (const AlgorithmInfo& algorithm : algorithms())
    if (std::ranges::find(all, algorithm.group) == all.end()) all.push_back(algorithm.group);
  return all;
}

bool is_found(const AlgorithmInfo& algorithm, const std::string& wanted) {
  const std::array texts{algorithm.title, algorithm.name, algorithm.summary};
  return std::ranges::any_of(texts, [&](std::string_view text) { return contains(text, wanted); });
}

/// The algorithm that somebody means who presses Enter behind `wanted`: the first in the order of the list that has it
/// in its title, or else in its name or summary; null if none has it.
const AlgorithmInfo* best_found(const std::string& wanted) {
  const AlgorithmInfo* best = nullptr;
  for (const std::string_view group : groups())
    for (const AlgorithmInfo& algorithm : algorithms()) {
      if (algorithm.group != group || !is_found(algorithm, wanted)) continue;
      if (contains(algorithm.title, wanted)) return &algorithm;
      if (best == nullptr) best = &algorithm;
    }
  return best;
}

/// Draws the buttons above the samples.
void draw_input_buttons(Desk& desk) {
  if (ImGui::Button("Open...", {-1, 0})) desk.ask_open();
  if (ImGui::IsItemHovered())
    tooltip("Or drop files anywhere on the window (Ctrl+O); several become a list to switch through");
  const std::string why = desk.why_no_result();
  const float arrow = ImGui::GetFrameHeight(), gap = ImGui::GetStyle().ItemInnerSpacing.x * 0.5f;
  ImGui::BeginDisabled(!why.empty());
  const bool pressed = ImGui::Button("Use result", {ImGui::GetContentRegionAvail().x - arrow - gap, 0});
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    tooltip(why.empty() ? "The result becomes the input (U)" : why);
  ImGui::SameLine(0, gap);
  const bool listed = ImGui::ArrowButton("targets", ImGuiDir_Down);
  if (ImGui::IsItemHovered()) tooltip("The algorithms that take the result");
  ImGui::EndDisabled();
  ImGui::BeginDisabled(algorithms_that_take(desk.workspace().algorithm().output).empty());
  if (ImGui::Button("Next step...", {-1, 0})) desk.ask_next_step();
  if (ImGui::IsItemHovered())
    tooltip("A list of steps, each on the result of the one before: it follows every change (Shift+U)");
  ImGui::EndDisabled();
  if (pressed) desk.use_result();
  if (listed) desk.choose_target();
}

}  // namespace

void AlgorithmsPanel::draw(Desk& desk) {
  Workspace& workspace = desk.workspace();
  std::string& search = desk.search();
  heading(desk.fonts().strong, "Algorithms");
  ImGui::SetNextItemWidth(-1);
  input_text("##search", search);
  const bool entered = ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
  if (ImGui::IsItemDeactivated() && entered && !search.empty())
    if (const AlgorithmInfo* best = best_found(search)) workspace.choose_algorithm(*best);
  if (search.empty() && !ImGui::IsItemActive()) {
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    ImGui::GetWindowDrawList()->AddText({low.x + padding.x, low.y + padding.y},
                                        ImGui::GetColorU32(ImGuiCol_TextDisabled), "search");
  }
  // The list is as high as its items, up to a limit that leaves room for the pictures.
  const float max_height = ImGui::GetContentRegionAvail().y * 0.62f;
  ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, max_height});
  if (ImGui::BeginChild("list", {0, 0}, ImGuiChildFlags_AutoResizeY)) draw_list(desk);
  ImGui::EndChild();
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();
  heading(desk.fonts().strong, "Pictures");
  draw_input_buttons(desk);
  if (!desk.list().empty())
    if (const auto clicked = desk.list().draw(0.4f * ImGui::GetContentRegionAvail().y)) desk.open(*clicked);
  if (samples_.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, muted_text());
    ImGui::TextWrapped("no samples: run scripts/setup");
    ImGui::PopStyleColor();
  }
  const auto shown = workspace.source();
  const std::filesystem::path current = shown ? shown->path : std::filesystem::path{};
  if (ImGui::BeginChild("shelf"))
    if (const auto clicked = samples_.draw(current)) desk.open(*clicked);
  ImGui::EndChild();
}

void AlgorithmsPanel::draw_list(Desk& desk) {
  Workspace& workspace = desk.workspace();
  for (const std::string_view group : groups()) {
    bool titled = false;
    for (const AlgorithmInfo& algorithm : algorithms()) {
      if (algorithm.group != group || !is_found(algorithm, desk.search())) continue;
      if (!std::exchange(titled, true)) {
        ImGui::Spacing();
        ImGui::TextDisabled("%s", group.data());
      }
      const bool chosen = &algorithm == &workspace.algorithm();
      // A title that is too long for a narrow panel is shortened, and whole in the tip.
      const std::string shown = elided(algorithm.title, ImGui::GetContentRegionAvail().x);
      const std::string label = shown + "###" + std::string(algorithm.title);
      if (ImGui::Selectable(label.c_str(), chosen)) workspace.choose_algorithm(algorithm);
      // An algorithm that was chosen by the command line or a key may not be visible yet, so the list scrolls to it.
      if (chosen && &algorithm != listed_) {
        // Visibility is decided by the text, because the rectangle of the item includes half of the space between
        // items.
        const float middle = (ImGui::GetItemRectMin().y + ImGui::GetItemRectMax().y) / 2 - ImGui::GetWindowPos().y;
        const float half = ImGui::GetTextLineHeight() / 2;
        if (middle >= half && middle + half <= ImGui::GetWindowHeight())
          listed_ = &algorithm;
        else
          ImGui::SetScrollHereY();
      }
      if (ImGui::IsItemHovered())
        tooltip((shown == algorithm.title ? "" : std::string(algorithm.title) + "\n\n") +
                std::string(algorithm.summary) + "\n\n" + std::string(algorithm.source));
    }
  }
}

}  // namespace threadscape::app
