#include "app/measure/chart_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>

#include "app/measure/chart_text.h"
#include "app/ui/axis_ticks.h"

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

bool is_empty(const Chart& chart) {
  return std::ranges::all_of(chart.lines, [](const ChartLine& line) { return line.x.empty(); });
}

std::vector<std::string> sentences_of(const Chart& chart) {
  std::vector<std::string> sentences;
  for (const ChartLine& line : chart.lines)
    if (!line.absent.empty()) sentences.push_back(line.label + ": " + line.absent + ".");
  sentences.insert(sentences.end(), chart.notes.begin(), chart.notes.end());
  return sentences;
}

std::size_t look_of(const Chart& chart, std::size_t line) {
  // Lines without points need no colour, so that more of the others differ.
  std::vector<const ChartLine*> looks;
  for (std::size_t i = 0; i <= line; ++i) {
    const ChartLine& own = chart.lines[i];
    if (own.x.empty() && i < line) continue;
    const auto measured = std::ranges::find_if(chart.lines, [&own](const ChartLine& other) {
      return own.stated && !own.series.empty() && !other.stated && other.series == own.series;
    });
    looks.push_back(measured == chart.lines.end() ? &own : &*measured);
  }
  const std::set<const ChartLine*> different(looks.begin(), std::ranges::find(looks, looks.back()));
  return different.size();
}

unsigned line_colour(std::size_t index) {
  constexpr std::array<unsigned, 7> palette{0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x8a7a00};
  return palette[index % palette.size()];
}

