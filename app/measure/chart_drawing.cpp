#include "app/measure/chart_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <sstream>
#include <string_view>

#include "app/measure/chart_layout.h"
#include "app/report/text.h"

namespace threadscape::app {

namespace {

constexpr unsigned edge_colour = 0x8b94a3;

/// The width of a text. Programs choose the font; its letters are seldom wider on average than 0.6 of its size.
double text_width(const std::string& text, double size) {
  const auto letters = std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; });
  return 0.6 * size * static_cast<double>(letters);
}

/// An axis of the drawing: values to units.
struct Axis {
  double low = 0.0, high = 1.0, from = 0.0, to = 1.0;
  bool logarithmic = false;
  Axis(std::pair<double, double> range, bool is_logarithmic, double begin, double end)
      : low(range.first), high(range.second), from(begin), to(end), logarithmic(is_logarithmic) {}
  /// The place of a value. Those that a logarithmic axis does not show are at its low end.
  [[nodiscard]] double at(double value) const {
    if (logarithmic && value <= 0.0) return from;
    const double share = logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return from + share * (to - from);
  }
};

/// Draws one chart.
class ChartPainter {
 public:
  explicit ChartPainter(const Chart& chart)
      : chart_(chart), x_(x_range(chart), chart.log_x, 70, 940), y_(y_range(chart), chart.log_y, 400, 50) {}

  Drawing draw() {
    const std::vector<std::string> title = wrapped_text(chart_.title, 880, 18);
    for (std::size_t i = 0; i < title.size(); ++i)
      label(70, 28.0 - 24.0 * static_cast<double>(title.size() - 1 - i), title[i], {.size = 18, .bold = true});
    axes();
    for (const ChartLine& guide : chart_.guides)
      path(guide, {.stroke = edge_colour, .width = 2.0, .dash = 5, .gap = 4});
    if (chart_.style == ChartStyle::lines)
      for (std::size_t i = 0; i < chart_.lines.size(); ++i)
        line(i);
    else
      columns();
    marks();
    legend();
    notes();
    return {.left = left_, .top = top_, .right = right_, .bottom = bottom_, .shapes = std::move(out_)};
  }

