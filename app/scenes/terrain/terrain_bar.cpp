#include "app/scenes/terrain/terrain_bar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <glm/common.hpp>
#include <glm/exponential.hpp>

namespace threadscape::app {

namespace {

constexpr int samples = 129;  // Number of colours of a bar, enough for its largest height in pixels.

glm::vec3 hue(float turn) {
  const glm::vec3 turns = glm::fract(glm::vec3(turn) + glm::vec3(0.0f, 2.0f / 3.0f, 1.0f / 3.0f));
  return glm::clamp(glm::abs(turns * 6.0f - 3.0f) - 1.0f, 0.0f, 1.0f);
}

ImU32 packed(const glm::vec3& colour) {
  return ImGui::ColorConvertFloat4ToU32({colour.r, colour.g, colour.b, 1.0f});
}

BarFill sampled(const std::function<glm::vec3(float)>& colour_of) {
  std::vector<ImU32> colours;
  for (int i = 0; i < samples; ++i)
    colours.push_back(packed(colour_of(static_cast<float>(i) / (samples - 1))));
  return fill_from_colours(std::move(colours));
}

/// A colour that the shader takes for linear light, as the screen shows it.
glm::vec3 on_screen(const glm::vec3& colour, render::Light light) {
  return light == render::Light::outdoor ? glm::pow(colour, glm::vec3(1.0f / 2.2f)) : colour;
}

TerrainBar levels_bar(int levels, render::Light light) {
  TerrainBar found{ColourBar{"level of detail", 0.0, static_cast<double>(levels), {}}, {}};
  std::vector<ImU32> colours;
  for (int half = 0; half < 2 * levels; ++half)
    colours.push_back(packed(on_screen(level_colour(half), light)));
  // The label of a level is in the middle of its first half, whose patches have all their points.
  for (int level = 0; level < levels; ++level)
    found.bar.marks.push_back({level + 0.25, std::to_string(level)});
  found.fill = fill_with_steps(std::move(colours));
  return found;
}

}  // namespace

glm::vec3 hypsometric_colour(float height, float sea_level) {
  constexpr std::array stops{glm::vec3(0.11f, 0.30f, 0.15f), glm::vec3(0.24f, 0.42f, 0.18f),
                             glm::vec3(0.52f, 0.56f, 0.25f), glm::vec3(0.74f, 0.62f, 0.34f),
                             glm::vec3(0.62f, 0.42f, 0.24f), glm::vec3(0.46f, 0.33f, 0.26f),
                             glm::vec3(0.66f, 0.63f, 0.62f), glm::vec3(0.98f, 0.98f, 1.0f)};
  const float line = std::max(sea_level, 0.0f), land = (height - line) / std::max(1.0f - line, 1e-3f);
  if (land < 0.0f && line > 0.0f)
    return glm::mix(glm::vec3(0.05f, 0.18f, 0.42f), glm::vec3(0.45f, 0.70f, 0.85f), height / line);
  const float at = std::clamp(land, 0.0f, 1.0f) * (stops.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  return glm::mix(stops[i], stops[i + 1], at - static_cast<float>(i));
}

glm::vec3 slope_colour(float steep) {
  const glm::vec3 flat(0.20f, 0.50f, 0.30f), middle(0.95f, 0.85f, 0.35f), upright(0.75f, 0.12f, 0.12f);
  return steep < 0.5f ? glm::mix(flat, middle, steep * 2.0f) : glm::mix(middle, upright, steep * 2.0f - 1.0f);
}

glm::vec3 aspect_colour(float turn) {
  return hue(turn) * 0.8f;
}

glm::vec3 level_colour(int half_levels) {
  return glm::mix(glm::vec3(0.8f), hue(static_cast<float>(half_levels) * 0.0685f), 0.7f) * 0.8f;
}

std::optional<TerrainBar> terrain_bar(const render::TerrainSettings& settings, const TerrainValues& values) {
  if (!settings.drape.empty()) return {};
  switch (settings.surface) {
    case render::Surface::hypsometric:
      return TerrainBar{ColourBar{"height", values.low, values.high, {}},
                        sampled([&](float part) { return hypsometric_colour(part, settings.sea_level); })};
    case render::Surface::slope:
      return TerrainBar{
          ColourBar{"slope (degrees)", 0.0, 90.0, {{0, "0"}, {30, "30"}, {45, "45"}, {60, "60"}, {90, "90"}}},
          sampled(slope_colour)};
    case render::Surface::aspect:
      return TerrainBar{ColourBar{"slopes to", 0.0, 360.0, {{0, "N"}, {90, "E"}, {180, "S"}, {270, "W"}, {360, "N"}}},
                        sampled([&](float turn) { return on_screen(aspect_colour(turn), settings.light); })};
    case render::Surface::levels:
      return levels_bar(values.levels, settings.light);
    default:
      return {};
  }
}

}  // namespace threadscape::app
