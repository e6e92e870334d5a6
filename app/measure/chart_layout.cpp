#include "app/measure/chart_layout.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace threadscape::app {

namespace {

/// The place of a value on an axis: 0 at its low end and 1 at its high end.
double fraction_along(double value, std::pair<double, double> range, bool logarithmic) {
  if (logarithmic) return std::log(value / range.first) / std::log(range.second / range.first);
  return (value - range.first) / (range.second - range.first);
}

/// The box of a corner: the ends along x and along y, in shares of the plot's area.
struct Box {
  double left, right, low, high;
  [[nodiscard]] bool contains(double x, double y) const { return x >= left && x <= right && y >= low && y <= high; }
};

Box box_of(Corner corner, double width, double height) {
  const bool east = corner == Corner::north_east || corner == Corner::south_east;
  const bool north = corner == Corner::north_west || corner == Corner::north_east;
  return {east ? 1.0 - width : 0.0, east ? 1.0 : width, north ? 1.0 - height : 0.0, north ? 1.0 : height};
}

bool cover(const TextBox& a, const TextBox& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

}  // namespace

std::pair<double, double> axis_range(const PlotData& plot, std::vector<double> PlotLine::*member, bool logarithmic,
                                     bool from_zero) {
  double low = 1e300, high = -1e300;
  for (const auto* lines : {&plot.lines, &plot.guides})
    for (const PlotLine& line : *lines)
      for (const double value : line.*member) {
        if (!std::isfinite(value) || (logarithmic && value <= 0.0)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
  if (low > high) return {1.0, 2.0};
  if (logarithmic) {
    const double margin = std::max(std::pow(high / low, 0.06), 1.15);
    return {low / margin, high * margin};
  }
  if (from_zero) return {0.0, high * 1.08};
  const double margin = high > low ? (high - low) * 0.05 : std::abs(high) * 0.02;
  return {low - margin, high + margin};
}

std::pair<double, double> x_range(const PlotData& plot) {
  if (plot.categories.empty()) return axis_range(plot, &PlotLine::x, plot.log_x, false);
  return {-0.6, static_cast<double>(plot.categories.size()) - 0.4};
}

std::pair<double, double> y_range(const PlotData& plot) {
  return axis_range(plot, &PlotLine::y, plot.log_y, true);
}

std::optional<Corner> free_corner(const PlotData& plot, double width, double height) {
  if (width > 1.0 || height > 1.0) return std::nullopt;
  const auto across = x_range(plot), up = y_range(plot);
  // Lines are straight in a drawing with logarithmic axes, too, so that places between two points are in shares.
  const auto covers = [&](const Box& box, const PlotLine& line, bool joined) {
    constexpr int places = 24;
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const std::size_t next = joined ? std::min(i + 1, line.x.size() - 1) : i;
      const double x0 = fraction_along(line.x[i], across, plot.log_x), y0 = fraction_along(line.y[i], up, plot.log_y);
      const double x1 = fraction_along(line.x[next], across, plot.log_x),
                   y1 = fraction_along(line.y[next], up, plot.log_y);
      for (int place = 0; place < places; ++place)
        if (const double t = static_cast<double>(place) / places; box.contains(x0 + t * (x1 - x0), y0 + t * (y1 - y0)))
          return true;
    }
    return false;
  };
  for (const Corner corner : {Corner::north_west, Corner::north_east, Corner::south_west, Corner::south_east}) {
    const Box box = box_of(corner, width, height);
    const bool covered =
        std::ranges::any_of(plot.lines, [&](const PlotLine& line) { return covers(box, line, plot.joined); }) ||
        std::ranges::any_of(plot.guides, [&](const PlotLine& line) { return covers(box, line, true); }) ||
        std::ranges::any_of(plot.marks, [&](const PlotMark& mark) {
          return box.contains(fraction_along(mark.x, across, plot.log_x), fraction_along(mark.y, up, plot.log_y));
        });
    if (!covered) return corner;
  }
  return std::nullopt;
}

void separate(std::span<TextBox> boxes, float top, float bottom) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const auto fits = [&](const TextBox& box) {
      return box.y >= top && box.y + box.height <= bottom &&
             std::none_of(boxes.begin(), boxes.begin() + static_cast<std::ptrdiff_t>(i),
                          [&](const TextBox& other) { return cover(box, other); });
    };
    const auto most = static_cast<int>((bottom - top) / std::max(boxes[i].height, 1.0f)) + 1;
    for (int step = 0; step <= 2 * most; ++step) {
      TextBox moved = boxes[i];
      moved.y += moved.height * static_cast<float>((step + 1) / 2) * (step % 2 == 0 ? 1.0f : -1.0f);
      if (!fits(moved)) continue;
      boxes[i] = moved;
      break;
    }
  }
}

}  // namespace threadscape::app
