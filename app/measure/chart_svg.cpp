#include "app/measure/chart_svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <string_view>

#include "app/measure/chart_layout.h"
#include "app/report/text.h"

namespace threadscape::app {

namespace {

std::string exact(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.9g", value);
  return text.data();
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text)
    safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return safe;
}

std::string hex(unsigned colour) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "#%06x", colour);
  return text.data();
}

/// The width of a text. Programs choose the font; its letters are seldom wider on average than 0.6 of its size.
double text_width(const std::string& text, double size) {
  const auto letters = std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; });
  return 0.6 * size * static_cast<double>(letters);
}

/// An axis of the drawing: values to units, and the values that get a tick.
struct Axis {
  double low = 0.0, high = 1.0, from = 0.0, to = 1.0;
  bool logarithmic = false;
  [[nodiscard]] double at(double value) const {
    const double share = logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return from + share * (to - from);
  }
  [[nodiscard]] std::vector<double> ticks() const {
    std::vector<double> found;
    if (logarithmic) {
      for (int power = static_cast<int>(std::floor(std::log10(low))); std::pow(10.0, power) <= high; ++power)
        for (const double digit : {1.0, 2.0, 5.0})
          if (const double tick = digit * std::pow(10.0, power);
              tick >= low && tick <= high && (digit == 1.0 || high / low < 200.0))
            found.push_back(tick);
      return found;
    }
    const double raw = (high - low) / 6.0, power = std::pow(10.0, std::floor(std::log10(raw)));
    const double step = power * (raw / power < 1.5 ? 1.0 : raw / power < 3.5 ? 2.0 : raw / power < 7.5 ? 5.0 : 10.0);
    const auto first = static_cast<int>(std::ceil(low / step)), last = static_cast<int>(std::floor(high / step));
    for (int i = first; i <= last; ++i)
      found.push_back(i * step);
    return found;
  }
};

/// The range of all values that `each` hands over, with a margin; from zero on for linear axes of heights.
Axis axis_over(const std::function<void(const std::function<void(double)>&)>& each, bool logarithmic, bool from_zero) {
  Axis axis{.low = 1e300, .high = -1e300, .logarithmic = logarithmic};
  each([&](double value) {
    if (!std::isfinite(value) || (logarithmic && value <= 0.0)) return;
    axis.low = std::min(axis.low, value);
    axis.high = std::max(axis.high, value);
  });
  if (axis.low > axis.high) axis.low = axis.high = 1.0;
  if (logarithmic) {
    const double margin = std::max(std::pow(axis.high / axis.low, 0.05), 1.1);
    axis.low /= margin;
    axis.high *= margin;
  } else {
    if (from_zero) axis.low = std::min(axis.low, 0.0);
    const double margin = std::max((axis.high - axis.low) * 0.06, 1e-12 + std::abs(axis.high) * 0.01);
    axis.high += margin;
    if (!from_zero) axis.low -= margin;
  }
  return axis;
}

/// How a text of the drawing is set. An anchor is a value of the attribute text-anchor of SVG.
struct TextStyle {
  double size = 13.0;
  std::string_view anchor = "start";
  double degrees = 0.0;  ///< Clockwise around the anchor.
  bool bold = false;
};

class Drawing {
 public:
  explicit Drawing(const PlotData& plot) : plot_(plot) {
    const auto every = [&](auto member) {
      return [&plot, member](const std::function<void(double)>& use) {
        for (const auto* lines : {&plot.lines, &plot.guides})
          for (const PlotLine& line : *lines)
            for (const double value : line.*member)
              use(value);
      };
    };
    x_ = axis_over(every(&PlotLine::x), plot.log_x, false);
    y_ = axis_over(every(&PlotLine::y), plot.log_y, true);
    if (plot.style == PlotStyle::stacked) stack();
    if (!plot.categories.empty()) {
      x_.low = -0.6;
      x_.high = static_cast<double>(plot.categories.size()) - 0.4;
    }
    x_.from = 70;
    x_.to = 940;
    y_.from = 400;
    y_.to = 50;
  }

  std::string text() {
    label(70, 28, plot_.title, {.size = 18, .bold = true});
    axes();
    for (const PlotLine& guide : plot_.guides)
      path(guide, "stroke=\"#8b94a3\" stroke-dasharray=\"5 4\"");
    if (plot_.style == PlotStyle::lines)
      for (std::size_t i = 0; i < plot_.lines.size(); ++i)
        measured(i);
    else
      columns();
    marks();
    legend();
    const std::string corner = exact(left_) + " " + exact(top_);
    const std::string width = exact(right_ - left_), height = exact(bottom_ - top_);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"" + corner + " " + width + " " + height +
           "\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#202530\">\n<rect x=\"" + exact(left_) + "\" y=\"" +
           exact(top_) + "\" width=\"" + width + "\" height=\"" + height + "\" fill=\"#ffffff\"/>\n" + out_ +
           "</svg>\n";
  }

