// The panels without a separate class: algorithms and samples, device, log, status line, help.

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cfloat>
#include <cmath>

#include "app/window/widgets/widgets.h"
#include "app/window/window.h"
#include "compute/core/mesh.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

bool contains(std::string_view text, std::string_view wanted) {
  const auto same = [](char a, char b) { return std::tolower(a) == std::tolower(b); };
  return std::search(text.begin(), text.end(), wanted.begin(), wanted.end(), same) != text.end();
}

/// The groups of all algorithms: first the known ones in this order, then the others.
std::vector<std::string_view> groups() {
  std::vector<std::string_view> all{"Filters", "Smoothing", "Edges",     "Morphology",
                                    "Terrain", "Volumes",   "Sequences", "Memory"};
  for (const AlgorithmInfo& algorithm : algorithms())
    if (std::ranges::find(all, algorithm.group) == all.end()) all.push_back(algorithm.group);
  return all;
}

bool is_found(const AlgorithmInfo& algorithm, const std::string& wanted) {
  const std::array texts{algorithm.title, algorithm.name, algorithm.summary};
  return std::ranges::any_of(texts, [&](std::string_view text) { return contains(text, wanted); });
}

/// The algorithm that somebody means who presses Enter behind `wanted`: the first in the order of the list that has it
/// in its title, or else in its name or summary; null if none has it.
const AlgorithmInfo* best_found(const std::string& wanted) {
  const AlgorithmInfo* best = nullptr;
  for (const std::string_view group : groups())
    for (const AlgorithmInfo& algorithm : algorithms()) {
      if (algorithm.group != group || !is_found(algorithm, wanted)) continue;
      if (contains(algorithm.title, wanted)) return &algorithm;
      if (best == nullptr) best = &algorithm;
    }
  return best;
}

}  // namespace

void Window::draw_list() {
  for (const std::string_view group : groups()) {
    bool titled = false;
    for (const AlgorithmInfo& algorithm : algorithms()) {
      if (algorithm.group != group || !is_found(algorithm, search_)) continue;
      if (!std::exchange(titled, true)) {
        ImGui::Spacing();
        ImGui::TextDisabled("%s", group.data());
      }
      const bool chosen = &algorithm == &workspace_.algorithm();
      // A title that is too long for a narrow panel is shortened, and whole in the tip.
      const std::string shown = elided(algorithm.title, ImGui::GetContentRegionAvail().x);
      const std::string label = shown + "###" + std::string(algorithm.title);
      if (ImGui::Selectable(label.c_str(), chosen)) workspace_.choose_algorithm(algorithm);
      // An algorithm that was chosen by the command line or a key may not be visible yet, so the list scrolls to it.
      if (chosen && &algorithm != listed_) {
        // Visibility is decided by the text, because the rectangle of the item includes half of the space between
        // items.
        const float middle = (ImGui::GetItemRectMin().y + ImGui::GetItemRectMax().y) / 2 - ImGui::GetWindowPos().y;
        const float half = ImGui::GetTextLineHeight() / 2;
        if (middle >= half && middle + half <= ImGui::GetWindowHeight())
          listed_ = &algorithm;
        else
          ImGui::SetScrollHereY();
      }
      if (ImGui::IsItemHovered())
        tooltip((shown == algorithm.title ? "" : std::string(algorithm.title) + "\n\n") +
                std::string(algorithm.summary) + "\n\n" + std::string(algorithm.source));
    }
  }
}

void Window::draw_algorithms() {
  if (ImGui::Begin("Algorithms###algorithms")) {
    heading(ui_.fonts().strong, "Algorithms");
    ImGui::SetNextItemWidth(-1);
    input_text("##search", search_);
    const bool entered = ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
    if (ImGui::IsItemDeactivated() && entered && !search_.empty())
      if (const AlgorithmInfo* best = best_found(search_)) workspace_.choose_algorithm(*best);
    if (search_.empty() && !ImGui::IsItemActive()) {
      const ImVec2 low = ImGui::GetItemRectMin();
      const ImVec2 padding = ImGui::GetStyle().FramePadding;
      ImGui::GetWindowDrawList()->AddText({low.x + padding.x, low.y + padding.y},
                                          ImGui::GetColorU32(ImGuiCol_TextDisabled), "search");
    }
    // The list is as high as its items, up to a limit that leaves room for the pictures.
    const float max_height = ImGui::GetContentRegionAvail().y * 0.62f;
    ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, max_height});
    if (ImGui::BeginChild("list", {0, 0}, ImGuiChildFlags_AutoResizeY)) draw_list();
    ImGui::EndChild();
    ImGui::Spacing();
    ImGui::Separator();
    ImGui::Spacing();
    heading(ui_.fonts().strong, "Pictures");
    draw_input_buttons();
    if (!list_.empty())
      if (const auto clicked = list_.draw(0.4f * ImGui::GetContentRegionAvail().y)) open(*clicked);
    if (samples_.empty()) {
      ImGui::PushStyleColor(ImGuiCol_Text, muted_text());
      ImGui::TextWrapped("no samples: run scripts/setup");
      ImGui::PopStyleColor();
    }
    const auto shown = workspace_.source();
    const std::filesystem::path current = shown ? shown->path : std::filesystem::path{};
    if (ImGui::BeginChild("shelf"))
      if (const auto clicked = samples_.draw(current)) open(*clicked);
    ImGui::EndChild();
  }
  ImGui::End();
}

