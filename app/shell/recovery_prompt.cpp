#include "app/shell/recovery_prompt.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/ui/theme.h"

namespace threadscape::app {

void RecoveryPrompt::ask(std::string text, std::function<void(bool go_on)> answered) {
  text_ = std::move(text);
  answered_ = std::move(answered);
  state_ = State::opening;
}

void RecoveryPrompt::draw() {
  if (state_ == State::closed) return;
  constexpr const char* title = "The last session###recovery";
  if (std::exchange(state_, State::open) == State::opening) ImGui::OpenPopup(title);
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport.GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(em(34), viewport.WorkSize.x * 0.9f), 0});
  if (!ImGui::BeginPopupModal(title, nullptr, ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoResize)) return;
  ImGui::PushTextWrapPos();
  ImGui::TextUnformatted(text_.c_str());
  ImGui::PopTextWrapPos();
  ImGui::Spacing();
  const float width = em(11), spacing = ImGui::GetStyle().ItemSpacing.x;
  const float room = ImGui::GetContentRegionAvail().x;
  const float button = std::min(width, (room - spacing) / 2);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room - 2 * button - spacing);
  const bool afresh = ImGui::Button("Start afresh", {button, 0}) || ImGui::IsKeyPressed(ImGuiKey_Escape, false);
  ImGui::SameLine();
  const bool go_on = ImGui::Button("Go on with it", {button, 0});
  ImGui::SetItemDefaultFocus();
  if (afresh || go_on) {
    state_ = State::closed;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  if (state_ == State::closed) answered_(go_on);
}

}  // namespace threadscape::app