 private:
  /// Circles with a text above each, which is moved if it covered another one.
  void marks() {
    constexpr double type = 13.0;
    std::vector<TextBox> texts;
    std::vector<const PlotMark*> shown;
    for (const PlotMark& mark : plot_.marks) {
      if (!inside(mark.x, mark.y)) continue;
      shown.push_back(&mark);
      texts.push_back({static_cast<float>(x_.at(mark.x) + 6), static_cast<float>(y_.at(mark.y) - 8 - type),
                       static_cast<float>(text_width(mark.label, type)), static_cast<float>(type * 1.2)});
      out_ += "<circle cx=\"" + exact(x_.at(mark.x)) + "\" cy=\"" + exact(y_.at(mark.y)) +
              "\" r=\"6\" fill=\"none\" stroke=\"#202530\"/>\n";
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
    const double from = style.anchor == "end" ? -width : style.anchor == "middle" ? -width / 2 : 0.0;
    const double angle = style.degrees * std::numbers::pi / 180.0;
    double lowest = y;
    for (const double along : {from, from + width})
      for (const double below : {-style.size, style.size * 0.3}) {
        const double reach = y + along * std::sin(angle) + below * std::cos(angle);
        include(x + along * std::cos(angle) - below * std::sin(angle), reach);
        lowest = std::max(lowest, reach);
      }
    const std::string at = exact(x) + " " + exact(y);
    out_ += "<text x=\"" + exact(x) + "\" y=\"" + exact(y) + "\"";
    if (style.size != TextStyle{}.size) out_ += " font-size=\"" + exact(style.size) + "\"";
    if (style.bold) out_ += " font-weight=\"bold\"";
    if (style.anchor != "start") out_ += " text-anchor=\"" + std::string(style.anchor) + "\"";
    if (style.degrees != 0.0) out_ += " transform=\"rotate(" + exact(style.degrees) + " " + at + ")\"";
    out_ += ">" + escaped(text) + "</text>\n";
    return lowest;
  }
  void segment(double x0, double y0, double x1, double y1, const std::string& style) {
    out_ += "<line x1=\"" + exact(x0) + "\" y1=\"" + exact(y0) + "\" x2=\"" + exact(x1) + "\" y2=\"" + exact(y1) +
            "\" " + style + "/>\n";
    include(x0, y0);
    include(x1, y1);
  }
  void axes() {
    const std::string grid = "stroke=\"#e2e5ea\"";
    for (const double tick : y_.ticks()) {
      segment(x_.from, y_.at(tick), x_.to, y_.at(tick), grid);
      label(x_.from - 6, y_.at(tick) + 4, format_number(tick, 3), {.anchor = "end"});
    }
    if (plot_.categories.empty()) {
      for (const double tick : x_.ticks()) {
        segment(x_.at(tick), y_.from, x_.at(tick), y_.to, grid);
        label(x_.at(tick), y_.from + 18, format_number(tick, 3), {.anchor = "middle"});
      }
    } else {
      for (std::size_t i = 0; i < plot_.categories.size(); ++i)
        below_axis_ = std::max(below_axis_, label(x_.at(static_cast<double>(i)), y_.from + 14, plot_.categories[i],
                                                  {.size = 10, .anchor = "end", .degrees = -30}));
    }
    out_ += "<rect x=\"70\" y=\"50\" width=\"870\" height=\"350\" fill=\"none\" stroke=\"#8b94a3\"/>\n";
    if (!plot_.x_label.empty()) below_axis_ = std::max(below_axis_ + 20, y_.from + 38);
    label(505, below_axis_, plot_.x_label, {.anchor = "middle"});
    label(18, 225, plot_.y_label, {.anchor = "middle", .degrees = -90});
  }
  void path(const PlotLine& line, const std::string& style) {
    std::string points;
    for (std::size_t i = 0; i < line.x.size(); ++i)
      points += exact(x_.at(line.x[i])) + "," + exact(y_.at(line.y[i])) + " ";
    out_ += "<polyline fill=\"none\" stroke-width=\"2\" points=\"" + points + "\" " + style + "/>\n";
  }
  void measured(std::size_t index) {
    const PlotLine& line = plot_.lines[index];
    const std::string colour = hex(line_colour(index));
    if (plot_.joined) path(line, "stroke=\"" + colour + "\"");
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      if (i < line.low.size())
        segment(x_.at(line.x[i]), y_.at(line.low[i]), x_.at(line.x[i]), y_.at(line.high[i]),
                "stroke=\"" + colour + "\" stroke-width=\"1.5\"");
      marker(index, x_.at(line.x[i]), y_.at(line.y[i]));
    }
  }
  void marker(std::size_t index, double x, double y) {
    constexpr std::array<const char*, 5> shapes{"M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", "M-4 -4h8v8h-8z",
                                                "M0 -6l6 6l-6 6l-6 -6z", "M0 -6l6 10h-12z", "M0 6l6 -10h-12z"};
    include(x, y);
    out_ += "<path transform=\"translate(" + exact(x) + " " + exact(y) + ")\" fill=\"" + hex(line_colour(index)) +
            "\" d=\"" + shapes[index % shapes.size()] + "\"/>\n";
  }
  /// The height of the axis over stacked columns is that of the highest sum.
  void stack() {
    y_.high = 0.0;
    for (std::size_t i = 0; i < plot_.categories.size(); ++i) {
      double sum = 0.0;
      for (const PlotLine& line : plot_.lines)
        sum += line.y[i];
      y_.high = std::max(y_.high, sum * 1.05);
    }
    if (y_.high <= 0.0) y_.high = 1.0;
  }
  void columns() {
    const bool stacked = plot_.style == PlotStyle::stacked;
    std::vector<double> base(plot_.lines.empty() ? 0 : plot_.lines.front().x.size(), 0.0);
    for (std::size_t s = 0; s < plot_.lines.size(); ++s) {
      const PlotLine& line = plot_.lines[s];
      const double width = stacked ? 0.6 : line.x.size() > 1 ? (line.x[1] - line.x[0]) * 0.92 : 1.0;
      for (std::size_t i = 0; i < line.x.size(); ++i) {
        const double bottom = y_.at(base[i]), top = y_.at(base[i] + line.y[i]);
        const double left = x_.at(line.x[i] - width / 2), right = x_.at(line.x[i] + width / 2);
        out_ += "<rect x=\"" + exact(left) + "\" y=\"" + exact(top) + "\" width=\"" + exact(right - left) +
                "\" height=\"" + exact(bottom - top) + "\" fill=\"" + hex(line_colour(s)) + "\"/>\n";
        if (stacked) base[i] += line.y[i];
      }
    }
  }
  void legend() {
    double x = 70.0, y = below_axis_ + 27.0;
    for (std::size_t i = 0; i < plot_.lines.size(); ++i) {
      const double width = 34.0 + text_width(plot_.lines[i].label, TextStyle{}.size);
      if (x + width > 950.0 && x > 70.0) {
        x = 70.0;
        y += 20.0;
      }
      marker(i, x + 8, y - 4);
      label(x + 20, y, plot_.lines[i].label);
      x += width;
    }
  }

