// The menus of the window, their keys, and the popups that they open.

#include <imgui_internal.h>

#include <algorithm>
#include <array>

#include "app/shell/window.h"
#include "app/ui/icons.h"
#include "app/ui/widgets.h"
#include "compute/core/resources.h"
#include "compute/io/video/frame_source.h"

namespace threadscape::app {

void Window::keys() {
  const ImGuiIO& io = ImGui::GetIO();
  const bool popup = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
  const bool control = modifier_held(ImGuiMod_Ctrl);
  if (ImGui::IsKeyPressed(ImGuiKey_F12, false)) (modifier_held(ImGuiMod_Shift) ? capture_frame_ : capture_view_) = true;
  if (ImGui::IsKeyPressed(ImGuiKey_F1, false)) help_ = !help_;
  if (ImGui::IsKeyPressed(ImGuiKey_F11, false)) present(!presenting_);
  // These have no meaning in a text field, so they hold while one is edited, too.
  if (control && ImGui::IsKeyPressed(ImGuiKey_Q, false)) quit_ = true;
  if (popup) return;
  panel_keys();
  if (control && ImGui::IsKeyPressed(ImGuiKey_O, false)) {
    if (modifier_held(ImGuiMod_Shift))
      recent_wanted_ = true;
    else
      ask_open();
  }
  if (control && ImGui::IsKeyPressed(ImGuiKey_S, false) && !sketch_.edited()) ask_save();
  if (io.WantTextInput) return;
  if (control && ImGui::IsKeyPressed(ImGuiKey_V, false)) paste();
  if (control && modifier_held(ImGuiMod_Shift) && ImGui::IsKeyPressed(ImGuiKey_C, false)) copy_view();
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) {
    if (help_)
      help_ = false;
    else if (presenting_)
      present(false);
    else
      live_.cancel();
  }
  if (control) {
    edit_keys();
    if (ImGui::IsKeyPressed(ImGuiKey_R, false)) workspace_.reset_parameters();
    if (ImGui::IsKeyPressed(ImGuiKey_Equal, false)) look_.scale = std::min(look_.scale * 1.1f, 3.0f);
    if (ImGui::IsKeyPressed(ImGuiKey_Minus, false)) look_.scale = std::max(look_.scale / 1.1f, 0.5f);
    if (ImGui::IsKeyPressed(ImGuiKey_0, false)) look_.scale = 1.0f;
    return;
  }
  if (!list_.empty() && text_page() == nullptr) {          // These keys move the text of a lesson.
    const ImGuiID owner = ImHashStr("the list of files");  // The keyboard does not go on to another widget by them.
    for (const auto& [key, by] : {std::pair{ImGuiKey_PageUp, -1}, std::pair{ImGuiKey_PageDown, 1}}) {
      if (ImGui::IsKeyPressed(key, 0, owner)) step_file(by);
      ImGui::SetKeyOwner(key, owner);
    }
  }
  if (ImGui::IsKeyPressed(ImGuiKey_T, false)) look_.theme = look_.theme == Theme::dark ? Theme::light : Theme::dark;
  if (ImGui::IsKeyPressed(ImGuiKey_G, false)) next_backend();
  if (ImGui::IsKeyPressed(ImGuiKey_M, false)) {
    if (modifier_held(ImGuiMod_Shift))
      compare_variants();
    else
      live_.compare_backends(workspace_, 12);
  }
  if (ImGui::IsKeyPressed(ImGuiKey_U, false)) {
    if (modifier_held(ImGuiMod_Shift))
      ask_next_step();
    else
      use_result();
  }
  if (ImGui::IsKeyPressed(ImGuiKey_Space, false)) run_again();
  if (moving_.active() && moving_.why_ignored().empty()) TransportBar::keys(moving_.player());
  if (ImGui::IsKeyPressed(ImGuiKey_K, false)) modifier_held(ImGuiMod_Shift) ? swap_a_and_b() : keep_as_b();
}

