#include "app/ui/colour_bar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/ui/axis_ticks.h"
#include "app/ui/theme.h"

namespace threadscape::app {

namespace {

/// A value on an axis whose ticks are `step` apart.
std::string tick_text(double value, double step) {
  std::array<char, 48> text{};
  const double magnitude = std::max(std::abs(value), step);
  if (std::abs(value) < 1e-9 * step) value = 0.0;
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  if (magnitude >= 1e6 || decimals > 5)
    std::snprintf(text.data(), text.size(), "%.4g", value);
  else
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

/// Height in pixels of a line of text: by the size of the view, and at least nearly that of the interface.
float text_height(const ViewCanvas& canvas) {
  const float by_size = std::clamp(std::min(canvas.width() / 74.0f, canvas.height() / 42.0f), 12.0f, 64.0f);
  return std::max(by_size, 0.95f * em(1) * ImGui::GetIO().DisplayFramebufferScale.x);
}

}  // namespace

BarFill fill_from_texture(unsigned texture) {
  return [texture](ImDrawList& list, ImVec2 corner, ImVec2 end) {
    // The row of the texture is turned, so that its first pixel is at the bottom.
    list.AddImageQuad(static_cast<ImTextureID>(texture), corner, {end.x, corner.y}, end, {corner.x, end.y}, {1, 0},
                      {1, 1}, {0, 1}, {0, 0});
  };
}

BarFill fill_from_colours(std::vector<ImU32> colours) {
  return [colours = std::move(colours)](ImDrawList& list, ImVec2 corner, ImVec2 end) {
    const float step = (end.y - corner.y) / static_cast<float>(colours.size() - 1);
    for (std::size_t i = 0; i + 1 < colours.size(); ++i) {
      const float bottom = end.y - step * static_cast<float>(i);
      const ImU32 below = colours[i], above = colours[i + 1];
      list.AddRectFilledMultiColor({corner.x, bottom - step}, {end.x, bottom}, above, above, below, below);
    }
  };
}

BarFill fill_with_steps(std::vector<ImU32> colours) {
  return [colours = std::move(colours)](ImDrawList& list, ImVec2 corner, ImVec2 end) {
    const float step = (end.y - corner.y) / static_cast<float>(colours.size());
    for (std::size_t i = 0; i < colours.size(); ++i) {
      const float bottom = end.y - step * static_cast<float>(i);
      list.AddRectFilled({corner.x, bottom - step}, {end.x, bottom}, colours[i]);
    }
  };
}

std::vector<BarMark> marks_of(const ColourBar& bar, int max_count) {
  if (!bar.marks.empty()) return bar.marks;
  const double low = std::min(bar.low, bar.high), high = std::max(bar.low, bar.high);
  if (bar.whole) max_count = std::min(max_count, static_cast<int>(std::min(high - low, 1e6)) + 1);
  const std::vector<double> ticks = linear_ticks(low, high, max_count);
  std::vector<BarMark> marks;
  for (const double tick : ticks)
    marks.push_back({tick, tick_text(tick, ticks.size() > 1 ? ticks[1] - ticks[0] : high - low)});
  return marks;
}

bool draw_colour_bar(ViewCanvas& canvas, const ColourBar& bar, const BarFill& fill, BarSide side) {
  if (bar.low == bar.high || !std::isfinite(bar.low) || !std::isfinite(bar.high)) return false;
  const float unit = text_height(canvas), size = 0.85f * unit;
  if (canvas.height() < 11 * unit || canvas.width() < 18 * unit) return false;
  const float high = std::min(0.5f * canvas.height(), 16 * unit);
  const std::vector<BarMark> marks = marks_of(bar, static_cast<int>(high / (1.9f * unit)));
  float widest = 0.0f;
  for (const BarMark& mark : marks)
    widest = std::max(widest, ViewCanvas::text_width(mark.text, size));
  const float pad = 0.6f * unit, broad = unit, gap = 0.6f * unit;
  const float inner = std::max(broad + gap + widest, ViewCanvas::text_width(bar.title, size));
  const float head = bar.title.empty() ? 0.0f : 1.5f * unit;
  const float left = side == BarSide::left ? pad : canvas.width() - inner - 3 * pad;
  const float top = std::floor(0.5f * (canvas.height() - high + head));
  ImDrawList& list = canvas.list();
  list.AddRectFilled({left, top - head - 0.6f * unit}, {left + inner + 2 * pad, top + high + 0.6f * unit}, plate(),
                     0.3f * unit);
  const ImVec2 corner{std::floor(left + pad), top}, end{std::floor(left + pad) + std::floor(broad), top + high};
  if (head > 0) canvas.text({corner.x, top - 0.8f * unit}, bar.title, size, ink());
  fill(list, corner, end);
  list.AddRect({corner.x - 1, corner.y - 1}, {end.x + 1, end.y + 1}, faint_ink());
  for (const BarMark& mark : marks) {
    const auto part = static_cast<float>((mark.value - bar.low) / (bar.high - bar.low));
    if (part < -1e-4f || part > 1 + 1e-4f) continue;
    const float y = end.y - part * high;
    list.AddLine({end.x + 1, y}, {end.x + 0.35f * unit, y}, ink(), 1.0f);
    canvas.text({end.x + gap, y}, mark.text, size, ink());
  }
  return true;
}

}  // namespace threadscape::app
