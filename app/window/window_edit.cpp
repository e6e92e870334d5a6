// The part of the window that takes changes back: the menu Edit and its keys.

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

void Window::open_again(const std::vector<SettingInput>& inputs) {
  for (const SettingInput& input : inputs)
    live_.files().open(workspace_.file_to_restore(input.path, input.kind));
}

void Window::watch_changes() {
  if (scene().take_undo_request()) undo();
  workspace_.history.observe(workspace_.setting(), ImGui::IsAnyItemActive() || ImGui::IsAnyMouseDown());
}

}  // namespace threadscape::app
