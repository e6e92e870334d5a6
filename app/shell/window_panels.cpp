// The places of the panels, and what stands around them: status line and help.

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/shell/window.h"
#include "app/ui/widgets.h"
#include "compute/core/mesh.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

namespace {

/// The title of the first panel in a place, beside which others are put.
const char* first_title(PanelPlace place) {
  return std::ranges::find(panel_types(), place, &PanelType::place)->title;
}

bool is_in_front(const char* title) {
  const ImGuiWindow* window = ImGui::FindWindowByName(title);
  return window != nullptr && window->DockTabIsVisible;
}

}  // namespace

void Window::draw_panels() {
  // The panels need their places before they can be hidden.
  if (presenting_ && ImGui::DockBuilderGetNode(ImGui::GetID("threadscape")) != nullptr) return draw_presentation();
  menu();
  draw_status();
  layout();
  fit_panel();
  for (const auto& [type, panel] : panels_)
    draw_panel(type, *panel);
  draw_view();
}

/// Builds the default layout of the panels at the first frame and after "Reset layout". The panels keep their shares of
/// the window when its size changes.
void Window::layout() {
  const ImGuiID space = ImGui::GetID("threadscape");
  if (ImGui::DockBuilderGetNode(space) == nullptr || reset_layout_) {
    reset_layout_ = false;
    panel_lines_ = 8.5f;
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const ImVec2 size = viewport.WorkSize;
    ImGui::DockBuilderRemoveNode(space);
    ImGui::DockBuilderAddNode(space, static_cast<int>(ImGuiDockNodeFlags_DockSpace));
    ImGui::DockBuilderSetNodeSize(space, size);
    ImGuiID rest = space;
    const float left = std::min(em(15), size.x * 0.2f);
    const float right = std::min(em(21), size.x * 0.28f);
    const float bottom = std::clamp(size.y * 0.29f, em(11), em(20));
    const ImGuiID algorithms = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Left, left / size.x, nullptr, &rest);
    ImGuiID parameters = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Right, right / (size.x - left), nullptr, &rest);
    const ImGuiID pixel =
        ImGui::DockBuilderSplitNode(parameters, ImGuiDir_Down, em(8.5f) / size.y, nullptr, &parameters);
    const ImGuiID beside = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Left, 0.52f, nullptr, &rest);
    const ImGuiID below = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Down, bottom / size.y, nullptr, &rest);
    const std::array places{algorithms, parameters, pixel, below, beside};  // In the order of PanelPlace.
    for (const auto& [type, panel] : panels_)
      ImGui::DockBuilderDockWindow(type.title, places[static_cast<std::size_t>(type.place)]);
    ImGui::DockBuilderDockWindow("View###view", rest);
    for (const ImGuiID node : {algorithms, parameters, pixel, rest})
      ImGui::DockBuilderGetNode(node)->SetLocalFlags(static_cast<int>(ImGuiDockNodeFlags_NoTabBar));
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
  ImGui::DockBuilderSetNodeSize(other.ID, {parent.Size.x, parent.Size.y - height});
  ImGui::DockBuilderSetNodeSize(node.ID, {parent.Size.x, height});
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
  const ImGuiWindow* const known = ImGui::FindWindowByName(type.title);
  if (type.comes_and_goes) {
    const bool there = panel.is_there(*this);
    const ImGuiWindow* const first = ImGui::FindWindowByName(first_title(type.place));
    // Beside the view, tabs are shown only while there are several.
    if (type.place == PanelPlace::right && first != nullptr && first->DockNode != nullptr)
      first->DockNode->SetLocalFlags(there ? 0 : static_cast<int>(ImGuiDockNodeFlags_NoTabBar));
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
  if (ImGui::Begin(title.c_str(), nullptr, type.comes_and_goes ? ImGuiWindowFlags_NoFocusOnAppearing : 0))
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
  std::string all;
  for (const auto& [type, panel] : panels_) {
    const bool is_beside = type.place == PanelPlace::beside && panel->is_there(*this);
    if (type.place != PanelPlace::below && !is_beside) continue;
    if (name == type.name) {
      wanted_panel_ = type.name;
      constexpr int frames = 6;  // A new tab is drawn, chosen and sized in frames of their own.
      settling_ = frames;
      if (is_beside && !panel->has_slide(*this)) present(false);
      return;
    }
    if (is_beside) continue;
    all += std::string(type.name) + " | ";
  }
  all += variants_panel_name;
  if (listed_settings() != nullptr) all += " | " + std::string(view_settings_name);
  throw UsageError("--panel " + std::string(name) + ": accepted are " + all);
}

std::string Window::front_panel() const {
  for (const auto& [type, panel] : panels_)
    if (type.place == PanelPlace::below && (!type.comes_and_goes || type.make == nullptr) && is_in_front(type.title))
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
    ImGui::ProgressBar(foreseeable ? static_cast<float>(done) : 0.0f, size, label.data());
    ImGui::SameLine();
    if (ImGui::Button("Cancel")) live_.cancel();
    return true;
  }
  if (live_.files().seconds() > 0.15) {
    ImGui::ProgressBar(0.0f, size, live_.files().activity().c_str());
    return true;
  }
  return false;
}