/// The keys that show and hide panels and pages. Tab belongs to the widgets while a text is edited, or while the
/// keyboard goes from widget to widget.
void Window::panel_keys() {
  const ImGuiID owner = ImHashStr("the panels of the window");
  const bool free = !ImGui::GetIO().WantTextInput && !ImGui::GetCurrentContext()->NavCursorVisible && !presenting_ &&
                    !modifier_held(ImGuiMod_Ctrl);
  if (free && page() == nullptr && ImGui::IsKeyPressed(ImGuiKey_Tab, 0, owner)) look_.panels = !look_.panels;
  if (free) ImGui::SetKeyOwner(ImGuiKey_Tab, owner);
  if (ImGui::IsKeyPressed(ImGuiKey_F9, false)) look_.lower_panel = !look_.lower_panel;
  if (!modifier_held(ImGuiMod_Ctrl)) return;
  const std::vector<const PanelType*> all = pages();
  for (std::size_t i = 0; i <= all.size(); ++i)
    if (ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_1 + static_cast<int>(i)), false))
      page_ = i == 0 ? std::string_view{} : all[i - 1]->name;
}

void Window::edit_keys() {
  const bool shift = modifier_held(ImGuiMod_Shift);
  if (ImGui::IsKeyPressed(ImGuiKey_Z)) shift ? redo() : undo();
  if (ImGui::IsKeyPressed(ImGuiKey_Y)) redo();
}

void Window::menu() {
  if (!ImGui::BeginMainMenuBar()) return;
  if (ImGui::BeginMenu("File")) {
    file_menu();
    ImGui::EndMenu();
  }
  edit_menu();
  if (ImGui::BeginMenu("Run")) {
    if (ImGui::MenuItem("Run again", "Space")) run_again();
    if (ImGui::MenuItem("Compare backends", "M", false, !live_.comparing())) live_.compare_backends(workspace_, 12);
    const bool has_variants = workspace_.algorithm().variants_of(workspace_.work().backend).size() > 1;
    if (ImGui::MenuItem("Compare variants", "Shift+M", false, has_variants && !live_.comparing())) compare_variants();
    if (ImGui::MenuItem("Next backend", "G")) next_backend();
    if (ImGui::MenuItem("Cancel", "Esc", false, live_.busy())) live_.cancel();
    ImGui::Separator();
    if (ImGui::MenuItem("Reset parameters", "Ctrl+R")) workspace_.reset_parameters();
    ImGui::EndMenu();
  }
  if (ImGui::BeginMenu("View")) {
    scene().menu();
    ImGui::Separator();
    if (ImGui::MenuItem("Light theme", "T", look_.theme == Theme::light))
      look_.theme = look_.theme == Theme::dark ? Theme::light : Theme::dark;
    if (ImGui::MenuItem("Larger text", "Ctrl+=")) look_.scale = std::min(look_.scale * 1.1f, 3.0f);
    if (ImGui::MenuItem("Smaller text", "Ctrl+-")) look_.scale = std::max(look_.scale / 1.1f, 0.5f);
    if (ImGui::MenuItem("All panels", "Tab", look_.panels)) look_.panels = !look_.panels;
    if (ImGui::MenuItem("Lower panel", "F9", look_.lower_panel)) look_.lower_panel = !look_.lower_panel;
    ImGui::MenuItem("Source beside diagrams", nullptr, &shows_code_);
    if (ImGui::MenuItem("Present", "F11")) present(true);
    if (ImGui::IsItemHovered()) tooltip("The picture on the full screen with large type, without panels; Esc returns");
    if (ImGui::MenuItem("Reset layout")) reset_layout();
    ImGui::EndMenu();
  }
  if (ImGui::BeginMenu("Help")) {
    if (ImGui::MenuItem("Lessons")) show_panel("lesson");
    for (const auto& [type, panel] : panels_)
      panel->help_menu(*this);
    if (ImGui::MenuItem("Keys and mouse", "F1")) help_ = true;
    ImGui::EndMenu();
  }
  draw_tabs();
  draw_tools();
  ImGui::EndMainMenuBar();
}

