#include "app/shell/intermediate_bar.h"

#include <imgui.h>

#include "app/ui/icons.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

/// Maximum number of results with a button each; a slider selects among more.
constexpr std::size_t max_segments = 16;

}  // namespace

void IntermediateBar::draw(Workspace& workspace, bool settled) {
  player_.update(workspace, ImGui::GetTime(), settled);
  const std::vector<Intermediate> all = workspace.intermediates();
  if (all.size() < 2) return;
  keys(workspace);

  if (icon_button(player_.playing() ? Icon::pause : Icon::play, "play", "")) {
    if (player_.playing())
      player_.stop();
    else
      player_.play(workspace, ImGui::GetTime());
  }
  if (ImGui::IsItemHovered()) tooltip("The intermediate results, one after another (P)");
  ImGui::SameLine();

  // Buttons have titles if there is room; otherwise they have numbers, and the title of the displayed one is written.
  const float padding = em(1.2f);
  const float room = ImGui::GetContentRegionAvail().x;
  std::vector<std::string> labels;
  float needed = 0;
  for (const Intermediate& one : all) {
    labels.push_back(std::to_string(labels.size() + 1) + "  " + one.title);
    needed += ImGui::CalcTextSize(labels.back().c_str()).x + padding;
  }
  const float pace_width = em(5.5f);
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  const bool titled = needed <= room;
  const bool few = all.size() <= max_segments;
  std::vector<Segment> segments;
  for (std::size_t i = 0; i < all.size() && few; ++i) {
    if (!titled) labels[i] = std::to_string(i + 1);
    segments.push_back({labels[i], true, i + 1 == all.size() ? all[i].title + ": the result" : all[i].title});
  }
  int shown = workspace.shown_intermediate();
  const float width = titled ? needed
                      : few  ? std::min(room * 0.6f, em(2.2f) * static_cast<float>(all.size()))
                             : room * 0.5f;
  if (few) {
    if (const int clicked = segmented("intermediates", segments, shown, width); clicked >= 0)
      choose(workspace, clicked);
  } else {
    ImGui::SetNextItemWidth(width);
    int number = shown + 1;
    if (slider_int("##scrub", &number, 1, static_cast<int>(all.size()), "%d", ImGuiSliderFlags_AlwaysClamp))
      choose(workspace, number - 1);
    if (ImGui::IsItemHovered()) tooltip("Any intermediate result: drag (, and . go one by one)");
  }
  shown = workspace.shown_intermediate();
  if (!titled) {
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    const float left = ImGui::GetContentRegionAvail().x - pace_width - spacing;
    ImGui::TextUnformatted(elided(all[static_cast<std::size_t>(shown)].title, left).c_str());
  }
  if (titled && (!player_.playing() || needed + pace_width + spacing > room)) return;
  draw_pace(workspace, pace_width);
}

void IntermediateBar::draw_pace(const Workspace& workspace, float width) {
  ImGui::SameLine();
  ImGui::SetNextItemWidth(width);
  float pace = player_.pace(workspace);
  if (slider_float("##pace", &pace, IntermediatePlayer::min_pace, IntermediatePlayer::max_pace, "%.3g / s",
                   ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp))
    player_.set_pace(pace);
  if (ImGui::IsItemHovered()) tooltip("Intermediate results per second while it plays, if the backend is that fast");
}

void IntermediateBar::choose(Workspace& workspace, int index) {
  player_.stop();
  workspace.show_intermediate(index);
}

void IntermediateBar::keys(Workspace& workspace) {
  if (ImGui::GetIO().WantTextInput || modifier_held(ImGuiMod_Ctrl) ||
      ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup))
    return;
  const auto count = static_cast<int>(workspace.intermediates().size());
  if (ImGui::IsKeyPressed(ImGuiKey_Comma)) choose(workspace, std::max(workspace.shown_intermediate() - 1, 0));
  if (ImGui::IsKeyPressed(ImGuiKey_Period)) choose(workspace, std::min(workspace.shown_intermediate() + 1, count - 1));
  if (!ImGui::IsKeyPressed(ImGuiKey_P, false)) return;
  if (player_.playing())
    player_.stop();
  else
    player_.play(workspace, ImGui::GetTime());
}

}  // namespace threadscape::app
