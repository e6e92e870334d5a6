// What the window does with results that become inputs.

#include "app/window/widgets/widgets.h"
#include "app/window/window.h"
#include "compute/core/kind_info.h"
#include "compute/registry/step_kinds.h"

namespace threadscape::app {

std::string Window::why_no_result() const {
  const Work* shown = live_.shown();
  if (shown == nullptr || live_.output() == nullptr || shown->algorithm != &workspace_.algorithm())
    return "there is no result yet: wait for the run";
  if (algorithms_that_take(shown->algorithm->output).empty())
    return "no algorithm takes a " + std::string(info_of(shown->algorithm->output).user_name);
  return {};
}

void Window::use_result() {
  if (const std::string why = why_no_result(); !why.empty()) {
    workspace_.log.warning("the result is not used: " + why);
    return;
  }
  const AlgorithmInfo& algorithm = workspace_.algorithm();
  if (algorithm.output == algorithm.input)
    use_result(algorithm);
  else
    choose_target();
}

void Window::ask_next_step() {
  menu_adds_step_ = true;
  result_menu_.open("The next step");
}

void Window::choose_target() {
  menu_adds_step_ = false;
  result_menu_.open("Use the result as the input of");
}

void Window::use_result(const AlgorithmInfo& target) {
  if (const std::string why = why_no_result(); !why.empty()) {
    workspace_.log.warning("the result is not used: " + why);
    return;
  }
  try {
    ResultToUse result = workspace_.result_to_use(*live_.shown(), target);
    if (std::optional<SceneResult> shown = scene().result(live_)) {
      live_.files().keep(std::move(result), std::move(shown->contents), std::move(shown->convert));
      return;
    }
    live_.files().keep(std::move(result), live_.output()->begin_read(), [](HostIn contents) {
      HostArray values(contents.shape);
      copy(contents, values.view());
      return values;
    });
  } catch (const Error& error) {
    workspace_.log.error("the result is not used: " + std::string(error.what()));
  }
}

void Window::draw_result_menu() {
  const AlgorithmInfo* target = result_menu_.draw(workspace_.algorithm().output, picture_[0], picture_[1]);
  if (target == nullptr) return;
  if (menu_adds_step_)
    workspace_.add_step(*target);
  else
    use_result(*target);
}

void Window::draw_input_buttons() {
  if (ImGui::Button("Open...", {-1, 0})) ask_open();
  if (ImGui::IsItemHovered())
    tooltip("Or drop files anywhere on the window (Ctrl+O); several become a list to switch through");
  const std::string why = why_no_result();
  const float arrow = ImGui::GetFrameHeight(), gap = ImGui::GetStyle().ItemInnerSpacing.x * 0.5f;
  ImGui::BeginDisabled(!why.empty());
  const bool pressed = ImGui::Button("Use result", {ImGui::GetContentRegionAvail().x - arrow - gap, 0});
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    tooltip(why.empty() ? "The result becomes the input (U)" : why);
  ImGui::SameLine(0, gap);
  const bool listed = ImGui::ArrowButton("targets", ImGuiDir_Down);
  if (ImGui::IsItemHovered()) tooltip("The algorithms that take the result");
  ImGui::EndDisabled();
  ImGui::BeginDisabled(algorithms_that_take(workspace_.algorithm().output).empty());
  if (ImGui::Button("Next step...", {-1, 0})) ask_next_step();
  if (ImGui::IsItemHovered())
    tooltip("A list of steps, each on the result of the one before: it follows every change (Shift+U)");
  ImGui::EndDisabled();
  if (pressed) use_result();
  if (listed) choose_target();
}

}  // namespace threadscape::app
