// The toolbar, the settings, the keys and the panel of the scene of pictures.

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/scenes/image/image_scene.h"
#include "app/ui/icons.h"
#include "app/ui/value_names.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

constexpr std::array<std::string_view, 3> spot_titles{"input", "result", "serial"};

constexpr std::array<KeyHelp, 14> key_help{{
    {"I / R", "show the input / the result"},
    {"C", "split: drag the divider"},
    {"B", "side by side"},
    {"D", "difference to the serial backend"},
    {"F, double-click", "fit the picture to the view"},
    {"1", "one screen pixel per picture pixel"},
    {"E", "automatic exposure: the picture's values from black to white"},
    {"N", "the values as numbers in pixels that are large enough, or not"},
    {"W", "the thread of a kernel that computes the pixel under the mouse"},
    {"Ctrl+C", "copy the values of the visible pixels, or of those around the mouse, as a table"},
    {"X", "measure with the mouse: a line, a region, or nothing again"},
    {"wheel", "zoom at the mouse"},
    {"drag", "pan"},
    {"Shift+drag", "the rectangle that the algorithm Crop keeps"},
}};

/// The segments of the toolbar, from left to right.
constexpr std::array<ImageShow, 5> toolbar_order{ImageShow::input, ImageShow::result, ImageShow::split,
                                                 ImageShow::side_by_side, ImageShow::difference};

std::string value_text(const interop::ProbeResult& result, int channel) {
  const double value = result.value(0, 0, channel);
  const bool is_float = result.format == gl::Format::r32f || result.format == gl::Format::rgba32f;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), is_float ? "%.5g" : "%.0f", value);
  return text.data();
}

/// The pixel's colour, where white is 1.
ImVec4 swatch(const interop::ProbeResult& result) {
  const bool colour = result.channels() == 4;
  const double full = gl::info_of(result.format).element == Element::u8    ? 255.0
                      : gl::info_of(result.format).element == Element::u16 ? 65535.0
                                                                           : 1.0;
  const auto channel = [&](int c) { return static_cast<float>(result.value(0, 0, colour ? c : 0) / full); };
  return {channel(0), channel(1), channel(2), 1.0f};
}

}  // namespace

