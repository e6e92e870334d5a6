// The part of the window that takes changes back: the menu Edit and its keys.

#include "app/window/panels/parameters/ab_panel.h"
#include "app/window/widgets/widgets.h"
#include "app/window/window.h"

namespace threadscape::app {

void Window::edit_menu() {
  if (!ImGui::BeginMenu("Edit")) return;
  const History& history = workspace_.history;
  const auto item = [](const char* action, const std::string& what, const char* key) {
    const std::string label = std::string(action) + (what.empty() ? "" : ": " + what) + "###" + action;
    return ImGui::MenuItem(label.c_str(), key, false, !what.empty());
  };
  if (item("Undo", history.undo_name(), "Ctrl+Z")) undo();
  if (item("Redo", history.redo_name(), "Ctrl+Shift+Z")) redo();
  ImGui::Separator();
  const bool filled = workspace_.slot.filled();
  if (ImGui::MenuItem("Keep as B", "K")) keep_as_b();
  if (ImGui::IsItemHovered()) tooltip("A second setting, with which pictures and times are compared");
  if (ImGui::MenuItem("Swap A and B", "Shift+K", false, filled)) swap_a_and_b();
  if (ImGui::MenuItem("Forget B", nullptr, false, filled)) workspace_.slot.clear();
  ImGui::EndMenu();
}

void Window::edit_keys() {
  const bool shift = modifier_held(ImGuiMod_Shift);
  if (ImGui::IsKeyPressed(ImGuiKey_Z)) shift ? redo() : undo();
  if (ImGui::IsKeyPressed(ImGuiKey_Y)) redo();
}

void Window::undo() {
  if (scene().take_back_edit()) return;
  open_again(workspace_.undo());
}

void Window::redo() {
  // What is being painted is newer than what was taken back.
  if (!scene().edit_pending()) open_again(workspace_.redo());
}

std::optional<double> Window::present_ms() const {
  const Work wanted = workspace_.wanted();
  const TimingHistory& runs = workspace_.timings.statistics(wanted.backend);
  if (live_.shown() == nullptr || *live_.shown() != wanted || runs.size() == 0) return {};
  const TimingSample& last = runs[runs.size() - 1];
  if (last.variant != wanted.variant || last.threads != wanted.threads) return {};
  const Summary all = runs.summary();
  return all.count > 0 ? all.median : last.times.total_ms();
}

void Window::keep_as_b() {
  workspace_.slot.keep(workspace_.setting(), present_ms());
}

void Window::swap_a_and_b() {
  workspace_.swap_with_slot(present_ms());
}

void Window::draw_comparison() {
  if (!workspace_.slot.filled()) return;
  switch (draw_ab(workspace_, present_ms(), ui_.fonts())) {
    case AbAction::nothing:
      break;
    case AbAction::swap:
      swap_a_and_b();
      break;
    case AbAction::forget:
      workspace_.slot.clear();
      break;
  }
}

void Window::open_again(const std::vector<SettingInput>& inputs) {
  for (const SettingInput& input : inputs)
    live_.files().open(workspace_.file_to_restore(input.path, input.kind));
}

void Window::watch_changes() {
  if (scene().take_undo_request()) undo();
  workspace_.history.observe(workspace_.setting(), ImGui::IsAnyItemActive() || ImGui::IsAnyMouseDown());
}

}  // namespace threadscape::app
