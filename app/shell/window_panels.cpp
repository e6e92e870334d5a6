// The places of the panels, and what is being waited for.

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <glm/vec2.hpp>
#include <utility>

#include "app/panels/source/source_panel.h"
#include "app/shell/window.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

/// The title of the first panel in a place, beside which others are put.
const char* first_title(PanelPlace place) {
  return std::ranges::find(panel_types(), place, &PanelType::place)->title;
}

/// Returns whether the stored layout gives the list of algorithms a column of its own, which a narrow window has no
/// room for.
bool stored_for_wide_windows() {
  const ImGuiWindowSettings* const list = ImGui::FindWindowSettingsByID(ImHashStr(first_title(PanelPlace::left)));
  const ImGuiWindowSettings* const parameters =
      ImGui::FindWindowSettingsByID(ImHashStr(first_title(PanelPlace::right)));
  return list != nullptr && parameters != nullptr && list->DockId != parameters->DockId;
}

/// The width of the list of algorithms in a window of this width, and that of the parameters.
float list_width(float window) {
  return std::clamp(window * 0.13f, em(10), em(15));
}
float parameters_width(float window) {
  return std::clamp(window * 0.185f, em(14.5f), em(21));
}

/// Multiplies the width of the column that has the panel with this title.
void widen_column(const char* title, float factor) {
  const ImGuiWindow* const window = ImGui::FindWindowByName(title);
  const ImGuiDockNode* node = window == nullptr ? nullptr : window->DockNode;
  while (node != nullptr && node->ParentNode != nullptr && node->ParentNode->SplitAxis != ImGuiAxis_X)
    node = node->ParentNode;
  if (node == nullptr || node->ParentNode == nullptr) return;
  const ImGuiDockNode& parent = *node->ParentNode;
  const ImGuiDockNode& other = *parent.ChildNodes[parent.ChildNodes[0] == node ? 1 : 0];
  const float width = std::min(node->Size.x * factor, parent.Size.x / 2);
  ImGui::DockBuilderSetNodeSize(other.ID, {std::max(parent.Size.x - width, 1.0f), std::max(parent.Size.y, 1.0f)});
  ImGui::DockBuilderSetNodeSize(node->ID, {std::max(width, 1.0f), std::max(parent.Size.y, 1.0f)});
}

bool is_in_front(const char* title) {
  const ImGuiWindow* window = ImGui::FindWindowByName(title);
  return window != nullptr && window->DockTabIsVisible;
}

}  // namespace

void Window::draw_panels() {
  // The panels need their places before they can be hidden.
  const bool placed = ImGui::DockBuilderGetNode(ImGui::GetID("threadscape")) != nullptr;
  if (presenting_ && placed && shows_picture()) return draw_presentation();
  if (!presenting_) menu();
  if (placed && page() != nullptr) return draw_page();
  if (look_.panels) draw_status();
  layout();
  fit_panel();
  for (const auto& [type, panel] : panels_)
    draw_panel(type, *panel);
  draw_view();
}

void Window::fit_layout(bool is_placed) {
  constexpr float narrow_width = 50.0f;  // In heights of a line of text.
  const bool narrow = ImGui::GetMainViewport()->WorkSize.x < em(narrow_width);
  if (is_placed && (narrow_ ? narrow != *narrow_ : narrow && stored_for_wide_windows())) reset_layout_ = true;
  narrow_ = narrow;
  // Larger text has wider columns, in which whoever uses the window may have moved the borders. A presentation that
  // ends has its own text for a frame.
  const bool still = std::exchange(last_text_, em(1)) == em(1);
  if (!still && text_height_ > 0) return;
  const float window = std::max(ImGui::GetMainViewport()->WorkSize.x, 1.0f);
  const glm::vec2 columns{list_width(window), parameters_width(window)};
  if (is_placed && !reset_layout_ && !narrow && em(1) != text_height_ && text_height_ > 0) {
    widen_column(first_title(PanelPlace::left), columns.x / columns_.x);
    widen_column(first_title(PanelPlace::right), columns.y / columns_.y);
  }
  columns_ = columns;
  text_height_ = em(1);
}

