#include "app/measure/chart_svg.h"

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

/// The lines into which a text breaks at its spaces.
std::vector<std::string> wrapped(const std::string& text, double width, double size) {
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

/// How a text of the drawing is set. An anchor is a value of the attribute text-anchor of SVG.
struct TextStyle {
  double size = 13.0;
  std::string_view anchor = "start";
  double degrees = 0.0;  ///< Clockwise around the anchor.
  bool bold = false;
  std::string_view colour = "";  ///< "" for that of the drawing.
};

/// A part of a drawing with its edges.
struct Part {
  double left = 0.0, top = 0.0, right = 960.0, bottom = 540.0;
  std::string elements;

  /// The part as an element "svg", at a place inside of another drawing.
  [[nodiscard]] std::string at(double x, double y) const {
    return "<svg x=\"" + format_exact(x) + "\" y=\"" + format_exact(y) + "\" width=\"" + format_exact(right - left) +
           "\" height=\"" + format_exact(bottom - top) + "\" viewBox=\"" + box() + "\">\n" + elements + "</svg>\n";
  }
  /// The part as a file.
  [[nodiscard]] std::string file() const {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"" + box() +
           "\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#202530\">\n<rect x=\"" + format_exact(left) +
           "\" y=\"" + format_exact(top) + "\" width=\"" + format_exact(right - left) + "\" height=\"" +
           format_exact(bottom - top) + "\" fill=\"#ffffff\"/>\n" + elements + "</svg>\n";
  }

 private:
  [[nodiscard]] std::string box() const {
    return format_exact(left) + " " + format_exact(top) + " " + format_exact(right - left) + " " +
           format_exact(bottom - top);
  }
};

class Drawing {
 public:
  explicit Drawing(const Chart& chart)
      : chart_(chart), x_(x_range(chart), chart.log_x, 70, 940), y_(y_range(chart), chart.log_y, 400, 50) {}

  Part draw() {
    const std::vector<std::string> title = wrapped(chart_.title, 880, 18);
    for (std::size_t i = 0; i < title.size(); ++i)
      label(70, 28.0 - 24.0 * static_cast<double>(title.size() - 1 - i), title[i], {.size = 18, .bold = true});
    axes();
    for (const ChartLine& guide : chart_.guides)
      path(guide, "stroke=\"#8b94a3\" stroke-dasharray=\"5 4\"");
    if (chart_.style == ChartStyle::lines)
      for (std::size_t i = 0; i < chart_.lines.size(); ++i)
        line(i);
    else
      columns();
    marks();
    legend();
    notes();
    return {.left = left_, .top = top_, .right = right_, .bottom = bottom_, .elements = std::move(out_)};
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
      out_ += "<circle cx=\"" + format_exact(x_.at(mark.x)) + "\" cy=\"" + format_exact(y_.at(mark.y)) +
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
    const std::string at = format_exact(x) + " " + format_exact(y);
    out_ += "<text x=\"" + format_exact(x) + "\" y=\"" + format_exact(y) + "\"";
    if (style.size != TextStyle{}.size) out_ += " font-size=\"" + format_exact(style.size) + "\"";
    if (!style.colour.empty()) out_ += " fill=\"" + std::string(style.colour) + "\"";
    if (style.bold) out_ += " font-weight=\"bold\"";
    if (style.anchor != "start") out_ += " text-anchor=\"" + std::string(style.anchor) + "\"";
    if (style.degrees != 0.0) out_ += " transform=\"rotate(" + format_exact(style.degrees) + " " + at + ")\"";
    out_ += ">" + escaped(text) + "</text>\n";
    return lowest;
  }
  void segment(double x0, double y0, double x1, double y1, const std::string& style) {
    out_ += "<line x1=\"" + format_exact(x0) + "\" y1=\"" + format_exact(y0) + "\" x2=\"" + format_exact(x1) +
            "\" y2=\"" + format_exact(y1) + "\" " + style + "/>\n";
    include(x0, y0);
    include(x1, y1);
  }
  void axes() {
    const std::string grid = "stroke=\"#e2e5ea\"";
    for (const auto& [y, text] : y_ticks(chart_)) {
      segment(x_.from, y_.at(y), x_.to, y_.at(y), grid);
      label(x_.from - 6, y_.at(y) + 4, text, {.anchor = "end"});
    }
    if (chart_.categories.empty()) {
      for (const auto& [x, text] : x_ticks(chart_, (x_.to - x_.from) / text_width("0", 13))) {
        segment(x_.at(x), y_.from, x_.at(x), y_.to, grid);
        label(x_.at(x), y_.from + 18, text, {.anchor = "middle"});
      }
    } else {
      for (std::size_t i = 0; i < chart_.categories.size(); ++i)
        below_axis_ = std::max(below_axis_, label(x_.at(static_cast<double>(i)), y_.from + 14, chart_.categories[i],
                                                  {.size = 10, .anchor = "end", .degrees = -30}));
    }
    out_ += "<rect x=\"70\" y=\"50\" width=\"870\" height=\"350\" fill=\"none\" stroke=\"#8b94a3\"/>\n";
    if (!chart_.x_label.empty()) below_axis_ = std::max(below_axis_ + 20, y_.from + 38);
    label(505, below_axis_, chart_.x_label, {.anchor = "middle"});
    label(18, 225, value_label(chart_), {.anchor = "middle", .degrees = -90});
  }
  void path(const ChartLine& line, const std::string& style) {
    std::string points;
    for (std::size_t i = 0; i < line.x.size(); ++i)
      points += format_exact(x_.at(line.x[i])) + "," + format_exact(y_.at(line.y[i])) + " ";
    out_ += "<polyline fill=\"none\" stroke-width=\"2\" points=\"" + points + "\" " + style + "/>\n";
  }
  void line(std::size_t index) {
    const ChartLine& line = chart_.lines[index];
    const std::string stroke = "stroke=\"" + colour_of(index) + "\"";
    if (chart_.joined && !line.x.empty()) path(line, stroke + (line.stated ? " stroke-dasharray=\"7 5\"" : ""));
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      if (i < line.low.size())
        segment(x_.at(line.x[i]), y_.at(line.low[i]), x_.at(line.x[i]), y_.at(line.high[i]),
                stroke + " stroke-width=\"1.5\"");
      marker(index, x_.at(line.x[i]), y_.at(line.y[i]));
    }
  }
  [[nodiscard]] std::string colour_of(std::size_t index) const { return hex(line_colour(look_of(chart_, index))); }
  /// Fill and outline of markers and bars; what a document or a model states is hollow.
  [[nodiscard]] std::string paint(std::size_t index) const {
    const std::string colour = colour_of(index);
    return chart_.lines[index].stated ? "fill=\"#ffffff\" stroke-width=\"1.5\" stroke=\"" + colour + "\""
                                      : "fill=\"" + colour + "\"";
  }
  void marker(std::size_t index, double x, double y) {
    constexpr std::array<const char*, 5> shapes{"M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", "M-4 -4h8v8h-8z",
                                                "M0 -6l6 6l-6 6l-6 -6z", "M0 -6l6 10h-12z", "M0 6l6 -10h-12z"};
    include(x, y);
    const std::size_t shape = chart_.style == ChartStyle::lines ? look_of(chart_, index) % shapes.size() : 1;
    out_ += "<path transform=\"translate(" + format_exact(x) + " " + format_exact(y) + ")\" " + paint(index) + " d=\"" +
            shapes[shape] + "\"/>\n";
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
        out_ += "<rect x=\"" + format_exact(left) + "\" y=\"" + format_exact(top) + "\" width=\"" +
                format_exact(right - left) + "\" height=\"" + format_exact(std::max(bottom - top, 0.0)) + "\" " +
                paint(s) + "/>\n";
        if (stacked) base[i] = to;
        if (chart_.style != ChartStyle::bars) continue;
        const std::string value = bar_text(chart_, line.y[i]);
        if (text_width(value, 10) < right - left)
          label((left + right) / 2, top - 4, value, {.size = 10, .anchor = "middle"});
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
      for (const std::string& line : wrapped(note, 870, size))
        label(70, lowest_ += 15.0, line, {.size = size, .colour = "#5a6270"});
  }

  const Chart& chart_;
  Axis x_, y_;
  double lowest_ = 445.0;      ///< The baseline of the lowest text below the chart.
  double below_axis_ = 418.0;  ///< The baseline of the lowest text below the x axis.
  double left_ = 0.0, top_ = 0.0, right_ = 960.0, bottom_ = 540.0;  ///< The edges of the drawing.
  std::string out_;
};

}  // namespace

