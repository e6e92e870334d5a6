// The status line: three figures of the last run, the panels that can be opened, and what is open. The help on keys.

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/session/timing_figures.h"
#include "app/shell/window.h"
#include "app/ui/widgets.h"
#include "compute/core/mesh.h"
#include "compute/registry/registry.h"
#include "compute/sketch/sketch_algorithm.h"

namespace threadscape::app {

namespace {

/// Draws a figure behind its name, and behind the last item.
void draw_figure(const char* name, const std::string& value, std::string_view tip, const ImVec4& colour) {
  ImGui::TextDisabled("%s", name);
  if (ImGui::IsItemHovered()) tooltip(tip);
  ImGui::SameLine(0, em(0.35f));
  ImGui::TextColored(colour, "%s", value.c_str());
  if (ImGui::IsItemHovered()) tooltip(tip);
  ImGui::SameLine(0, em(0.9f));
}

}  // namespace

std::string Window::limit_text(const TimingSample& last) const {
  const Work& work = workspace_.work();
  const gl::Resource* const output = live_.output();
  if (output == nullptr || last.times.compute_ms <= 0) return "-";
  const double bytes = bytes_moved(workspace_.algorithm(), work.params, workspace_.input_shape(), output->shape());
  const double rate = bytes / last.times.compute_ms * 1e3;
  if (rate <= 0) return "-";
  const std::optional<double> copy = copy_limit_.of(last.backend, work.threads, workspace_.device());
  if (copy) return format_percent(rate / *copy) + " of a copy";
  return rate >= 1e8 ? format_value(rate / 1e9) + " GB/s" : format_value(rate / 1e6) + " MB/s";
}

void Window::draw_figures() {
  const TimingSample* last = workspace_.timings.latest();
  if (last == nullptr || sketch::has_sketched_kernels(workspace_.algorithm())) return;
  const ImVec4 plain = ImGui::GetStyleColorVec4(ImGuiCol_Text);
  // While parameters change, the last run is that of the earlier ones.
  const std::size_t runs = workspace_.timings.statistics(last->backend).summary().count;
  const double own = shown_ms(workspace_.timings, last->backend), total = own > 0 ? own : last->times.total_ms();
  const std::string rate = format_count(static_cast<double>(last->items) / std::max(total, 1e-6) * 1e3) +
                           (gl::Resource::is_texture(workspace_.algorithm().output) ? "pixels/s" : "values/s");
  draw_figure("time", format_ms(total),
              (runs > 1 ? "The median of " + std::to_string(runs) + " runs on " : "The last run on ") +
                  std::string(name_of(last->backend)) + ": " + rate,
              backend_colour(last->backend));
  const double factor = factor_to_serial(workspace_.timings, last->backend);
  draw_figure("factor", factor > 0 ? format_value(factor) + "x" : "-",
              "How many times as fast as serial, by the medians of both; M measures all backends", plain);
  const bool measured = copy_limit_.of(last->backend, workspace_.work().threads, workspace_.device()).has_value();
  draw_figure(measured ? "limit" : "rate", limit_text(*last),
              measured ? "Input and output once, by the time of the last run's kernels, as a share of a copy of memory"
                       : "Input and output once, by the time of the last run's kernels; Shift+M measures a copy of "
                         "memory, which is the limit",
              plain);
  if (const auto picture = workspace_.picture(); workspace_.algorithm().sixteen_bit_as_floats && picture &&
                                                 picture->picture.pixels.shape().element == Element::u16) {
    ImGui::TextDisabled("computed with floats");
    if (ImGui::IsItemHovered()) tooltip("The 16-bit picture is converted to floats, and the result to 16 bits");
    ImGui::SameLine();
  }
}

void Window::draw_openers() {
  const auto fits = [](const char* label) {
    return ImGui::CalcTextSize(label, nullptr, true).x + 2 * ImGui::GetStyle().FramePadding.x <=
           ImGui::GetContentRegionAvail().x;
  };
  ImGui::PushStyleColor(ImGuiCol_Button, {0, 0, 0, 0});
  const bool closed = !look_.lower_panel || page() != nullptr;
  if (!closed && fits("Close panel")) {
    if (ImGui::Button("Close panel")) look_.lower_panel = false;
    if (ImGui::IsItemHovered()) tooltip("Leaves the three figures of this line (F9)");
    ImGui::SameLine(0, em(0.2f));
  }
  for (const auto& [type, panel] : panels_) {
    if (!closed || type.place != PanelPlace::below || (type.comes_and_goes && !panel->is_there(*this))) continue;
    std::string title(type.title);
    title.insert(title.find("###"), panel->badge(*this));
    if (!fits(title.c_str())) break;
    if (ImGui::Button(title.c_str())) show_panel(type.name);
    ImGui::SameLine(0, em(0.2f));
  }
  ImGui::PopStyleColor();
}

std::string Window::status_text() {
  std::string text;
  if (const Shape input = workspace_.input_shape(); input.kind != Kind::none) {
    const auto source = workspace_.source();
    std::string what = to_string(input);
    if (input.kind == Kind::mesh && source)
      what = "mesh of " + std::to_string(MeshView(source->picture.pixels.view()).triangles()) + " triangles";
    text = (source ? source->title() : std::string{}) + "   " + what;
  }
  if (workspace_.work().is_divided())
    text += "   divided among " + std::to_string(workspace_.work().devices.size()) + " GPUs";
  else if (workspace_.work().backend == Backend::cuda)
    text += "   CUDA to display: " + std::string(interop::name_of(live_.route().cuda_route));
  return text;
}

void Window::draw_status() {
  const float padding = std::floor(em(0.13f));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {em(0.7f), padding});
  const bool visible = ImGui::BeginViewportSideBar("##status", ImGui::GetMainViewport(), ImGuiDir_Down,
                                                   ImGui::GetFrameHeight() + 2 * padding,
                                                   ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar();
  if (visible) {
    ImGui::AlignTextToFramePadding();
    if (draw_progress()) {
      ImGui::SameLine();
    } else if (files_.asks_desktop()) {
      ImGui::TextDisabled("a dialog of the desktop is open");
      ImGui::SameLine();
    } else {
      draw_figures();
    }
    // A fact takes the place of the buttons where both do not fit.
    if (!notices_.has_fact() || ImGui::GetContentRegionAvail().x > em(44)) draw_openers();
    if (notices_.has_fact()) {
      const auto offer = notices_.draw_fact(ImGui::GetContentRegionAvail().x - em(1), ImGui::GetTime());
      if (offer) accept(*offer);
    }
    // Times that were measured beside other work are longer than those of the program alone.
    if (const double others = load_.others(); others >= 0.1) {
      const std::string text = "other programs use " + format_percent(std::round(100 * others) / 100) + " of the CPU";
      if (ImGui::CalcTextSize(text.c_str()).x < ImGui::GetContentRegionAvail().x) {
        ImGui::TextColored(warning_colour(), "%s", text.c_str());
        if (ImGui::IsItemHovered()) tooltip("Measured times are longer than on a quiet machine");
        ImGui::SameLine();
      }
    }
    if (const float room = ImGui::GetContentRegionAvail().x; room > em(6)) {
      const std::string right = elided(status_text(), room);
      const float width = ImGui::CalcTextSize(right.c_str()).x;
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, room - width));
      ImGui::TextDisabled("%s", right.c_str());
    }
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
      {"Ctrl+Shift+C / Ctrl+V", "copy the view as a picture / paste a picture or the path of a file"},
      {"F12 / Shift+F12", "screenshot of the view / of the window, into the current folder"},
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
  constexpr std::array<KeyHelp, 13> below{{
      {", / .", "the intermediate result before / behind"},
      {"P", "play the intermediate results"},
      {"", ""},
      {"T", "dark or light"},
      {"F11", "present: full screen, large type, no panels; arrows turn the slides of a lesson; Esc returns"},
      {"Ctrl+= / Ctrl+- / Ctrl+0", "larger, smaller, normal text"},
      {"drag in a preview", "paint; right or with Ctrl: clear; with Shift: the origin"},
      {"Tab", "the panels, or the picture alone; F9: the lower panel; Ctrl+1, 2 and 3: the pages"},
      {"arrows, Tab, Enter", "move between widgets and change them"},
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
