#include "app/measure/chart_svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/measure/chart_drawing.h"
#include "app/report/text.h"

namespace threadscape::app {

namespace {

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text)
    safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return safe;
}

/// An attribute of an element.
std::string attribute(const char* name, double value) {
  return std::string(" ") + name + "=\"" + format_exact(value) + "\"";
}
std::string colour(const char* name, unsigned value) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "#%06x", value);
  return std::string(" ") + name + "=\"" + text.data() + "\"";
}

/// The attributes of a shape, which is not filled unless it says so.
std::string paint(const Ink& ink) {
  std::string text = ink.fill ? colour("fill", *ink.fill) : " fill=\"none\"";
  if (!ink.stroke) return text;
  if (ink.width != Ink{}.width) text += attribute("stroke-width", ink.width);
  text += colour("stroke", *ink.stroke);
  if (ink.dash > 0) text += " stroke-dasharray=\"" + std::to_string(ink.dash) + " " + std::to_string(ink.gap) + "\"";
  return text;
}

/// The element of a shape.
struct ToElement {
  std::string operator()(const DrawnLine& line) const {
    if (line.points.size() == 2)
      return "<line" + attribute("x1", line.points[0].first) + attribute("y1", line.points[0].second) +
             attribute("x2", line.points[1].first) + attribute("y2", line.points[1].second) + paint(line.ink) + "/>\n";
    std::string points;
    for (const auto& [x, y] : line.points)
      points += format_exact(x) + "," + format_exact(y) + " ";
    return (line.closed ? "<polygon" : "<polyline") + paint(line.ink) + " points=\"" + points + "\"/>\n";
  }
  std::string operator()(const DrawnRectangle& box) const {
    return "<rect" + attribute("x", box.x) + attribute("y", box.y) + attribute("width", box.width) +
           attribute("height", box.height) + paint(box.ink) + "/>\n";
  }
  std::string operator()(const DrawnCircle& circle) const {
    return "<circle" + attribute("cx", circle.x) + attribute("cy", circle.y) + attribute("r", circle.radius) +
           paint(circle.ink) + "/>\n";
  }
  std::string operator()(const DrawnText& text) const {
    const TextStyle& style = text.style;
    std::string element = "<text" + attribute("x", text.x) + attribute("y", text.y);
    if (style.size != TextStyle{}.size) element += attribute("font-size", style.size);
    if (style.colour != drawing_text_colour) element += colour("fill", style.colour);
    if (style.bold) element += " font-weight=\"bold\"";
    if (style.anchor != TextAnchor::start)
      element += style.anchor == TextAnchor::end ? " text-anchor=\"end\"" : " text-anchor=\"middle\"";
    if (style.degrees != 0.0)
      element += " transform=\"rotate(" + format_exact(style.degrees) + " " + format_exact(text.x) + " " +
                 format_exact(text.y) + ")\"";
    return element + ">" + escaped(text.text) + "</text>\n";
  }
};

std::string elements_of(const Drawing& drawing) {
  std::string text;
  for (const DrawnShape& shape : drawing.shapes)
    text += std::visit(ToElement{}, shape);
  return text;
}

std::string view_box(const Drawing& drawing) {
  return format_exact(drawing.left) + " " + format_exact(drawing.top) + " " +
         format_exact(drawing.right - drawing.left) + " " + format_exact(drawing.bottom - drawing.top);
}

/// The drawing as an element "svg", at a place inside of another one.
std::string part(const Drawing& drawing, double x, double y) {
  return "<svg" + attribute("x", x) + attribute("y", y) + attribute("width", drawing.right - drawing.left) +
         attribute("height", drawing.bottom - drawing.top) + " viewBox=\"" + view_box(drawing) + "\">\n" +
         elements_of(drawing) + "</svg>\n";
}

/// The elements as a file with the edges of a drawing.
std::string file(const Drawing& edges, const std::string& elements) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"" + view_box(edges) +
         "\" font-family=\"sans-serif\" font-size=\"13\"" + colour("fill", drawing_text_colour) + ">\n<rect" +
         attribute("x", edges.left) + attribute("y", edges.top) + attribute("width", edges.right - edges.left) +
         attribute("height", edges.bottom - edges.top) + " fill=\"#ffffff\"/>\n" + elements + "</svg>\n";
}

}  // namespace

std::string chart_svg(const Chart& chart) {
  const Drawing drawing = draw_shapes(chart);
  return file(drawing, elements_of(drawing));
}

std::string page_svg(const ChartPage& page) {
  std::vector<Drawing> parts;
  for (const Chart& chart : page.charts)
    parts.push_back(draw_shapes(chart));
  double cell = 0.0;
  for (const Drawing& drawing : parts)
    cell = std::max(cell, drawing.right - drawing.left);
  const auto columns =
      std::max<std::size_t>(static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(parts.size())))), 1);
  Drawing whole{.right = std::max(cell * static_cast<double>(columns), 960.0), .bottom = 0.0};
  std::string elements;
  const auto heading = [&whole, &elements](const std::string& text, double size, const std::string& style) {
    for (const std::string& line : wrapped_text(text, whole.right - 40, size)) {
      whole.bottom += size * 1.5;
      elements += "<text x=\"20\" y=\"" + format_exact(whole.bottom) + "\" font-size=\"" + format_exact(size) + "\"" +
                  style + ">" + escaped(line) + "</text>\n";
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
      elements += part(parts[i], static_cast<double>(i - first) * cell, whole.bottom);
      height = std::max(height, parts[i].bottom - parts[i].top);
    }
    whole.bottom += height + 20.0;
  }
  return file(whole, elements);
}

}  // namespace threadscape::app
