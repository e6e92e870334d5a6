#include "app/panels/log/log_panel.h"

#include "app/ui/widgets.h"

namespace threadscape::app {

std::string LogPanel::badge(Desk& desk) const {
  const int unread = desk.notices().unread();
  return unread > 0 ? " (" + std::to_string(unread) + ")" : "";
}

void LogPanel::draw(Desk& desk) {
  desk.notices().read();
  const auto entries = desk.log().entries();
  if (ImGui::SmallButton("Clear")) desk.log().clear();
  ImGui::SameLine();
  if (ImGui::SmallButton("Copy")) {
    std::string text;
    for (const auto& entry : entries)
      text += entry.text + "\n";
    ImGui::SetClipboardText(text.c_str());
  }
  if (ImGui::BeginChild("entries")) {
    for (const auto& entry : entries) {
      ImGui::PushFont(desk.fonts().mono, 0.0f);
      ImGui::TextDisabled("%8.2f", entry.seconds);
      ImGui::PopFont();
      ImGui::SameLine();
      const ImVec4 colour =
          entry.level <= LogBook::Level::info ? ImGui::GetStyle().Colors[ImGuiCol_Text] : warning_colour();
      ImGui::PushStyleColor(ImGuiCol_Text, colour);
      ImGui::TextWrapped("%s", entry.text.c_str());
      ImGui::PopStyleColor();
    }
    if (ImGui::GetScrollY() >= ImGui::GetScrollMaxY()) ImGui::SetScrollHereY(1.0f);
  }
  ImGui::EndChild();
}

}  // namespace threadscape::app
