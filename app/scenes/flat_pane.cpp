#include "app/scenes/flat_pane.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <glm/common.hpp>

#include "app/ui/icons.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

void PaneZoom::about(glm::vec2 place, float by) {
  const float wanted = std::clamp(factor * by, 0.25f, 256.0f);
  centre = place + (centre - place) * (factor / wanted);
  factor = wanted;
}

FlatPane FlatPane::fitted(const render::ViewRect& rect, glm::vec2 sides, const PaneZoom& zoom) {
  FlatPane pane{rect, {}, {}};
  const glm::vec2 room(rect.size);
  pane.extent = sides * std::min(room.x / sides.x, room.y / sides.y) * zoom.factor;
  pane.corner = glm::round(0.5f * room - zoom.centre * pane.extent);
  return pane;
}

render::VolumeSlice slice_at(Cut cut, float place) {
  switch (cut) {
    case Cut::y:
      return {{0, 1, place}, {1, 0, 0}, {0, -1, 0}};
    case Cut::x:
      return {{place, 1, 0}, {0, 0, 1}, {0, -1, 0}};
    default:
      return {{0, place, 1}, {1, 0, 0}, {0, 0, -1}};
  }
}

glm::vec2 cut_sides(Cut cut, glm::vec3 sides) {
  return {cut == Cut::x ? sides.y : sides.x, cut == Cut::z ? sides.y : sides.z};
}

int slices_of(Cut cut, glm::ivec3 texture) {
  return cut == Cut::z ? texture.y : cut == Cut::y ? texture.z : texture.x;
}

int index_at(float place, int count) {
  return std::clamp(static_cast<int>(place * static_cast<float>(count)), 0, std::max(count - 1, 0));
}

float middle_of(int index, int count) {
  return (static_cast<float>(index) + 0.5f) / static_cast<float>(std::max(count, 1));
}

glm::vec3 centre_of_edges(const HostIn& volume) {
  constexpr int max_samples = 96;  // Number of samples along each axis.
  if (volume.shape.element != Element::f32) return glm::vec3(0.5f);
  const auto voxels = volume.volume<float>();
  const glm::ivec3 size{voxels.width, voxels.height, voxels.depth};
  const glm::ivec3 by = (size + (max_samples - 1)) / max_samples;
  glm::dvec3 sum{0.0};
  double weight = 0.0;
  for (int z = by.z; z < size.z; z += by.z)
    for (int y = by.y; y < size.y; y += by.y)
      for (int x = by.x; x < size.x; x += by.x) {
        const float here = voxels(x, y, z);
        const auto step =
            static_cast<double>(std::abs(here - voxels(x - by.x, y, z)) + std::abs(here - voxels(x, y - by.y, z)) +
                                std::abs(here - voxels(x, y, z - by.z)));
        if (!(step > 0.0)) continue;
        sum += step * glm::dvec3(x, y, z);
        weight += step;
      }
  return weight > 0.0 ? glm::vec3(sum / weight / glm::dvec3(size)) : glm::vec3(0.5f);
}

ToneScale::ToneScale() {
  constexpr int steps = 256;
  HostArray ramp({Kind::volume, Element::f32, 1, steps, 1, 1});
  for (int i = 0; i < steps; ++i)
    ramp.view().volume<float>()(i, 0, 0) = static_cast<float>(i) / (steps - 1);
  ramp_ = gl::VolumeTexture(ramp.shape());
  ramp_.write(ramp.view());
}

void ToneScale::draw(render::SlicePass& pass, const render::ViewRect& rect, const render::VolumeTone& tone,
                     const gl::Framebuffer& target) const {
  const render::VolumeTone full{0.0f, 1.0f, tone.map, tone.inverted};
  const render::VolumeSlice up{{0.998f, 0, 0}, {0, 0, 0}, {-0.996f, 0, 0}};
  const render::VolumeSlice right{{0.002f, 0, 0}, {0.996f, 0, 0}, {0, 0, 0}};
  target.bind();
  pass.draw(ramp_, rect.size.y > rect.size.x ? up : right, full, render::Magnify::smooth, rect, {0, 0},
            glm::vec2(rect.size), backdrop(), target.height());
}

