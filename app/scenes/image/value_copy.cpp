#include "app/scenes/image/value_copy.h"

#include <algorithm>
#include <cstdio>
#include <glm/common.hpp>

#include "app/scenes/white_value.h"

namespace threadscape::app {

namespace {

bool is_opaque(const interop::ProbeResult& values) {
  for (std::size_t i = 3; i < values.values.size(); i += 4)
    if (values.values[i] != white_of(values.format)) return false;
  return true;
}

/// Differences of an alpha that is the same in both pictures are 0.
bool is_zero(const interop::ProbeResult& values) {
  for (std::size_t i = 3; i < values.values.size(); i += 4)
    if (values.values[i] != 0.0) return false;
  return true;
}

std::string cell(double value, bool is_float) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), is_float ? "%.9g" : "%.0f", value);
  return text.data();
}

}  // namespace

PixelRect pixels_to_copy(const render::ImageViewSettings& settings, glm::ivec2 view, glm::ivec2 picture,
                         const std::optional<glm::ivec2>& at) {
  constexpr int none = 1 << 24;
  const PixelRect seen = visible_pixels(settings, view, picture, none);
  if (seen.width <= ValueCopy::max_side && seen.height <= ValueCopy::max_side) return seen;
  const glm::ivec2 middle =
      glm::clamp(at.value_or(glm::ivec2(glm::floor(settings.centre))), glm::ivec2(0), picture - 1);
  const glm::ivec2 low = glm::max(middle - ValueCopy::around, glm::ivec2(0));
  const glm::ivec2 high = glm::min(middle + ValueCopy::around + 1, picture);
  return {low.x, low.y, high.x - low.x, high.y - low.y};
}

std::string table_of(const interop::ProbeResult& values, const std::string& name) {
  constexpr std::array<const char*, 4> channel_names{"red", "green", "blue", "alpha"};
  const bool is_float = gl::info_of(values.format).element == Element::f32;
  const bool plain = values.channels() < 4 || is_opaque(values) || is_zero(values);
  const int channels = values.channels() == 4 && plain ? 3 : values.channels();
  std::string text;
  for (int c = 0; c < channels; ++c) {
    text += name;
    if (channels > 1) text += std::string(" ") + channel_names[static_cast<std::size_t>(c)];
    for (int x = 0; x < values.width; ++x)
      text += "\t" + std::to_string(values.x + x);
    text += "\n";
    for (int y = 0; y < values.height; ++y) {
      text += std::to_string(values.y + y);
      for (int x = 0; x < values.width; ++x)
        text += "\t" + cell(values.value(x, y, c), is_float);
      text += "\n";
    }
  }
  return text;
}

void ValueCopy::request(const std::array<const gl::Texture*, 2>& pictures, const PixelRect& rect, bool differences) {
  wanted_ = false;
  differences_ = differences;
  rect_ = rect;
  if (rect.width < 1 || rect.height < 1) return;
  for (std::size_t i = 0; i < probes_.size(); ++i) {
    found_[i].reset();
    if (pictures[i] != nullptr && probes_[i].request(*pictures[i], rect.x, rect.y, rect.width, rect.height))
      wanted_ = true;
  }
}

std::optional<std::string> ValueCopy::poll(const std::array<std::string, 2>& names) {
  if (!wanted_) return {};
  for (std::size_t i = 0; i < probes_.size(); ++i)
    if (auto arrived = probes_[i].poll()) found_[i] = std::move(arrived);
  if (std::ranges::any_of(probes_, &interop::PixelProbe::pending)) return {};
  wanted_ = false;
  if (differences_) {
    const auto far = found_[0] && found_[1] ? difference_of(*found_[0], *found_[1]) : std::nullopt;
    return far ? std::optional(table_of(*far, "difference")) : std::nullopt;
  }
  std::string text;
  for (std::size_t i = 0; i < found_.size(); ++i)
    if (found_[i]) text += table_of(*found_[i], names[i]);
  return text;
}

}  // namespace threadscape::app