  const PlotData& plot_;
  Axis x_, y_;
  double below_axis_ = 418.0;  ///< The baseline of the lowest text below the x axis.
  double left_ = 0.0, top_ = 0.0, right_ = 960.0, bottom_ = 540.0;  ///< The edges of the drawing.
  std::string out_;
};

}  // namespace

unsigned line_colour(std::size_t index) {
  constexpr std::array<unsigned, 7> palette{0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x8a7a00};
  return palette[index % palette.size()];
}

std::string plot_csv(const PlotData& plot) {
  std::string text = "plot,line,category,x,y,low,high,samples\n";
  const auto add = [&](const PlotLine& line) {
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const auto category = static_cast<std::size_t>(std::max(line.x[i], 0.0));
      text += csv_field(plot.title) + "," + csv_field(line.label) + "," +
              (category < plot.categories.size() ? csv_field(plot.categories[category]) : "") + "," + exact(line.x[i]) +
              "," + exact(line.y[i]) + "," + (i < line.low.size() ? exact(line.low[i]) : "") + "," +
              (i < line.high.size() ? exact(line.high[i]) : "") + "," +
              (i < line.count.size() ? std::to_string(line.count[i]) : "") + "\n";
    }
  };
  std::ranges::for_each(plot.lines, add);
  std::ranges::for_each(plot.guides, add);
  return text;
}

std::string matrix_csv(const WinMatrix& matrix) {
  std::string text = "row,items,winner,factor,tie\n";
  for (std::size_t row = 0; row < matrix.rows.size(); ++row)
    for (std::size_t column = 0; column < matrix.columns.size(); ++column) {
      const WinCell& cell = matrix.at(row, column);
      if (!cell.measured) continue;
      text += csv_field(matrix.rows[row]) + "," + exact(matrix.columns[column]) + "," +
              std::string(name_of(cell.winner)) + "," + exact(cell.factor) + "," + (cell.tie ? "1" : "0") + "\n";
    }
  return text;
}

std::string plot_svg(const PlotData& plot) {
  return Drawing(plot).text();
}

}  // namespace threadscape::app