std::pair<double, double> axis_range(const Chart& chart, std::vector<double> ChartLine::*member, bool logarithmic,
                                     bool from_zero) {
  double low = 1e300, high = -1e300;
  const auto include = [&](const std::vector<double>& values) {
    for (const double value : values) {
      if (!std::isfinite(value) || (logarithmic && value <= 0.0)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  };
  for (const auto* lines : {&chart.lines, &chart.guides})
    for (const ChartLine& line : *lines) {
      include(line.*member);
      if (member != &ChartLine::y) continue;
      include(line.low);
      include(line.high);
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

std::pair<double, double> x_range(const Chart& chart) {
  if (chart.categories.empty()) return axis_range(chart, &ChartLine::x, chart.log_x, false);
  return {-0.6, static_cast<double>(chart.categories.size()) - 0.4};
}

std::pair<double, double> y_range(const Chart& chart) {
  if (chart.style == ChartStyle::stacked) {
    double highest = 0.0;
    for (std::size_t i = 0; i < chart.categories.size(); ++i)
      highest = std::max(highest, total_of(chart, i));
    return {0.0, chart.shares ? 100.0 : highest > 0.0 ? highest * 1.05 : 1.0};
  }
  auto range = axis_range(chart, &ChartLine::y, chart.log_y, true);
  if (chart.style != ChartStyle::bars) return range;
  // Bars on a logarithmic axis begin at 1, or lower if a value is less than 1. Above the highest one stands its value.
  if (chart.log_y) range.first = std::min(range.first, 1.0);
  range.second *= chart.log_y ? std::pow(range.second / range.first, 0.06) : 1.04;
  return range;
}

double total_of(const Chart& chart, std::size_t category) {
  double sum = 0.0;
  for (const ChartLine& line : chart.lines)
    sum += line.y[category];
  return sum;
}

double stack_scale(const Chart& chart, std::size_t category) {
  return chart.shares ? 100.0 / std::max(total_of(chart, category), 1e-12) : 1.0;
}

std::string value_label(const Chart& chart) {
  return chart.shares ? "% of the total" : chart.y_label;
}

std::vector<Tick> x_ticks(const Chart& chart, double letters) {
  constexpr std::size_t max_places = 16;
  const auto range = x_range(chart);
  std::set<double> places;
  for (const ChartLine& line : chart.lines)
    for (const double x : line.x)
      if (x >= range.first && x <= range.second) places.insert(x);
  if (places.size() > max_places || chart.style == ChartStyle::histogram) {
    const std::vector<double> even =
        chart.log_x ? log_ticks(range.first, range.second, 10) : linear_ticks(range.first, range.second, 10);
    places = {even.begin(), even.end()};
  }
  std::vector<Tick> ticks;
  double end = -1.0;
  for (const double x : places) {
    std::string text = axis_text(x);
    const double middle = fraction_along(x, range, chart.log_x);
    const double half = (static_cast<double>(text.size()) + 2.0) / 2.0 / letters;
    const bool fits = middle - half > end;
    if (fits) end = middle + half;
    ticks.push_back({x, fits ? std::move(text) : ""});
  }
  return ticks;
}

std::vector<Tick> y_ticks(const Chart& chart) {
  const auto [low, high] = y_range(chart);
  std::vector<Tick> ticks;
  for (const double y : chart.log_y ? log_ticks(low, high, 10) : linear_ticks(low, high, 8))
    ticks.push_back({y, axis_text(y)});
  return ticks;
}

BarPlace bar_place(const Chart& chart, std::size_t line) {
  const std::vector<double>& x = chart.lines[line].x;
  if (chart.style != ChartStyle::bars) return {.width = x.size() > 1 ? (x[1] - x[0]) * 0.92 : 1.0};
  constexpr double group_width = 0.84;
  std::size_t before = 0, count = 0;
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    if (chart.lines[i].x.empty()) continue;
    ++count;
    if (i < line) ++before;
  }
  const double width = group_width / static_cast<double>(count);
  return {.offset = width * (static_cast<double>(before) + 0.5) - group_width / 2, .width = width * 0.9};
}

std::string bar_text(const Chart& chart, double value) {
  // The number has no trailing zeros (3 and not 3.00), since figures of a document have no more digits than it states.
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), std::abs(value) < 1000.0 ? "%.3g" : "%.0f", value);
  return text.data() + chart.unit;
}

std::optional<Corner> free_corner(const Chart& chart, double width, double height) {
  if (width > 1.0 || height > 1.0) return std::nullopt;
  const auto across = x_range(chart), up = y_range(chart);
  // Lines are straight in a drawing with logarithmic axes, too, so that places between two points are in shares.
  const auto covers = [&](const Box& box, const ChartLine& line, bool joined) {
    constexpr int places = 24;
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const std::size_t next = joined ? std::min(i + 1, line.x.size() - 1) : i;
      const double x0 = fraction_along(line.x[i], across, chart.log_x), y0 = fraction_along(line.y[i], up, chart.log_y);
      const double x1 = fraction_along(line.x[next], across, chart.log_x),
                   y1 = fraction_along(line.y[next], up, chart.log_y);
      for (int place = 0; place < places; ++place)
        if (const double t = static_cast<double>(place) / places; box.contains(x0 + t * (x1 - x0), y0 + t * (y1 - y0)))
          return true;
    }
    return false;
  };
  for (const Corner corner : {Corner::north_west, Corner::north_east, Corner::south_west, Corner::south_east}) {
    const Box box = box_of(corner, width, height);
    const bool covered =
        std::ranges::any_of(chart.lines, [&](const ChartLine& line) { return covers(box, line, chart.joined); }) ||
        std::ranges::any_of(chart.guides, [&](const ChartLine& line) { return covers(box, line, true); }) ||
        std::ranges::any_of(chart.marks, [&](const ChartMark& mark) {
          return box.contains(fraction_along(mark.x, across, chart.log_x), fraction_along(mark.y, up, chart.log_y));
        });
    if (!covered) return corner;
  }
  return std::nullopt;
}

std::vector<float> spread(const std::vector<float>& wanted, float height, float low, float high) {
  // Texts that touch form a pile, whose texts are moved by the same distance on average.
  struct Pile {
    float sum;  ///< Sum of the places that the first text of the pile would have for each of its texts to be in place.
    std::size_t count;
    [[nodiscard]] float first() const { return sum / static_cast<float>(count); }
  };
  std::vector<Pile> piles;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    piles.push_back({wanted[i] - static_cast<float>(i) * height, 1});
    while (piles.size() > 1 && piles.back().first() < piles[piles.size() - 2].first()) {
      const Pile last = piles.back();
      piles.pop_back();
      piles.back().sum += last.sum;
      piles.back().count += last.count;
    }
  }
  const float last = high - static_cast<float>(wanted.size()) * height;
  std::vector<float> places;
  for (const Pile& pile : piles)
    for (std::size_t i = 0; i < pile.count; ++i)
      places.push_back(std::max(std::min(pile.first(), last), low) + static_cast<float>(places.size()) * height);
  return places;
}

std::pair<double, double> end_of(const Chart& chart, const ChartLine& line) {
  return {fraction_along(line.x.back(), x_range(chart), chart.log_x),
          fraction_along(line.y.back(), y_range(chart), chart.log_y)};
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