void Window::draw_status() {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {em(0.7f), em(0.2f)});
  const float height = ImGui::GetFrameHeight() + em(0.4f);
  const bool visible = ImGui::BeginViewportSideBar("##status", ImGui::GetMainViewport(), ImGuiDir_Down, height,
                                                   ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar();
  if (visible) {
    ImGui::AlignTextToFramePadding();
    if (draw_progress()) {
      ImGui::SameLine();
    } else if (files_.asks_desktop()) {
      ImGui::TextDisabled("a dialog of the desktop is open");
      ImGui::SameLine();
    } else if (const TimingSample* last = workspace_.timings.latest();
               last != nullptr && !sketch::has_sketched_kernels(workspace_.algorithm())) {
      ImGui::TextColored(backend_colour(last->backend), "%s", name_of(last->backend).data());
      ImGui::SameLine();
      const double total = last->times.total_ms();
      ImGui::Text("%s", format_ms(total).c_str());
      ImGui::SameLine();
      ImGui::TextDisabled("%s%s/s",
                          format_count(static_cast<double>(last->items) / std::max(total, 1e-6) * 1e3).c_str(),
                          gl::Resource::is_texture(workspace_.algorithm().output) ? "pixels" : "values");
      ImGui::SameLine();
      if (const auto picture = workspace_.picture(); workspace_.algorithm().sixteen_bit_as_floats && picture &&
                                                     picture->picture.pixels.shape().element == Element::u16) {
        ImGui::TextDisabled("computed with floats");
        if (ImGui::IsItemHovered()) tooltip("The 16-bit picture is converted to floats, and the result to 16 bits");
        ImGui::SameLine();
      }
    }
    // Times that were measured beside other work are longer than those of the program alone.
    if (const double others = load_.others(); others >= 0.1) {
      const std::string text = "other programs use " + format_percent(std::round(100 * others) / 100) + " of the CPU";
      ImGui::TextColored(warning_colour(), "%s", text.c_str());
      if (ImGui::IsItemHovered()) tooltip("Measured times are longer than on a quiet machine");
      ImGui::SameLine();
    }
    std::string right;
    if (const Shape input = workspace_.input_shape(); input.kind != Kind::none) {
      const auto source = workspace_.source();
      std::string what = to_string(input);
      if (input.kind == Kind::mesh && source)
        what = "mesh of " + std::to_string(MeshView(source->picture.pixels.view()).triangles()) + " triangles";
      right = (source ? source->title() : std::string{}) + "   " + what + "   ";
    }
    right +=
        "route " +
        std::string(workspace_.work().backend == Backend::cuda ? interop::name_of(live_.route().cuda_route) : "host");
    const float room = ImGui::GetContentRegionAvail().x;
    right = elided(right, room);
    const float width = ImGui::CalcTextSize(right.c_str()).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, room - width));
    ImGui::TextDisabled("%s", right.c_str());
  }
  ImGui::End();
}

void Window::draw_help() {
  if (!help_) return;
  constexpr auto above = std::to_array<KeyHelp>({
      {"Ctrl+O, drop files", "open a file, a session, or several files as a list"},
      {"Page Up / Page Down", "the file before / behind in the list; the slide of a lesson that is presented"},
      {"Ctrl+Shift+O", "a file that was opened before"},
      {"Ctrl+S", "save the result"},
      {"U", "use the result as input"},
      {"Shift+U", "add a step that works on the result"},
      {"Ctrl+Shift+C / Ctrl+V", "copy the picture of the view / paste a picture or the path of a file"},
      {"F12 / Shift+F12", "picture of the view / of the window, into the current folder"},
      {"Ctrl+Z", "take the last change back: parameters, painting, algorithm, input"},
      {"Ctrl+Shift+Z, Ctrl+Y", "make it again"},
      {"K", "keep the present setting as B, and compare with it"},
      {"Shift+K", "swap the present setting and B"},
      {"Space", "run again"},
      {"V", "play or pause a moving picture"},
      {"J / L", "its frame before / behind; Shift+J: the first frame"},
      {"Shift+V", "play it once, or again and again"},
      {"Esc", "cancel what runs"},
      {"G", "next backend"},
      {"M", "compare backends"},
      {"Shift+M", "compare the variants of the backend"},
      {"Ctrl+R", "reset the parameters"},
      {"", ""},
  });
  constexpr std::array<KeyHelp, 12> below{{
      {", / .", "the intermediate result before / behind"},
      {"P", "play the intermediate results"},
      {"", ""},
      {"T", "dark or light"},
      {"F11", "present: full screen, large type, no panels; arrows turn the slides of a lesson; Esc returns"},
      {"Ctrl+= / Ctrl+- / Ctrl+0", "larger, smaller, normal text"},
      {"drag in a preview", "paint; right or with Ctrl: clear; with Shift: the origin"},
      {"Tab, arrows, Enter", "move between widgets and change them"},
      {"double-click a number", "type it"},
      {"click a parameter's name", "copy it with its value, for scripts"},
      {"F1", "this list"},
      {"Ctrl+Q", "quit"},
  }};
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
  if (ImGui::Begin("Keys and mouse", &help_,
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoDocking |
                       ImGuiWindowFlags_NoSavedSettings) &&
      ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit)) {
    for (const std::span<const KeyHelp> part :
         {std::span<const KeyHelp>(above), scene().help(), std::span<const KeyHelp>(below)})
      for (const auto& [key, meaning] : part) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(key.data());
        ImGui::TableNextColumn();
        ImGui::TextDisabled("%s", meaning.data());
      }
    ImGui::EndTable();
  }
  ImGui::End();
}

}  // namespace threadscape::app