void Window::draw_bottom() {
  if (!wanted_panel_.empty()) {
    // The name of a panel is the end of its title. ImGui knows a window only after its first frame.
    for (const char* title : {"Timings###timings", "Statistics###statistics", "Device###device", "Log###log"})
      if (std::string_view(title).ends_with("###" + std::string(wanted_panel_)) && ImGui::FindWindowByName(title)) {
        ImGui::SetWindowFocus(title);
        wanted_panel_ = {};
        break;
      }
  }
  if (ImGui::Begin("Timings###timings")) {
    const bool measuring = live_.comparing() || variants_due_;
    const ComparisonRequest wanted = timings_.draw(workspace_.timings, ui_.fonts(), measuring, variant_traffic());
    if (wanted == ComparisonRequest::of_backends) live_.compare_backends(workspace_, 12);
    if (wanted == ComparisonRequest::of_variants) compare_variants();
  }
  ImGui::End();
  if (ImGui::Begin("Statistics###statistics"))
    statistics_.draw(live_, ui_.fonts());
  else
    statistics_.rest();
  ImGui::End();
  draw_device();
  draw_log();
  draw_video();
  draw_tabs();
}

void Window::draw_tabs() {
  for (const auto& tab : tabs_) {
    tab->update(workspace_, files_);
    // A layout that was stored before this tab existed does not place it.
    if (const ImGuiWindow* timings = ImGui::FindWindowByName("Timings###timings");
        timings != nullptr && timings->DockId != 0)
      ImGui::SetNextWindowDockID(timings->DockId, ImGuiCond_FirstUseEver);
    if (ImGui::Begin(tab->title(), nullptr, ImGuiWindowFlags_NoFocusOnAppearing)) tab->draw(workspace_, files_);
    ImGui::End();
    if (std::optional<TabCapture> part = tab->take_capture()) captures_.push_back(std::move(*part));
    const ImGuiWindow* window = ImGui::FindWindowByName(tab->title());
    if (wanted_panel_ == tab->name() && window->WasActive) {
      ImGui::SetWindowFocus(tab->title());
      wanted_panel_ = {};
    }
  }
}

void Window::show_panel(std::string_view name) {
  if (name == view_settings_name && listed_settings() != nullptr) {
    wanted_panel_ = view_settings_name;
    return;
  }
  if (name == variants_panel_name) {
    timings_.show_variants(true);
    name = panel_names.front();
  }
  for (const auto& tab : tabs_)
    if (tab->name() == name) {
      wanted_panel_ = tab->name();
      return;
    }
  if (name == video_panel_name) {
    wanted_panel_ = video_panel_name;
    return;
  }
  if (std::ranges::find(panel_names, name) == panel_names.end()) {
    std::string all;
    for (const std::string_view known : panel_names)
      all += (all.empty() ? "" : " | ") + std::string(known);
    all += " | " + std::string(variants_panel_name) + " | " + std::string(video_panel_name);
    for (const auto& tab : tabs_)
      all += " | " + std::string(tab->name());
    if (listed_settings() != nullptr) all += " | " + std::string(view_settings_name);
    throw UsageError("--panel " + std::string(name) + ": accepted are " + all);
  }
  wanted_panel_ = *std::ranges::find(panel_names, name);
}

void Window::draw_device() {
  if (ImGui::Begin("Device###device")) draw_device_panel(facts_, workspace_, ui_.fonts());
  ImGui::End();
}

void Window::draw_log() {
  // The number of messages that nobody has read stands in the title of the tab.
  const std::string title = notices_.unread() > 0 ? "Log (" + std::to_string(notices_.unread()) + ")" : "Log";
  if (ImGui::Begin((title + "###log").c_str())) {
    notices_.read();
    const auto entries = workspace_.log.entries();
    if (ImGui::SmallButton("Clear")) workspace_.log.clear();
    ImGui::SameLine();
    if (ImGui::SmallButton("Copy")) {
      std::string text;
      for (const auto& entry : entries)
        text += entry.text + "\n";
      ImGui::SetClipboardText(text.c_str());
    }
    if (ImGui::BeginChild("entries")) {
      for (const auto& entry : entries) {
        ImGui::PushFont(ui_.fonts().mono, 0.0f);
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
  ImGui::End();
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
    } else if (const TimingSample* last = workspace_.timings.latest()) {
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
      {"Page Up / Page Down", "the file before / behind in the list"},
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
      {", / .", "the step before / behind, on the way to the result"},
      {"P", "play the steps"},
      {"", ""},
      {"T", "dark or light"},
      {"F11", "present: full screen, large type, no panels; Esc returns"},
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