/// Builds the default layout of the panels at the first frame and after "Reset layout". The panels keep their shares of
/// the window when its size changes.
void Window::layout() {
  const ImGuiID space = ImGui::GetID("threadscape");
  fit_layout(ImGui::DockBuilderGetNode(space) != nullptr);
  if (ImGui::DockBuilderGetNode(space) == nullptr || reset_layout_) {
    reset_layout_ = false;
    panel_lines_ = 8.5f;
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const ImVec2 size{std::max(viewport.WorkSize.x, 1.0f), std::max(viewport.WorkSize.y, 1.0f)};
    ImGui::DockBuilderRemoveNode(space);
    ImGui::DockBuilderAddNode(space, static_cast<int>(ImGuiDockNodeFlags_DockSpace));
    ImGui::DockBuilderSetNodeSize(space, size);
    ImGuiID rest = space;
    // The picture has at least three fifths of a window of 1280 x 720, and more of a larger one.
    const bool narrow = narrow_.value_or(false);
    const float left = list_width(size.x);
    const float right = narrow ? std::min(em(17), size.x * 0.48f) : parameters_width(size.x);
    // These columns fit the present text, also where another text was in the last frame.
    columns_ = {list_width(size.x), parameters_width(size.x)};
    text_height_ = em(1);
    const float bottom = std::clamp(size.y * 0.29f, em(11), em(20));
    ImGuiID algorithms = 0;
    if (!narrow) algorithms = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Left, left / size.x, nullptr, &rest);
    const float room = narrow ? size.x : size.x - left;
    ImGuiID parameters = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Right, right / room, nullptr, &rest);
    const ImGuiID pixel =
        ImGui::DockBuilderSplitNode(parameters, ImGuiDir_Down, em(8.5f) / size.y, nullptr, &parameters);
    const ImGuiID beside = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Left, 0.52f, nullptr, &rest);
    const ImGuiID below = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Down, bottom / size.y, nullptr, &rest);
    if (narrow) algorithms = parameters;
    const std::array places{algorithms, parameters, pixel, below, beside};  // In the order of PanelPlace.
    for (const auto& [type, panel] : panels_)
      if (type.place != PanelPlace::page)
        ImGui::DockBuilderDockWindow(type.title, places[static_cast<std::size_t>(type.place)]);
    ImGui::DockBuilderDockWindow("View###view", rest);
    for (const ImGuiID node : {algorithms, parameters, pixel, rest})
      if (node != parameters || !narrow)
        ImGui::DockBuilderGetNode(node)->SetLocalFlags(static_cast<int>(ImGuiDockNodeFlags_NoTabBar));
    if (narrow) {  // The parameters are in front of the list of algorithms.
      wanted_panel_ = "parameters";
      settling_ = std::max(settling_, 3);
    }
    ImGui::DockBuilderFinish(space);
  }
  ImGui::DockSpaceOverViewport(space, ImGui::GetMainViewport(), ImGuiDockNodeFlags_NoUndocking);
}

void Window::fit_panel() {
  const float lines = scene().panel_lines();
  const ImGuiWindow* const panel = ImGui::FindWindowByName(first_title(PanelPlace::right_below));
  if (lines == panel_lines_ || panel == nullptr || panel->DockNode == nullptr || !panel->DockNode->ParentNode) return;
  panel_lines_ = lines;
  const ImGuiDockNode& node = *panel->DockNode;
  const ImGuiDockNode& parent = *node.ParentNode;
  if (parent.SplitAxis != ImGuiAxis_Y) return;
  // The parameters above keep at least half of the height.
  const float height = std::min(em(lines), parent.Size.y / 2);
  const ImGuiDockNode& other = *parent.ChildNodes[parent.ChildNodes[0] == &node ? 1 : 0];
  const float width = std::max(parent.Size.x, 1.0f);
  ImGui::DockBuilderSetNodeSize(other.ID, {width, std::max(parent.Size.y - height, 1.0f)});
  ImGui::DockBuilderSetNodeSize(node.ID, {width, std::max(height, 1.0f)});
}

/// Gives a panel the left part of the room of the view, in a layout that was stored before the panel existed.
void Window::place_beside_view(const char* title) {
  const ImGuiWindow* const view = ImGui::FindWindowByName("View###view");
  if (view == nullptr || view->DockId == 0) return;
  ImGuiID rest = view->DockId;
  const ImGuiID left = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Left, 0.5f, nullptr, &rest);
  ImGui::DockBuilderDockWindow("View###view", rest);
  ImGui::DockBuilderDockWindow(title, left);
  ImGui::DockBuilderFinish(ImGui::GetID("threadscape"));
}

ImGuiID Window::place_of_neighbour(const char* title) const {
  for (const auto& [type, panel] : panels_) {
    if (type.place != PanelPlace::beside || type.title == title) continue;
    const ImGuiWindow* const other = ImGui::FindWindowByName(type.title);
    if (other != nullptr && other->WasActive) return other->DockId;
  }
  return 0;
}

