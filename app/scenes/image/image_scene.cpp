#include "app/scenes/image/image_scene.h"

#include <algorithm>
#include <cmath>

#include "app/window/widgets/widgets.h"

namespace threadscape::app {

namespace {

constexpr std::array<std::string_view, 3> spot_titles{"input", "result", "serial"};

constexpr std::array<KeyHelp, 8> key_help{{
    {"I / R", "show the input / the result"},
    {"C", "split: drag the divider"},
    {"B", "side by side"},
    {"D", "difference to the serial backend"},
    {"F, double-click", "fit the picture to the view"},
    {"1", "one screen pixel per picture pixel"},
    {"wheel", "zoom at the mouse"},
    {"drag", "pan"},
}};

/// The segments of the toolbar, from left to right.
constexpr std::array<ImageShow, 5> toolbar_order{ImageShow::input, ImageShow::result, ImageShow::split,
                                                 ImageShow::side_by_side, ImageShow::difference};

/// The texture that holds the data; null if there are none, or if they are held otherwise.
const gl::Texture* texture_of(const gl::Resource* resource) {
  return resource != nullptr ? resource->texture() : nullptr;
}

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

void ImageScene::draw(const LiveView& live, const gl::Framebuffer& target) {
  const glm::ivec2 view{target.width(), target.height()};
  const ImVec4 canvas = canvas_colour();
  settings_.background = {canvas.x, canvas.y, canvas.z, 1.0f};
  target.bind();

  const gl::Texture* input = texture_of(live.input());
  const gl::Texture* result = texture_of(live.output());
  const gl::Texture* first = show_ == ImageShow::input || result == nullptr ? input : result;
  const gl::Texture* second = nullptr;
  settings_.mode = render::ViewMode::single;
  if (result != nullptr && show_ == ImageShow::difference) {
    second = texture_of(live.reference());
    if (second != nullptr) settings_.mode = render::ViewMode::difference;
  } else if (result != nullptr && input != nullptr && (show_ == ImageShow::split || show_ == ImageShow::side_by_side)) {
    first = input;
    second = result;
    settings_.mode = show_ == ImageShow::split ? render::ViewMode::split : render::ViewMode::side_by_side;
  }
  if (first == nullptr) {
    target.clear(settings_.background);
    return;
  }
  count_differences(live);
  navigator_.begin(settings_, view, {first->width(), first->height()});
  pass_.draw(*first, second, settings_for(live, *first), view.x, view.y);
}

void ImageScene::count_differences(const LiveView& live) {
  if (show_ != ImageShow::difference || live.reference() == nullptr || live.shown() == nullptr)
    return differences_.rest();
  try {
    differences_.follow(*live.shown(), *live.output(), *live.reference());
  } catch (const Error& error) {
    error_ = error.what();
    differences_.rest();
  }
}

void ImageScene::difference_bar() {
  const std::optional<PictureDifference>& found = differences_.found();
  ImGui::AlignTextToFramePadding();
  if (!found) {
    ImGui::TextDisabled(differences_.pending() ? "counting the pixels that differ" : "waiting for the serial result");
    return;
  }
  ImGui::Text("%s of %s pixels differ", format_grouped(found->differing).c_str(),
              format_grouped(found->pixels).c_str());
  if (found->differing == 0) return;
  const std::string label = "Go to the largest: " + format_number(found->largest) + " at " +
                            std::to_string(found->place.x) + ", " + std::to_string(found->place.y);
  flow(ImGui::CalcTextSize(label.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x);
  if (ImGui::Button(label.c_str())) navigator_.go_to(settings_, found->place);
  if (ImGui::IsItemHovered()) tooltip("The pixel with the largest difference of a channel, magnified");
}

render::ImageViewSettings ImageScene::settings_for(const LiveView& live, const gl::Texture& shown) {
  const gl::Resource* resource = texture_of(live.input()) == &shown ? live.input() : live.output();
  const Shape& shape = resource->shape();
  if (shape.kind != Kind::heightfield || shape.element != Element::f32) return settings_;
  const std::pair now{shown.id(), live.output_version() + live.input_version()};
  if (bounds_of_ != now) {
    bounds_.begin(shown);
    bounds_of_ = now;
  }
  if (const auto tree = bounds_.take(false)) heights_ = {tree->low(), tree->high()};
  render::ImageViewSettings settings = settings_;
  const float gain = heights_.y > heights_.x ? 1.0f / (heights_.y - heights_.x) : 1.0f;
  const float exposure = std::exp2(settings_.exposure);
  settings.exposure = settings_.exposure + std::log2(gain);
  settings.offset = settings_.offset - heights_.x * gain * exposure;
  settings.difference_gain *= gain;
  return settings;
}

void ImageScene::toolbar(const Workspace& workspace) {
  std::array<Segment, 5> segments{{{"Input"}, {"Result"}, {"Split"}, {"Side by side"}, {"Difference"}}};
  segments[0].tooltip = "The picture as it was loaded (I)";
  segments[1].tooltip = "The result (R)";
  segments[2].tooltip = "Input left of the divider, result right of it; drag the divider (C)";
  segments[3].tooltip = "The same detail of input and result (B)";
  segments[4].tooltip = "Difference of the result to the serial backend's; black = equal bits (D)";
  const bool has_input = workspace.algorithm().input != Kind::none;
  for (const std::size_t i : {0u, 2u, 3u})
    segments[i].enabled = has_input;
  const float width = std::min(em(29), ImGui::GetContentRegionAvail().x * 0.64f);
  const auto chosen = std::ranges::find(toolbar_order, show_) - toolbar_order.begin();
  const int clicked = segmented("show", segments, static_cast<int>(chosen), width);
  if (clicked >= 0) show_ = toolbar_order[static_cast<std::size_t>(clicked)];

  ImGui::SameLine();
  if (ImGui::Button("Fit")) navigator_.fit();
  if (ImGui::IsItemHovered()) tooltip("Show everything (F)");
  ImGui::SameLine();
  if (ImGui::Button("1:1")) navigator_.actual_size(settings_);
  if (ImGui::IsItemHovered()) tooltip("One screen pixel per picture pixel (1)");
  // The zoom is written only if the toolbar has room for it.
  const ImGuiStyle& style = ImGui::GetStyle();
  const float view_button = ImGui::CalcTextSize("Display...").x + 2 * style.FramePadding.x;
  if (fits_behind(ImGui::CalcTextSize("6400%").x + style.ItemSpacing.x + view_button)) {
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", format_percent(static_cast<double>(settings_.zoom)).c_str());
  }
  flow(view_button);
  if (ImGui::Button("Display...")) ImGui::OpenPopup("view settings");
  if (ImGui::IsItemHovered()) tooltip("Exposure, gamma, colour map, pixel grid: nothing is computed again");
  draw_settings();
  if (show_ == ImageShow::difference) difference_bar();
}

void ImageScene::draw_settings() {
  if (!ImGui::BeginPopup("view settings")) return;
  const float label = em(7);
  ImGui::Dummy({em(20), 0});
  label_left("Exposure", "Stops: the value times 2^exposure", label);
  slider_float("##exposure", &settings_.exposure, -6, 6, "%.2f stops");
  label_left("Offset", "Added after the exposure", label);
  slider_float("##offset", &settings_.offset, -1, 1, "%.3f");
  label_left("Gamma", "The value to the power of 1 / gamma", label);
  slider_float("##gamma", &settings_.gamma, 0.2f, 5, "%.2f", ImGuiSliderFlags_Logarithmic);
  const auto choose_map = [label](const char* name, const char* help, render::ColourMap& map) {
    label_left(name, help, label);
    ImGui::PushID(name);
    if (ImGui::BeginCombo("##map", render::colour_map_names[static_cast<std::size_t>(map)].data())) {
      for (std::size_t i = 0; i < render::colour_map_names.size(); ++i)
        if (ImGui::Selectable(render::colour_map_names[i].data(), i == static_cast<std::size_t>(map)))
          map = static_cast<render::ColourMap>(i);
      ImGui::EndCombo();
    }
    ImGui::PopID();
  };
  choose_map("Colour map", "False colour of the grey value or the luma", settings_.colour_map);
  choose_map("Difference", "Colour map of the difference view", settings_.difference_map);
  label_left("Gain", "The difference is multiplied by this", label);
  slider_float("##gain", &settings_.difference_gain, 1, 255, "x %.0f", ImGuiSliderFlags_Logarithmic);
  ImGui::Checkbox("Pixel grid from 8:1 on", &settings_.pixel_grid);
  ImGui::Checkbox("Alpha over a checkerboard", &settings_.show_alpha_checker);
  bool smooth = settings_.filter == render::Magnify::smooth;
  if (ImGui::Checkbox("Smooth when magnified", &smooth))
    settings_.filter = smooth ? render::Magnify::smooth : render::Magnify::nearest;
  if (ImGui::Button("Reset")) settings_ = {.zoom = settings_.zoom, .centre = settings_.centre};
  ImGui::EndPopup();
}

void ImageScene::menu() {
  if (ImGui::MenuItem("Fit", "F")) navigator_.fit();
  if (ImGui::MenuItem("1:1", "1")) navigator_.actual_size(settings_);
}

std::span<const KeyHelp> ImageScene::help() const {
  return key_help;
}

void ImageScene::keys() {
  if (!keys_are_free()) return;
  constexpr std::array<std::pair<ImGuiKey, ImageShow>, 5> shows{{{ImGuiKey_I, ImageShow::input},
                                                                 {ImGuiKey_R, ImageShow::result},
                                                                 {ImGuiKey_C, ImageShow::split},
                                                                 {ImGuiKey_B, ImageShow::side_by_side},
                                                                 {ImGuiKey_D, ImageShow::difference}}};
  for (const auto& [key, show] : shows)
    if (ImGui::IsKeyPressed(key, false)) show_ = show;
  navigator_.keys(settings_);
}

void ImageScene::interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) {
  keys();
  const auto width = static_cast<float>(navigator_.view().x);
  const float divider = settings_.split * width;
  const float density = size.x > 0 ? width / size.x : 1.0f;
  const float mouse = (ImGui::GetIO().MousePos.x - origin.x) * density;
  const bool near_divider =
      hovered && settings_.mode == render::ViewMode::split && std::abs(mouse - divider) < em(0.5f) * density;
  if (near_divider && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) dragging_split_ = true;
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) dragging_split_ = false;
  if (dragging_split_ && width > 0) settings_.split = std::clamp(mouse / width, 0.0f, 1.0f);
  if (near_divider || dragging_split_) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  navigator_.mouse(settings_, origin, size, hovered, near_divider);
  if (const auto pixel = navigator_.pixel()) request_values(live, *pixel);
}

void ImageScene::request_values(const LiveView& live, glm::ivec2 pixel) {
  const std::array<const gl::Texture*, 3> textures{texture_of(live.input()), texture_of(live.output()),
                                                   texture_of(live.reference())};
  for (std::size_t i = 0; i < spots_.size(); ++i) {
    if (auto arrived = spots_[i].probe.poll()) spots_[i].result = std::move(arrived);
    if (textures[i] == nullptr || pixel.x >= textures[i]->width() || pixel.y >= textures[i]->height())
      spots_[i].result.reset();
    else if (!spots_[i].probe.pending())
      spots_[i].probe.request(*textures[i], pixel.x, pixel.y);
  }
}

bool ImageScene::animating() const {
  if (bounds_.pending() || differences_.pending()) return true;
  // If the value that arrives is of another pixel than the one under the mouse, one more request is needed.
  const auto pixel = navigator_.pixel();
  return pixel && std::ranges::any_of(spots_, [&pixel](const Spot& spot) {
           return spot.probe.pending() && (!spot.result || spot.result->x != pixel->x || spot.result->y != pixel->y);
         });
}

void ImageScene::panel(const Workspace&, const LiveView& live, const Fonts& fonts) {
  heading(fonts.strong, "Pixel");
  const auto pixel = navigator_.pixel();
  if (!pixel) {
    ImGui::TextDisabled("move the mouse over the picture");
    return;
  }
  ImGui::SameLine();
  ImGui::TextDisabled("x %d  y %d", pixel->x, pixel->y);
  const std::array<bool, 3> there{live.input() != nullptr, live.output() != nullptr, live.reference() != nullptr};
  if (!ImGui::BeginTable("values", 6, ImGuiTableFlags_SizingStretchSame)) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed, em(3.2f));
  ImGui::TableSetupColumn("swatch", ImGuiTableColumnFlags_WidthFixed, em(1));
  for (std::size_t i = 0; i < spots_.size(); ++i) {
    if (!spots_[i].result || !there[i]) continue;
    const interop::ProbeResult& result = *spots_[i].result;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(spot_titles[i].data());
    ImGui::TableNextColumn();
    ImGui::ColorButton(spot_titles[i].data(), swatch(result),
                       ImGuiColorEditFlags_NoTooltip | ImGuiColorEditFlags_NoBorder, {em(1), em(1)});
    ImGui::PushFont(fonts.mono, 0.0f);
    for (int c = 0; c < result.channels(); ++c) {
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(value_text(result, c).c_str());
    }
    ImGui::PopFont();
  }
  ImGui::EndTable();
}

}  // namespace threadscape::app