void Window::draw_tools() {
  const float gap = std::floor(em(0.2f)), width = 7 * icon_button_width() + 8 * gap;
  const float left = ImGui::GetWindowWidth() - width;
  if (!look_.panels && page() == nullptr) {  // Without the status line, what is waited for is said here.
    ImGui::SameLine();
    draw_progress();
    ImGui::SameLine();
  }
  if (ImGui::GetCursorPosX() > left) return;
  ImGui::SetCursorPosX(left);
  ImGui::PushStyleColor(ImGuiCol_Button, {0, 0, 0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, 0});
  const auto tool = [](Icon icon, const char* id, std::string_view tip, bool enabled = true, bool on = false) {
    ImGui::BeginDisabled(!enabled);
    const bool pressed = icon_button(icon, id, tip, false, on);
    ImGui::EndDisabled();
    return pressed;
  };
  if (tool(Icon::open, "open a file", "Open a file (Ctrl+O)")) ask_open();
  if (tool(Icon::save, "save the result", "Save the result (Ctrl+S)", can_save())) ask_save();
  if (tool(Icon::undo, "undo", "Undo: " + workspace_.history.undo_name() + " (Ctrl+Z)",
           !workspace_.history.undo_name().empty()))
    undo();
  if (tool(Icon::redo, "redo", "Redo: " + workspace_.history.redo_name() + " (Ctrl+Y)",
           !workspace_.history.redo_name().empty()))
    redo();
  if (tool(Icon::compare, "compare backends", "Measure all backends (M)", !live_.comparing()))
    live_.compare_backends(workspace_, 12);
  if (tool(Icon::panels, "panels", "Panels, or the picture alone (Tab)", page() == nullptr, look_.panels))
    look_.panels = !look_.panels;
  if (tool(Icon::screen, "present", "Present: full screen, large type (F11)")) present(true);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

void Window::file_menu() {
  if (ImGui::MenuItem("Open...", "Ctrl+O")) ask_open();
  if (ImGui::MenuItem("Open folder...")) ask_open_folder();
  if (ImGui::IsItemHovered())
    tooltip("As one volume: the files of a DICOM series, or a stack of pictures of one size. Or a lesson");
  if (ImGui::BeginMenu("Open video or camera")) {
    draw_moving_sources();
    ImGui::EndMenu();
  }
  if (ImGui::BeginMenu("Open recent")) {
    if (const auto path = recent_.draw_menu()) open(*path);
    ImGui::EndMenu();
  }
  if (ImGui::BeginMenu("New sketch")) {
    draw_example_sketches();
    ImGui::EndMenu();
  }
  if (ImGui::IsItemHovered()) tooltip("A kernel of your own: a copy of an example, to be changed and run");
  if (ImGui::MenuItem("Export sketch...", nullptr, false, sketch_.is_open())) ask_export_sketch();
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    tooltip("One file with the text, its parameters, its input if that is a small picture, and its results");
  if (ImGui::MenuItem("Close the file", nullptr, false, workspace_.can_close())) workspace_.close();
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    tooltip("Algorithms that make an input of their own go back to it");
  if (ImGui::MenuItem("Save result...", "Ctrl+S", false, can_save())) ask_save();
  for (const auto& [type, panel] : panels_)
    panel->file_menu(*this);
  ImGui::Separator();
  const bool usable = why_no_result().empty();
  if (ImGui::MenuItem("Result as input", "U", false, usable)) use_result();
  if (ImGui::MenuItem("Result as input of...", nullptr, false, usable)) choose_target();
  if (ImGui::MenuItem("Next step...", "Shift+U")) ask_next_step();
  if (ImGui::MenuItem("End the list of steps", nullptr, false, !workspace_.steps().empty())) workspace_.clear_steps();
  if (ImGui::MenuItem("Back to the earlier input", nullptr, false, workspace_.can_go_back()))
    workspace_.go_back(workspace_.algorithm().input);
  ImGui::Separator();
  if (ImGui::BeginMenu("Bit depth", workspace_.picture() != nullptr)) {
    constexpr std::array<std::pair<const char*, Element>, 3> kinds{
        {{"8-bit integers", Element::u8}, {"16-bit integers", Element::u16}, {"Floats", Element::f32}}};
    for (const auto& [name, element] : kinds)
      if (ImGui::MenuItem(name, nullptr, workspace_.picture()->picture.pixels.shape().element == element))
        live_.files().convert(workspace_.picture(), element);
    ImGui::EndMenu();
  }
  ImGui::Separator();
  if (ImGui::MenuItem("Copy view", "Ctrl+Shift+C")) copy_view();
  if (ImGui::MenuItem("Paste", "Ctrl+V")) paste();
  if (ImGui::IsItemHovered()) tooltip("A picture, the path of a file, or a picture as text (data:image/...)");
  ImGui::Separator();
  if (ImGui::MenuItem("Open session...")) ask_open_session();
  if (ImGui::MenuItem("Save session...")) ask_save_session();
  if (ImGui::IsItemHovered()) tooltip("Algorithm, parameters, files and views, to be opened again");
  ImGui::Separator();
  if (ImGui::MenuItem("Screenshot of the view", "F12")) capture_view_ = true;
  if (ImGui::MenuItem("Screenshot of the window", "Shift+F12")) capture_frame_ = true;
  ImGui::Separator();
  const bool possible = files_.why_no_desktop().empty();
  if (ImGui::MenuItem("Dialogs of the desktop", nullptr, possible && files_.wants_desktop(), files_.can_use_desktop()))
    files_.want_desktop(!possible || !files_.wants_desktop());
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    tooltip(possible ? "Files are chosen in the dialogs of the desktop, or else in those of this window"
                     : "Not in use: " + files_.why_no_desktop());
  ImGui::Separator();
  if (ImGui::MenuItem("Quit", "Ctrl+Q")) quit_ = true;
}

void Window::draw_moving_sources() {
  if (ImGui::IsWindowAppearing() || moving_sources_.empty()) moving_sources_ = io::frame_source_kinds();
  for (const io::FrameSourceKind& kind : moving_sources_) {
    const bool usable = kind.why.empty();
    if (ImGui::MenuItem(kind.name.c_str(), nullptr, false, usable)) {
      if (!kind.open.empty())
        open(kind.open);
      else
        ask_open();
    }
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
      tooltip(!usable ? kind.why : kind.open.empty() ? "Choose a file" : "Open " + kind.open);
  }
}

void Window::draw_example_sketches() {
  if (ImGui::IsWindowAppearing()) {
    examples_.clear();
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(asset_folder() / "sketches", error))
      if (entry.path().extension() == ".cu") examples_.push_back(entry.path());
    std::ranges::sort(examples_);
  }
  for (const std::filesystem::path& example : examples_)
    if (ImGui::MenuItem(example.stem().string().c_str())) {
      try {
        sketch_.begin(example);
      } catch (const Error& error) {
        workspace_.log.error(error.what());
      }
    }
}

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

void Window::draw_recent() {
  constexpr const char* title = "Files that were opened last";
  if (std::exchange(recent_wanted_, false)) {
    ImGui::OpenPopup(title);
    ImGui::SetNextWindowFocus();
  }
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
  if (!ImGui::BeginPopup(title)) return;
  heading(ui_.fonts().strong, title);
  if (const auto path = recent_.draw_menu()) open(*path);
  ImGui::EndPopup();
}

void Window::draw_result_menu() {
  const AlgorithmInfo* target = result_menu_.draw(workspace_.algorithm().output, picture_[0], picture_[1]);
  if (target == nullptr) return;
  if (menu_adds_step_)
    workspace_.add_step(*target);
  else
    use_result(*target);
}

}  // namespace threadscape::app