void ImageScene::difference_bar() {
  const std::optional<PictureDifference>& found = differences_.found();
  ImGui::AlignTextToFramePadding();
  if (sizes_differ_) {
    ImGui::TextDisabled("A and B have different sizes: there is no difference of their pixels");
    return;
  }
  if (!found) {
    ImGui::TextDisabled(differences_.pending() ? "counting the pixels that differ"
                        : compares_b_          ? "waiting for the result of B"
                                               : "waiting for the serial result");
    return;
  }
  ImGui::Text("%s of %s pixels differ %s", format_grouped(found->differing).c_str(),
              format_grouped(found->pixels).c_str(), compares_b_ ? "between A and B" : "from the serial result");
  if (found->differing == 0) return;
  const std::string label = "Go to the largest: " + format_value(found->largest) + " at " +
                            std::to_string(found->place.x) + ", " + std::to_string(found->place.y);
  flow(ImGui::CalcTextSize(label.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x);
  if (ImGui::Button(label.c_str())) navigator_.go_to(settings_, found->place);
  if (ImGui::IsItemHovered()) tooltip("The pixel with the largest difference of a channel, magnified");
}

std::string ImageScene::range_text() const {
  const auto text = [](const ValueRange& range) { return format_value(range.low) + " to " + format_value(range.high); };
  if (show_ == ImageShow::difference) {
    const auto& found = differences_.found();
    return found && found->largest > 0.0 ? text({0.0, found->largest}) : std::string{};
  }
  std::string all;
  for (const ShownRange& range : ranges_)
    if (range.found()) all += (all.empty() ? "" : " | ") + text(*range.found());
  return all;
}

void ImageScene::exposure_button() {
  bool& on = look().auto_exposure;
  const std::string range = on ? range_text() : std::string{};
  flow(icon_button_width());
  if (icon_button(Icon::exposure, "exposure",
                  "Automatic exposure: the values of the picture, without 0.1 % of them at each end, from black to "
                  "white; each of two pictures has its own range, differences go from 0 to the largest (E)",
                  false, on))
    on = !on;
  if (range.empty()) return;
  flow(ImGui::CalcTextSize(range.c_str()).x);
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", range.c_str());
  if (ImGui::IsItemHovered()) tooltip("The values that are black and white");
}

void ImageScene::measure_buttons() {
  for (const auto& [kind, icon, label, tip] :
       {std::tuple{MeasureKind::line, Icon::ruler, "measure a line",
                   "Measure a line with the mouse: its length, and the values along it (X)"},
        {MeasureKind::region, Icon::region, "measure a region",
         "Measure a region with the mouse: mean, deviation, minimum and maximum (X)"}}) {
    const bool on = measure_.kind() == kind;
    flow(icon_button_width());
    if (icon_button(icon, label, tip, false, on)) measure_.choose(on ? MeasureKind::none : kind);
  }
  if (!can_crop()) return;
  flow(icon_button_width());
  if (icon_button(Icon::crop, "crop", "Draw the rectangle that is kept with the mouse, also with Shift held", false,
                  crop_.on))
    crop_.on = !crop_.on;
}

void ImageScene::toolbar(const Workspace& workspace) {
  in_window_ = true;
  std::array<Segment, 5> segments{{{"Input"}, {"Result"}, {"Split"}, {"Side by side"}, {"Difference"}}};
  segments[0].tooltip = "The picture as it was loaded (I)";
  segments[1].tooltip = "The result (R)";
  segments[2].tooltip = "Input left of the divider, result right of it; drag the divider (C)";
  segments[3].tooltip = "The same detail of input and result (B)";
  segments[4].tooltip = "Difference of the result to the serial backend's; black = equal bits (D)";
  if (compares_b_) {
    segments[2].tooltip = "A left of the divider, B right of it; drag the divider (C)";
    segments[3].tooltip = "The same detail of A and B (B)";
    segments[4].tooltip = "Difference of A to B; black = equal bits (D)";
  }
  const bool has_second = workspace.algorithm().input != Kind::none || compares_b_;
  segments[0].enabled = workspace.algorithm().input != Kind::none;
  for (const std::size_t i : {2u, 3u})
    segments[i].enabled = has_second;
  // Words that do not fit beside the tools become a list, so that the toolbar stays one row.
  float words = 0;
  for (const Segment& segment : segments)
    words += ImGui::CalcTextSize(segment.label.data(), segment.label.data() + segment.label.size()).x + em(0.4f);
  const float button = icon_button_width(), step = button + ImGui::GetStyle().ItemSpacing.x;
  const float last = (can_crop() ? 4.0f : 3.0f) * step, tools = 3 * step + last;  // Three come before the last ones.
  const float room = ImGui::GetContentRegionAvail().x - tools;
  const float width = room >= words ? std::min(em(29), room) : std::clamp(room, em(6), em(9));
  const auto chosen = std::ranges::find(toolbar_order, show_) - toolbar_order.begin();
  const int clicked = segmented("show", segments, static_cast<int>(chosen), width);
  if (clicked >= 0) show_ = toolbar_order[static_cast<std::size_t>(clicked)];

  flow(button);
  if (icon_button(Icon::fit, "Fit", "Show everything (F)")) navigator_.fit();
  flow(button);
  if (icon_button(Icon::actual_size, "1:1", "One screen pixel per picture pixel (1)"))
    navigator_.actual_size(settings_);
  // The zoom is written only if the toolbar has room for it.
  if (fits_behind(ImGui::CalcTextSize("6400%").x + step + last)) {
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", format_percent(static_cast<double>(settings_.zoom)).c_str());
  }
  // Text stands beside the icon where there is room.
  const bool words_fit = fits_behind(icon_button_width("Display", true) + last);
  flow(icon_button_width("Display", words_fit));
  if (icon_button(Icon::sliders, "Display", "Exposure, gamma, colour map, pixel grid: nothing is computed again",
                  words_fit))
    ImGui::OpenPopup("view settings");
  measure_buttons();
  exposure_button();
  draw_settings(workspace);
  if (look().fragments)
    if (const std::string text = fragment_twin_.text(workspace); !text.empty()) {
      flow(ImGui::CalcTextSize(text.c_str()).x);
      ImGui::AlignTextToFramePadding();
      ImGui::TextUnformatted(text.c_str());
      if (ImGui::IsItemHovered())
        tooltip("OpenGL draws a rectangle, whose fragments compute the pixels; both times are without transfers");
    }
  if (show_ == ImageShow::difference) difference_bar();
}

void ImageScene::draw_settings(const Workspace& workspace) {
  if (!ImGui::BeginPopup("view settings")) return;
  const float label = em(7);
  ImageLook& look = this->look();
  ImGui::Dummy({em(20), 0});
  ImGui::Checkbox("Automatic exposure", &look.auto_exposure);
  if (ImGui::IsItemHovered())
    tooltip("The values of the picture from black to white; exposure and offset add to that (E)");
  label_left("Exposure", "Stops: the value times 2^exposure", label);
  slider_float("##exposure", &look.exposure, -ImageLook::max_stops, ImageLook::max_stops, "%.2f stops",
               ImGuiSliderFlags_AlwaysClamp);
  label_left("Offset", "Added after the exposure", label);
  slider_float("##offset", &look.offset, -ImageLook::max_offset, ImageLook::max_offset, "%.3f",
               ImGuiSliderFlags_AlwaysClamp);
  label_left("Gamma", "The value to the power of 1 / gamma", label);
  slider_float("##gamma", &look.gamma, ImageLook::min_gamma, ImageLook::max_gamma, "%.2f",
               ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
  const auto choose_map = [label](const char* name, const char* help, render::ColourMap& map) {
    label_left(name, help, label);
    ImGui::PushID(name);
    if (ImGui::BeginCombo("##map", value_title(render::colour_map_names[static_cast<std::size_t>(map)]).c_str())) {
      for (std::size_t i = 0; i < render::colour_map_names.size(); ++i)
        if (ImGui::Selectable(value_title(render::colour_map_names[i]).c_str(), i == static_cast<std::size_t>(map)))
          map = static_cast<render::ColourMap>(i);
      ImGui::EndCombo();
    }
    ImGui::PopID();
  };
  choose_map("Colour map", "False colour of the grey value or the luma", look.colour_map);
  choose_map("Difference", "Colour map of the difference view", look.difference_map);
  label_left("Gain", "The difference is multiplied by this", label);
  slider_float("##gain", &look.gain, 1, ImageLook::max_gain, "x %.0f",
               ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
  ImGui::Checkbox("Numbers in large pixels", &look.numbers);
  if (ImGui::IsItemHovered()) tooltip("The values of each pixel, once they are large enough to be read (N)");
  bool bars = look.colour_bars != render::ColourBars::never;
  if (ImGui::Checkbox("Colour bar", &bars))
    look.colour_bars = bars ? render::ColourBars::window : render::ColourBars::never;
  if (ImGui::IsItemHovered()) tooltip("Which values false colours, differences and automatic exposure show");
  ImGui::Checkbox("Pixel grid from 8:1 on", &look.grid);
  ImGui::Checkbox("Alpha over a checkerboard", &look.alpha);
  ImGui::Checkbox("Smooth when magnified", &look.smooth);
  if (FragmentTwin::exists_for(workspace.algorithm())) {
    ImGui::Checkbox("Fragment program in place of the input", &look.fragments);
    if (ImGui::IsItemHovered())
      tooltip("What OpenGL makes of the input by a fragment program, also for the difference");
    label_left("Passes", "How often the fragment program runs, each time on the texture that it has drawn before",
               label);
    slider_int("##passes", &look.fragment_passes, 1, ImageLook::max_passes, "%d",
               ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
  }
  if (ImGui::Button("Reset")) look = {.zoom = look.zoom, .column = look.column, .row = look.row};
  ImGui::EndPopup();
}

void ImageScene::menu() {
  if (ImGui::MenuItem("Fit", "F")) navigator_.fit();
  if (ImGui::MenuItem("Copy values", "Ctrl+C")) copy_asked_ = true;
  if (ImGui::IsItemHovered())
    tooltip("Of the visible pixels if there are few, else of those around the mouse: a table for spreadsheets");
  if (ImGui::MenuItem("Automatic exposure", "E", look().auto_exposure)) look().auto_exposure = !look().auto_exposure;
  if (ImGui::MenuItem("1:1", "1")) navigator_.actual_size(settings_);
}

std::span<const KeyHelp> ImageScene::help() const {
  return key_help;
}

void ImageScene::keys() {
  const bool typing = ImGui::GetIO().WantTextInput || ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
  if (!typing && modifier_held(ImGuiMod_Ctrl) && !modifier_held(ImGuiMod_Shift) &&
      ImGui::IsKeyPressed(ImGuiKey_C, false))
    copy_asked_ = true;
  if (!keys_are_free()) return;
  constexpr std::array<std::pair<ImGuiKey, ImageShow>, 5> shows{{{ImGuiKey_I, ImageShow::input},
                                                                 {ImGuiKey_R, ImageShow::result},
                                                                 {ImGuiKey_C, ImageShow::split},
                                                                 {ImGuiKey_B, ImageShow::side_by_side},
                                                                 {ImGuiKey_D, ImageShow::difference}}};
  for (const auto& [key, show] : shows)
    if (ImGui::IsKeyPressed(key, false)) show_ = show;
  if (ImGui::IsKeyPressed(ImGuiKey_E, false)) look().auto_exposure = !look().auto_exposure;
  if (ImGui::IsKeyPressed(ImGuiKey_N, false)) look().numbers = !look().numbers;
  if (ImGui::IsKeyPressed(ImGuiKey_X, false))
    measure_.choose(static_cast<MeasureKind>((static_cast<int>(measure_.kind()) + 1) % 3));
  if (const auto pixel = navigator_.pixel(); pixel && desk() != nullptr && ImGui::IsKeyPressed(ImGuiKey_W, false))
    desk()->show_thread_of(*pixel);
  navigator_.keys(settings_);
}

void ImageScene::panel(const Workspace&, const LiveView& live, const Fonts& fonts) {
  if (measure_.kind() != MeasureKind::none) return measure_.draw_panel(fonts);
  heading(fonts.strong, "Pixel");
  const auto pixel = navigator_.pixel();
  if (!pixel) {
    disabled_sentence("move the mouse over the picture");
    return;
  }
  ImGui::SameLine();
  ImGui::TextDisabled("x %d  y %d", pixel->x, pixel->y);
  const std::array<bool, 3> there{live.input() != nullptr, live.output() != nullptr, live.reference() != nullptr};
  // Four values of three digits fit beside each other into the narrowest panel.
  const float tight = em(0.12f);
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding,
                      {std::min(ImGui::GetStyle().CellPadding.x, tight), ImGui::GetStyle().CellPadding.y});
  const bool open = ImGui::BeginTable("values", 6, ImGuiTableFlags_SizingStretchSame);
  ImGui::PopStyleVar();
  if (!open) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed, em(3.2f));
  ImGui::TableSetupColumn("swatch", ImGuiTableColumnFlags_WidthFixed, em(1));
  for (std::size_t i = 0; i < spots_.size(); ++i) {
    if (!spots_[i].result || !there[i]) continue;
    const interop::ProbeResult& result = *spots_[i].result;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(i == 2 && compares_b_ ? "B" : spot_titles[i].data());
    ImGui::TableNextColumn();
    ImGui::ColorButton(spot_titles[i].data(), swatch(result), ImGuiColorEditFlags_NoTooltip, {em(1), em(1)});
    ImGui::PushFont(fonts.mono, 0.0f);
    for (int c = 0; c < result.channels(); ++c) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(value_text(result, c).c_str());
    }
    ImGui::PopFont();
  }
  ImGui::EndTable();
  if (!thread_.empty()) disabled_sentence(thread_.c_str());
}

}  // namespace threadscape::app
