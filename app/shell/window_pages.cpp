// The pages of the window, their tabs, and the picture beside a page with text.

#include <imgui_internal.h>

#include <algorithm>

#include "app/shell/window.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

std::vector<const PanelType*> Window::pages() const {
  std::vector<const PanelType*> all;
  for (const auto& [type, panel] : panels_)
    if (type.place == PanelPlace::page) all.push_back(&type);
  return all;
}

Panel* Window::page() const {
  const auto found = std::ranges::find_if(panels_, [this](const auto& row) { return row.first.name == page_; });
  return found == panels_.end() ? nullptr : found->second.get();
}

Panel* Window::text_page() {
  Panel* const front = page();
  return front != nullptr && front->is_beside_picture(*this) ? front : nullptr;
}

bool Window::edits_exercise() {
  return text_page() != nullptr && sketch_.is_open() && lesson_.exercise_of(sketch_.file());
}

void Window::draw_tabs() {
  std::vector<Segment> segments{{"Picture", true, "The picture with its panels (Ctrl+1)"}};
  std::vector<std::string_view> names{""};
  std::vector<std::string> texts;  // Titles without what identifies the windows, and tips.
  const std::vector<const PanelType*> all = pages();
  texts.reserve(2 * all.size());
  for (const PanelType* type : all) {
    const std::string_view title = texts.emplace_back(type->title, ImGui::FindRenderedTextEnd(type->title));
    segments.push_back({title, true, texts.emplace_back("Ctrl+" + std::to_string(segments.size() + 1))});
    names.push_back(type->name);
  }
  if (segments.size() < 2) return;
  const auto chosen = std::ranges::find(names, page_) - names.begin();
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + em(1));
  const int clicked =
      segmented("page", segments, static_cast<int>(chosen), em(5) * static_cast<float>(segments.size()));
  if (clicked >= 0) page_ = names[static_cast<std::size_t>(clicked)];
}

void Window::rest_panels(unsigned space) {
  ImGui::DockSpace(space, {0, 0}, ImGuiDockNodeFlags_NoUndocking | ImGuiDockNodeFlags_KeepAliveOnly);
  // What hidden panels show is not seen, but measurements go on.
  for (const auto& [type, panel] : panels_) {
    panel->rest();
    panel->update(*this);
  }
}

void Window::draw_page() {
  Panel& front = *page();
  Panel* const text = text_page();
  if (text != nullptr) draw_status();
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport.WorkPos);
  ImGui::SetNextWindowSize(viewport.WorkSize);
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                     ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                                     ImGuiWindowFlags_NoBringToFrontOnFocus;
  const ImGuiID space = ImGui::GetID("threadscape");
  const auto row = std::ranges::find(panels_, page_, [](const auto& one) { return one.first.name; });
  const bool visible = ImGui::Begin(row->first.title, nullptr, flags);
  rest_panels(space);
  if (visible && text != nullptr) draw_beside_picture(*text);
  if (visible && text == nullptr) front.draw(*this);
  const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImGui::End();
  if (!captures_.empty()) return;  // Messages would cover a part of the pictures.
  draw_notices({low.x + size.x / 2, low.y}, {low.x + size.x, low.y + size.y});
}

void Window::draw_beside_picture(Panel& text) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  // Lines are neither too long nor too short to be read. A window that is higher than wide has the picture below them.
  const bool below = room.y > room.x;
  const float width = std::clamp(0.4f * room.x, std::min(em(33), 0.55f * room.x), em(44));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, view_padding());
  const bool visible = ImGui::BeginChild("text", below ? ImVec2{room.x, 0.55f * room.y} : ImVec2{width, room.y},
                                         ImGuiChildFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  if (visible) text.draw(*this);
  ImGui::EndChild();
  if (!below) ImGui::SameLine();
  if (ImGui::BeginChild("live")) draw_live();
  ImGui::EndChild();
}

void Window::draw_live() {
  constexpr float wide = 60.0f, high = 32.0f, column = 19.0f;  // In heights of a line of text.
  const ImVec2 room = ImGui::GetContentRegionAvail(), gap = ImGui::GetStyle().ItemSpacing;
  const bool edits = edits_exercise();
  fields_beside_ = room.x >= em(wide);
  const float width = fields_beside_ ? room.x - em(column) - gap.x : room.x;
  if (ImGui::BeginChild("picture", {width, room.y})) {
    if (edits) draw_part("code", {width, 0.52f * room.y});
    // What the scene says about a pixel or a thread is below the picture.
    const float panel = edits || room.y < em(high) ? 0.0f : std::min(em(scene().panel_lines()), 0.35f * room.y);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, view_padding());
    const bool visible =
        ImGui::BeginChild("view", {width, panel > 0 ? -panel - gap.y : 0}, ImGuiChildFlags_AlwaysUseWindowPadding,
                          ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    if (visible) draw_view_contents();
    ImGui::EndChild();
    if (panel > 0) draw_part("pixel", {width, 0});
  }
  ImGui::EndChild();
  if (!fields_beside_) return;
  ImGui::SameLine();
  draw_part("parameters", {0, 0});
}

void Window::draw_part(std::string_view name, ImVec2 size) {
  const auto row = std::ranges::find(panels_, name, [](const auto& one) { return one.first.name; });
  if (ImGui::BeginChild(row->first.title, size)) row->second->draw(*this);
  ImGui::EndChild();
}

}  // namespace threadscape::app
