#include "app/window/recovery_prompt.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/window/widgets/theme.h"

namespace threadscape::app {

void RecoveryPrompt::ask(std::string text) {
  text_ = std::move(text);
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
  if (ImGui::Button("Start afresh", {button, 0}) || ImGui::IsKeyPressed(ImGuiKey_Escape, false))
    answer_ = Answer::discard;
  ImGui::SameLine();
  if (ImGui::Button("Go on with it", {button, 0})) answer_ = Answer::go_on;
  ImGui::SetItemDefaultFocus();
  if (answer_ != Answer::none) {
    state_ = State::closed;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

RecoveryPrompt::Answer RecoveryPrompt::take_answer() {
  return std::exchange(answer_, Answer::none);
}

}  // namespace threadscape::app
