#include "app/scenes/image/pixel_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <glm/common.hpp>

#include "app/ui/theme.h"

namespace threadscape::app {

namespace {

/// Pixels of the view per unit of the interface.
float density() {
  return ImGui::GetIO().DisplayFramebufferScale.x;
}

bool is_float(const interop::ProbeResult& values) {
  return gl::info_of(values.format).element == Element::f32;
}

/// Number of channels that are written: four only if the alpha says something.
int written_channels(const interop::ProbeResult& values, bool differences) {
  if (values.channels() < 4) return values.channels();
  const double opaque = differences ? 0.0 : white_of(values.format);
  for (std::size_t i = 3; i < values.values.size(); i += 4)
    if (values.values[i] != opaque) return 4;
  return 3;
}

/// The text with the most significant digits that fits into `room`.
std::string fitting_number(double value, bool is_float, float size, float room) {
  std::string text;
  for (const int digits : {4, 3, 2}) {
    text = number_in_pixel(value, is_float, digits);
    if (!is_float || ViewCanvas::text_width(text, size) <= room) break;
  }
  return text;
}

}  // namespace

float zoom_for_numbers() {
  return 2.5f * em(1) * density();
}

PixelRect visible_pixels(const render::ImageViewSettings& settings, glm::ivec2 view, glm::ivec2 picture, int most) {
  const bool halves = settings.mode == render::ViewMode::side_by_side;
  const glm::vec2 first = render::view_to_image(settings, view, {0.0f, 0.0f});
  const glm::vec2 size = glm::vec2(halves ? view.x / 2 : view.x, view.y) / settings.zoom;
  const glm::ivec2 low = glm::clamp(glm::ivec2(glm::floor(first)), glm::ivec2(0), picture);
  const glm::ivec2 high = glm::clamp(glm::ivec2(glm::ceil(first + size)), glm::ivec2(0), picture);
  const glm::ivec2 count = high - low, kept = glm::min(count, glm::ivec2(most));
  if (kept.x < 1 || kept.y < 1) return {};
  return {low.x + (count.x - kept.x) / 2, low.y + (count.y - kept.y) / 2, kept.x, kept.y};
}

std::string number_in_pixel(double value, bool is_float, int digits) {
  std::array<char, 40> text{};
  if (std::isnan(value)) return "NaN";
  if (is_float)
    std::snprintf(text.data(), text.size(), "%.*g", digits, value == 0.0 ? 0.0 : value);
  else
    std::snprintf(text.data(), text.size(), "%.0f", value);
  return text.data();
}

void PixelValues::follow(const gl::Texture& texture, std::uint64_t version, const PixelRect& wanted) {
  const Contents contents{texture.id(), version};
  if (auto arrived = probe_.poll()) {
    known_ = asked_;
    known_rect_ = asked_rect_;
    found_ = std::move(arrived);
  }
  if (found_ && known_ != contents) found_.reset();
  if ((found_ && known_rect_ == wanted) || probe_.pending()) return;
  if (!probe_.request(texture, wanted.x, wanted.y, wanted.width, wanted.height)) return;
  asked_ = contents;
  asked_rect_ = wanted;
}

std::optional<interop::ProbeResult> difference_of(const interop::ProbeResult& a, const interop::ProbeResult& b) {
  if (a.format != b.format) return {};
  const int left = std::max(a.x, b.x), top = std::max(a.y, b.y);
  const int right = std::min(a.x + a.width, b.x + b.width), bottom = std::min(a.y + a.height, b.y + b.height);
  if (left >= right || top >= bottom) return {};
  interop::ProbeResult far{left, top, right - left, bottom - top, a.format, {}};
  far.values.reserve(static_cast<std::size_t>(far.width * far.height * far.channels()));
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x)
      for (int c = 0; c < far.channels(); ++c)
        far.values.push_back(std::abs(a.value(x - a.x, y - a.y, c) - b.value(x - b.x, y - b.y, c)));
  return far;
}

std::vector<float> lights_of(const interop::ProbeResult& values, const render::ImageViewSettings& toned,
                             const MapRamp& ramp) {
  const bool differences = toned.mode == render::ViewMode::difference;
  const render::ColourMap map = differences ? toned.difference_map : toned.colour_map;
  const auto gain = static_cast<double>(differences ? toned.difference_gain : std::exp2(toned.exposure));
  const double white = white_of(values.format), offset = differences ? 0.0 : static_cast<double>(toned.offset);
  const auto shown = [&](double value) { return static_cast<float>(std::clamp(value * gain + offset, 0.0, 1.0)); };
  const auto channels = static_cast<std::size_t>(values.channels());
  std::vector<float> lights;
  lights.reserve(values.values.size() / channels);
  for (std::size_t i = 0; i < values.values.size(); i += channels) {
    const double red = values.values[i] / white, green = channels == 1 ? red : values.values[i + 1] / white,
                 blue = channels == 1 ? red : values.values[i + 2] / white;
    if (std::isnan(red + green + blue)) {
      lights.push_back(0.4f);  // The shader draws them in magenta.
      continue;
    }
    const double luma = 0.299 * red + 0.587 * green + 0.114 * blue;
    if (map == render::ColourMap::none) {
      const float linear = 0.299f * shown(red) + 0.587f * shown(green) + 0.114f * shown(blue);
      lights.push_back(differences ? linear : std::pow(linear, 1.0f / toned.gamma));
    } else {
      lights.push_back(ramp.light(shown(differences ? std::max({red, green, blue}) : luma)));
    }
  }
  return lights;
}

void draw_numbers(ViewCanvas& canvas, const interop::ProbeResult& values, const render::ImageViewSettings& settings,
                  const NumbersPane& pane, const std::vector<float>& light) {
  const int lines = written_channels(values, pane.differences);
  const float side = settings.zoom;
  const float step = std::min(0.92f * side / static_cast<float>(lines), 1.05f * em(1) * density());
  const float size = std::floor(step / 1.05f), room = 0.88f * side;
  const glm::ivec2 view{static_cast<int>(canvas.width()), static_cast<int>(canvas.height())};
  constexpr ImU32 black = IM_COL32(0, 0, 0, 255), white = IM_COL32(255, 255, 255, 255);
  canvas.list().PushClipRect({pane.left, 0}, {pane.right, canvas.height()}, true);
  for (int y = 0; y < values.height; ++y)
    for (int x = 0; x < values.width; ++x) {
      const glm::vec2 middle = render::image_to_view(settings, view, glm::vec2(values.x + x, values.y + y) + 0.5f) +
                               glm::vec2(pane.shift, 0);
      if (middle.x + side < pane.left || middle.x - side > pane.right) continue;
      const ImU32 colour = light[static_cast<std::size_t>(y * values.width + x)] > 0.5f ? black : white;
      for (int c = 0; c < lines; ++c) {
        const std::string text = fitting_number(values.value(x, y, c), is_float(values), size, room);
        const float at = middle.y + (static_cast<float>(c) - 0.5f * static_cast<float>(lines - 1)) * step;
        canvas.text({middle.x, at}, text, size, colour, Align::centre, room);
      }
    }
  canvas.list().PopClipRect();
}

}  // namespace threadscape::app