std::string chart_svg(const Chart& chart) {
  return Drawing(chart).draw().file();
}

std::string page_svg(const ChartPage& page) {
  std::vector<Part> parts;
  for (const Chart& chart : page.charts)
    parts.push_back(Drawing(chart).draw());
  double cell = 0.0;
  for (const Part& part : parts)
    cell = std::max(cell, part.right - part.left);
  const auto columns =
      std::max<std::size_t>(static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(parts.size())))), 1);
  Part whole{.right = std::max(cell * static_cast<double>(columns), 960.0), .bottom = 0.0, .elements = {}};
  const auto heading = [&whole](const std::string& text, double size, const std::string& style) {
    for (const std::string& line : wrapped(text, whole.right - 40, size)) {
      whole.bottom += size * 1.5;
      whole.elements += "<text x=\"20\" y=\"" + format_exact(whole.bottom) + "\" font-size=\"" + format_exact(size) +
                        "\"" + style + ">" + escaped(line) + "</text>\n";
    }
  };
  heading(page.title, 22, " font-weight=\"bold\"");
  heading(page.source, 13, "");
  heading(page.note, 13, "");
  if (!page.machines.empty()) heading("Measured on " + joined(page.machines, "; "), 13, " fill=\"#5a6270\"");
  whole.bottom += 20.0;
  for (std::size_t first = 0; first < parts.size(); first += columns) {
    double height = 0.0;
    for (std::size_t i = first; i < std::min(first + columns, parts.size()); ++i) {
      whole.elements += parts[i].at(static_cast<double>(i - first) * cell, whole.bottom);
      height = std::max(height, parts[i].bottom - parts[i].top);
    }
    whole.bottom += height + 20.0;
  }
  return whole.file();
}

}  // namespace threadscape::app