void Window::draw_panel(const PanelType& type, Panel& panel) {
  panel.update(*this);
  const bool closed = type.place == PanelPlace::page || (type.place == PanelPlace::below && !look_.lower_panel);
  if (closed || !look_.panels) return panel.rest();
  const ImGuiWindow* const known = ImGui::FindWindowByName(type.title);
  if (type.comes_and_goes) {
    const bool there = panel.is_there(*this);
    const ImGuiWindow* const first = ImGui::FindWindowByName(first_title(type.place));
    // Beside the view, tabs are shown only while there are several.
    if (type.place == PanelPlace::right && first != nullptr && first->DockNode != nullptr)
      first->DockNode->SetLocalFlags(there || narrow_.value_or(false) ? 0
                                                                      : static_cast<int>(ImGuiDockNodeFlags_NoTabBar));
    if (!there) return;
    if (type.place == PanelPlace::beside && (known == nullptr || known->DockId == 0)) {
      if (const ImGuiID neighbour = place_of_neighbour(type.title); neighbour != 0)
        ImGui::SetNextWindowDockID(neighbour);
      else
        place_beside_view(type.title);
    }
    // A layout that was stored before this panel existed does not place it.
    if (type.place != PanelPlace::beside && first != nullptr && first->DockId != 0)
      ImGui::SetNextWindowDockID(first->DockId, ImGuiCond_FirstUseEver);
  }
  // A tab can be selected only after it has been drawn in a frame.
  if (wanted_panel_ == type.name && known != nullptr && (known->WasActive || !type.comes_and_goes)) {
    ImGui::SetWindowFocus(type.title);
    wanted_panel_ = {};
  }
  std::string title(type.title);
  title.insert(title.find("###"), panel.badge(*this));
  // The panels below the view appear together. The tab in front stays that of the last time, at first the first one.
  const bool quiet = type.comes_and_goes || type.place == PanelPlace::below;
  if (ImGui::Begin(title.c_str(), nullptr, quiet ? ImGuiWindowFlags_NoFocusOnAppearing : 0))
    panel.draw(*this);
  else
    panel.rest();
  ImGui::End();
}

void Window::show_panel(std::string_view name) {
  if (name == view_settings_name && listed_settings() != nullptr) {
    wanted_panel_ = view_settings_name;
    return;
  }
  if (name == variants_panel_name) {
    by_variant_ = true;
    name = "timings";
  }
  constexpr int frames = 6;         // A new tab is drawn, chosen and sized in frames of their own.
  if (name == SourcePanel::name) {  // It is seen as soon as there is a diagram.
    page_ = {};
    shows_code_ = look_.panels = true;
    wanted_panel_ = SourcePanel::name;
    settling_ = frames;
    return;
  }
  std::string all;
  for (const auto& [type, panel] : panels_) {
    const bool is_beside = type.place == PanelPlace::beside && panel->is_there(*this);
    const bool is_page = type.place == PanelPlace::page;
    if (type.place != PanelPlace::below && !is_beside && !is_page) continue;
    if (name == type.name) {
      if (type.name == "code" && edits_exercise()) return present(false);  // It is there already.
      page_ = is_page ? type.name : std::string_view{};
      if (is_page) return;
      look_.panels = true;
      if (!is_beside) look_.lower_panel = true;
      wanted_panel_ = type.name;
      settling_ = frames;
      if (is_beside) present(false);
      return;
    }
    if (is_beside) continue;
    all += std::string(type.name) + " | ";
  }
  all += std::string(variants_panel_name) + " | " + std::string(SourcePanel::name);
  if (listed_settings() != nullptr) all += " | " + std::string(view_settings_name);
  throw UsageError("--panel " + std::string(name) + ": accepted are " + all);
}

bool Window::says_at_field() const {
  const bool seen = page() != nullptr ? fields_beside_ : look_.panels && is_in_front(first_title(PanelPlace::right));
  return seen && !presenting_ && !workspace_.mends().empty();
}

std::string Window::front_panel() const {
  if (page() != nullptr && page_ != "lesson") return std::string(page_);  // A session names no lesson.
  for (const auto& [type, panel] : panels_)
    if (look_.lower_panel && type.place == PanelPlace::below && !type.comes_and_goes && is_in_front(type.title))
      return std::string(type.name);
  return {};
}

bool Window::draw_progress() {
  const ImVec2 size{em(16), 0};
  const double running = live_.running_seconds();
  if (scenes_.preparing()) {
    ImGui::ProgressBar(0.0f, size, "compiling shaders");
    return true;
  }
  if (live_.comparing() || running > 0.15) {
    const double done = live_.progress();
    const bool foreseeable = done > 0.02 && running > 0.15;
    std::array<char, 64> label{};
    if (foreseeable)
      std::snprintf(label.data(), label.size(), "%.0f %%, %.1f s left", done * 100, running * (1 - done) / done);
    else
      std::snprintf(label.data(), label.size(),
                    live_.makes_input() ? "making the input"
                    : live_.prepares()  ? "preparing"
                    : live_.comparing() ? "comparing"
                                        : "running");
    // Who waits long sees that it goes on.
    if (!foreseeable && running >= 2.0) {
      const std::size_t length = std::strlen(label.data());
      std::snprintf(label.data() + length, label.size() - length, ", %.0f s", std::floor(running));
    }
    ImGui::ProgressBar(foreseeable ? static_cast<float>(done) : 0.0f, size, label.data());
    ImGui::SameLine();
    if (ImGui::Button("Cancel")) live_.cancel();
    return true;
  }
  if (live_.files().seconds() > 0.15) {
    const double seconds = live_.files().seconds();
    const std::string since = seconds >= 2.0 ? ", " + std::to_string(static_cast<int>(seconds)) + " s" : std::string{};
    ImGui::ProgressBar(static_cast<float>(live_.files().progress()), size, (live_.files().activity() + since).c_str());
    return true;
  }
  return false;
}

}  // namespace threadscape::app