 private:
  /// Circles with a text above each, which is moved if it covered another one.
  void marks() {
    constexpr double type = 13.0;
    std::vector<TextBox> texts;
    std::vector<const ChartMark*> shown;
    for (const ChartMark& mark : chart_.marks) {
      if (!inside(mark.x, mark.y)) continue;
      shown.push_back(&mark);
      texts.push_back({static_cast<float>(x_.at(mark.x) + 6), static_cast<float>(y_.at(mark.y) - 8 - type),
                       static_cast<float>(text_width(mark.label, type)), static_cast<float>(type * 1.2)});
      out_.emplace_back(DrawnCircle{x_.at(mark.x), y_.at(mark.y), 6.0, {.stroke = drawing_text_colour}});
    }
    separate(texts, static_cast<float>(y_.to), static_cast<float>(y_.from));
    for (std::size_t i = 0; i < texts.size(); ++i)
      label(static_cast<double>(texts[i].x), static_cast<double>(texts[i].y) + type, shown[i]->label);
  }
  [[nodiscard]] bool inside(double x, double y) const {
    return x >= x_.low && x <= x_.high && y >= y_.low && y <= y_.high;
  }
  /// Widens the drawing so that it contains a point with a margin.
  void include(double x, double y) {
    constexpr double margin = 4.0;
    if (!std::isfinite(x) || !std::isfinite(y)) return;
    left_ = std::min(left_, x - margin);
    right_ = std::max(right_, x + margin);
    top_ = std::min(top_, y - margin);
    bottom_ = std::max(bottom_, y + margin);
  }
  /// Returns the lowest place that the text reaches.
  double label(double x, double y, const std::string& text, const TextStyle& style = {}) {
    if (text.empty()) return y;
    const double width = text_width(text, style.size);
    const double from = style.anchor == TextAnchor::end      ? -width
                        : style.anchor == TextAnchor::middle ? -width / 2
                                                             : 0.0;
    const double angle = style.degrees * std::numbers::pi / 180.0;
    double lowest = y;
    for (const double along : {from, from + width})
      for (const double below : {-style.size, style.size * 0.3}) {
        const double reach = y + along * std::sin(angle) + below * std::cos(angle);
        include(x + along * std::cos(angle) - below * std::sin(angle), reach);
        lowest = std::max(lowest, reach);
      }
    out_.emplace_back(DrawnText{x, y, text, style});
    return lowest;
  }
  void segment(double x0, double y0, double x1, double y1, const Ink& ink) {
    out_.emplace_back(DrawnLine{.points = {{x0, y0}, {x1, y1}}, .ink = ink});
    include(x0, y0);
    include(x1, y1);
  }
  void axes() {
    const Ink grid{.stroke = 0xe2e5ea};
    for (const auto& [y, text] : y_ticks(chart_)) {
      segment(x_.from, y_.at(y), x_.to, y_.at(y), grid);
      label(x_.from - 6, y_.at(y) + 4, text, {.anchor = TextAnchor::end});
    }
    if (chart_.categories.empty()) {
      for (const auto& [x, text] : x_ticks(chart_, (x_.to - x_.from) / text_width("0", 13))) {
        segment(x_.at(x), y_.from, x_.at(x), y_.to, grid);
        label(x_.at(x), y_.from + 18, text, {.anchor = TextAnchor::middle});
      }
    } else {
      for (std::size_t i = 0; i < chart_.categories.size(); ++i)
        below_axis_ = std::max(below_axis_, label(x_.at(static_cast<double>(i)), y_.from + 14, chart_.categories[i],
                                                  {.size = 10, .anchor = TextAnchor::end, .degrees = -30}));
    }
    out_.emplace_back(DrawnRectangle{70, 50, 870, 350, {.stroke = edge_colour}});
    if (!chart_.x_label.empty()) below_axis_ = std::max(below_axis_ + 20, y_.from + 38);
    label(505, below_axis_, chart_.x_label, {.anchor = TextAnchor::middle});
    label(18, 225, value_label(chart_), {.anchor = TextAnchor::middle, .degrees = -90});
  }
  void path(const ChartLine& line, const Ink& ink) {
    DrawnLine drawn{.points = {}, .ink = ink};
    for (std::size_t i = 0; i < line.x.size(); ++i)
      drawn.points.emplace_back(x_.at(line.x[i]), y_.at(line.y[i]));
    out_.emplace_back(std::move(drawn));
  }
  void line(std::size_t index) {
    const ChartLine& line = chart_.lines[index];
    const unsigned colour = colour_of(index);
    if (chart_.joined && !line.x.empty())
      path(line, {.stroke = colour, .width = 2.0, .dash = line.stated ? 7 : 0, .gap = line.stated ? 5 : 0});
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      if (i < line.low.size())
        segment(x_.at(line.x[i]), y_.at(std::clamp(line.low[i], y_.low, y_.high)), x_.at(line.x[i]),
                y_.at(std::clamp(line.high[i], y_.low, y_.high)), {.stroke = colour, .width = 1.5});
      marker(index, x_.at(line.x[i]), y_.at(line.y[i]));
    }
  }
  [[nodiscard]] unsigned colour_of(std::size_t index) const { return line_colour(look_of(chart_, index)); }
  /// Fill and outline of markers and bars; what a document or a model states is hollow.
  [[nodiscard]] Ink paint(std::size_t index) const {
    constexpr unsigned white = 0xffffff;
    const unsigned colour = colour_of(index);
    return chart_.lines[index].stated ? Ink{.fill = white, .stroke = colour, .width = 1.5} : Ink{.fill = colour};
  }
  void marker(std::size_t index, double x, double y) {
    using Points = std::vector<std::pair<double, double>>;
    static const std::array<Points, 5> shapes{Points{}, Points{{-4, -4}, {4, -4}, {4, 4}, {-4, 4}},
                                              Points{{0, -6}, {6, 0}, {0, 6}, {-6, 0}},
                                              Points{{0, -6}, {6, 4}, {-6, 4}}, Points{{0, 6}, {6, -4}, {-6, -4}}};
    include(x, y);
    const std::size_t shape = chart_.style == ChartStyle::lines ? look_of(chart_, index) % shapes.size() : 1;
    if (shape == 0) {
      out_.emplace_back(DrawnCircle{x, y, 5.0, paint(index)});
      return;
    }
    DrawnLine drawn{.points = shapes[shape], .ink = paint(index), .closed = true};
    for (auto& [left, down] : drawn.points) {
      left += x;
      down += y;
    }
    out_.emplace_back(std::move(drawn));
  }
  void columns() {
    const bool stacked = chart_.style == ChartStyle::stacked;
    std::vector<double> base(chart_.categories.size(), 0.0);
    for (std::size_t s = 0; s < chart_.lines.size(); ++s) {
      const ChartLine& line = chart_.lines[s];
      const BarPlace place = stacked ? BarPlace{.width = 0.6} : bar_place(chart_, s);
      for (std::size_t i = 0; i < line.x.size(); ++i) {
        const double from = stacked ? base[i] : 0.0, middle = line.x[i] + place.offset;
        const double to = from + line.y[i] * (stacked ? stack_scale(chart_, i) : 1.0);
        const double bottom = y_.at(from), top = y_.at(to);
        const double left = x_.at(middle - place.width / 2), right = x_.at(middle + place.width / 2);
        out_.emplace_back(DrawnRectangle{left, top, right - left, std::max(bottom - top, 0.0), paint(s)});
        if (stacked) base[i] = to;
        if (chart_.style != ChartStyle::bars) continue;
        const std::string value = bar_text(chart_, line.y[i]);
        if (text_width(value, 10) < right - left)
          label((left + right) / 2, top - 4, value, {.size = 10, .anchor = TextAnchor::middle});
      }
    }
  }
  void legend() {
    double x = 70.0;
    lowest_ = below_axis_ + 27.0;
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) {
      if (chart_.lines[i].x.empty()) continue;
      const double width = 34.0 + text_width(chart_.lines[i].label, TextStyle{}.size);
      if (x + width > 950.0 && x > 70.0) {
        x = 70.0;
        lowest_ += 20.0;
      }
      marker(i, x + 8, lowest_ - 4);
      label(x + 20, lowest_, chart_.lines[i].label);
      x += width;
    }
  }
  void notes() {
    constexpr double size = 11.0;
    lowest_ += 8.0;
    for (const std::string& note : sentences_of(chart_))
      for (const std::string& line : wrapped_text(note, 870, size))
        label(70, lowest_ += 15.0, line, {.size = size, .colour = 0x5a6270});
  }

  const Chart& chart_;
  Axis x_, y_;
  double lowest_ = 445.0;      ///< The baseline of the lowest text below the chart.
  double below_axis_ = 418.0;  ///< The baseline of the lowest text below the x axis.
  double left_ = 0.0, top_ = 0.0, right_ = 960.0, bottom_ = 540.0;  ///< The edges of the drawing.
  std::vector<DrawnShape> out_;
};

}  // namespace

Drawing draw_shapes(const Chart& chart) {
  return ChartPainter(chart).draw();
}

std::vector<std::string> wrapped_text(const std::string& text, double width, double size) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.empty() && text_width(lines.back() + " " + word, size) <= width)
      lines.back() += " " + word;
    else
      lines.push_back(word);
  }
  return lines;
}

}  // namespace threadscape::app
