// The presenter's mode: the picture on the full screen with large type, without panels.

#include <imgui_internal.h>

#include <algorithm>

#include "app/window/widgets/widgets.h"
#include "app/window/window.h"

namespace threadscape::app {

void Window::present(bool on) {
  if (on == presenting_) return;
  presenting_ = on;
  platform_.set_fullscreen(on);
}

float Window::text_scale(const Input& input) const {
  const float usual = input.content_scale * look_.scale;
  constexpr float usual_height = 720.0f;
  return presenting_
             ? presentation_scale * std::max(usual, look_.scale * static_cast<float>(input.height) / usual_height)
             : usual;
}

void Window::draw_presentation() {
  const ImGuiID space = ImGui::GetID("threadscape");
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport.Pos);
  ImGui::SetNextWindowSize(viewport.Size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {em(0.4f), em(0.4f)});
  const bool visible =
      ImGui::Begin("Presentation###presentation", nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::PopStyleVar();
  // The hidden panels keep their places.
  ImGui::DockSpace(space, {0, 0}, ImGuiDockNodeFlags_NoUndocking | ImGuiDockNodeFlags_KeepAliveOnly);
  if (visible) {
    if (!scene().has_stages()) steps_.draw(workspace_, live_.settled(workspace_));
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float caption = ImGui::GetTextLineHeight() + ImGui::GetStyle().ItemSpacing.y;
    draw_picture({room.x, room.y - caption - transport_height(room.x)});
    draw_transport();
    draw_caption();
  }
  ImGui::End();
  // What a hidden panel counts is not seen, but measurements of a tab go on.
  statistics_.rest();
  for (const auto& tab : tabs_)
    tab->update(workspace_, files_);
  if (!visible) return;
  if (const auto offer = notices_.draw(picture_[0], picture_[1], ImGui::GetTime())) accept(*offer);
}

/// Writes what is seen in one line below the picture.
void Window::draw_caption() {
  ImGui::PushFont(ui_.fonts().strong, 0.0f);
  ImGui::TextUnformatted(workspace_.algorithm().title.data());
  ImGui::PopFont();
  ImGui::SameLine(0, em(1));
  // Without panels, this line alone says why a picture stands still.
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, 0});
  const bool works = draw_progress();
  ImGui::PopStyleVar();
  if (const TimingSample* last = workspace_.timings.latest(); last != nullptr && !works) {
    ImGui::TextColored(backend_colour(last->backend), "%s", name_of(last->backend).data());
    ImGui::SameLine();
    ImGui::TextUnformatted(format_ms(last->times.total_ms()).c_str());
  }
  const auto source = workspace_.source();
  std::string right = source ? source->path.filename().string() : std::string{};
  if (!list_.empty()) right += "   " + std::to_string(list_.current() + 1) + " of " + std::to_string(list_.size());
  ImGui::SameLine(0, em(1));
  const float room = ImGui::GetContentRegionAvail().x;
  right = elided(right, room);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, room - ImGui::CalcTextSize(right.c_str()).x));
  ImGui::TextDisabled("%s", right.c_str());
}

}  // namespace threadscape::app