render::VolumeTone tone_over(glm::vec2 values, float window, float level, render::ColourMap map, bool inverted) {
  const float range = values.y > values.x ? values.y - values.x : 1.0f;
  return {values.x + (level - 0.5f * window) * range, values.x + (level + 0.5f * window) * range, map, inverted};
}

float text_unit(const gl::Framebuffer& target) {
  return std::clamp(std::min(static_cast<float>(target.width()) / 74.0f, static_cast<float>(target.height()) / 42.0f),
                    12.0f, 64.0f);
}

glm::vec4 rgba(ImU32 packed) {
  const ImVec4 colour = ImGui::ColorConvertU32ToFloat4(packed);
  return {colour.x, colour.y, colour.z, colour.w};
}

glm::vec4 backdrop() {
  const ImVec4 canvas = canvas_colour();
  return {canvas.x, canvas.y, canvas.z, 1.0f};
}

void marked_line(ImDrawList& list, ImVec2 a, ImVec2 b, ImU32 colour, float weight) {
  list.AddLine(a, b, IM_COL32(0, 0, 0, 110), weight + 2.0f);
  list.AddLine(a, b, colour, weight);
}

std::string format_text(const char* how, ...) {
  std::array<char, 128> text{};
  va_list values;
  va_start(values, how);
  std::vsnprintf(text.data(), text.size(), how, values);
  va_end(values);
  return text.data();
}

std::string scale_text(float value, float range) {
  return format_text("%.5g", std::abs(value) < 1e-6f * std::abs(range) ? 0.0 : static_cast<double>(value));
}

std::vector<ToolbarSlider> window_sliders(float& window, float& level, glm::vec2 values, const std::string& of_what) {
  const double range = values.y > values.x ? static_cast<double>(values.y - values.x) : 1.0;
  if (std::abs(values.x) < 1e-6 * range) values.x = 0.0f;
  const auto number = [](const char* name, double value) { return std::string(name) + " " + format_value(value); };
  return {{"window", number("window", static_cast<double>(window) * range), &window, 0.001f, 4.0f, true,
           "From black to white, of " + of_what + ": also by a right drag in a picture, to the side (R)"},
          {"level", number("level", static_cast<double>(values.x) + static_cast<double>(level) * range), &level, -1.0f,
           2.0f, false, "The middle grey, of " + of_what + ": also by a right drag in a picture, up and down (R)"}};
}

void toolbar_sliders(std::span<const ToolbarSlider> sliders, float behind) {
  const float width = em(6.6f), spacing = ImGui::GetStyle().ItemSpacing.x;
  const auto draw = [](const ToolbarSlider& slider) {
    // The text is the format, and has no "%".
    slider_float(("##" + std::string(slider.name)).c_str(), slider.value, slider.low, slider.high, slider.text.c_str(),
                 ImGuiSliderFlags_AlwaysClamp | (slider.logarithmic ? ImGuiSliderFlags_Logarithmic : 0));
    if (ImGui::IsItemHovered()) tooltip(slider.tip);
  };
  if (fits_behind(static_cast<float>(sliders.size()) * (width + spacing) - spacing + behind)) {
    for (const ToolbarSlider& slider : sliders) {
      ImGui::SameLine();
      ImGui::SetNextItemWidth(width);
      draw(slider);
    }
    return;
  }
  flow(icon_button_width());
  if (icon_button(Icon::sliders, "Display", "What is black and what is white")) ImGui::OpenPopup("sliders");
  if (!ImGui::BeginPopup("sliders")) return;
  for (const ToolbarSlider& slider : sliders) {
    ImGui::SetNextItemWidth(em(16));
    draw(slider);
  }
  ImGui::EndPopup();
}

}  // namespace threadscape::app
