#pragma once
// Charts as lists of shapes and texts, which chart_svg.h writes as SVG, and app/document as PDF.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/measure/chart.h"

namespace threadscape::app {

/// How a shape is painted. Colours are 0xRRGGBB.
struct Ink {
  std::optional<unsigned> fill = {}, stroke = {};
  double width = 1.0;     ///< Width of the stroke.
  int dash = 0, gap = 0;  ///< Lengths of the dashes of the stroke and of the gaps between them; 0 for a whole line.
};

/// A line through the points, or a polygon if it is closed.
struct DrawnLine {
  std::vector<std::pair<double, double>> points;
  Ink ink;
  bool closed = false;
};
struct DrawnRectangle {
  double x = 0.0, y = 0.0, width = 0.0, height = 0.0;
  Ink ink;
};
struct DrawnCircle {
  double x = 0.0, y = 0.0, radius = 0.0;
  Ink ink;
};

enum class TextAnchor : std::uint8_t { start, middle, end };
inline constexpr unsigned drawing_text_colour = 0x202530;
struct TextStyle {
  double size = 13.0;
  TextAnchor anchor = TextAnchor::start;
  double degrees = 0.0;  ///< Clockwise around the anchor.
  bool bold = false;
  unsigned colour = drawing_text_colour;
};
/// A text whose anchor is on its baseline.
struct DrawnText {
  double x = 0.0, y = 0.0;
  std::string text;
  TextStyle style;
};

using DrawnShape = std::variant<DrawnLine, DrawnRectangle, DrawnCircle, DrawnText>;

/// What is drawn, from back to front, with its edges. y grows downwards.
struct Drawing {
  double left = 0.0, top = 0.0, right = 960.0, bottom = 540.0;
  std::vector<DrawnShape> shapes = {};
};

/// Axes, lines or bars, markers, intervals, guides, legend and notes, in the colours of the light theme. The drawing
/// has 960 x 540 units, or more where long labels, a long legend or notes need them.
[[nodiscard]] Drawing draw_shapes(const Chart& chart);

/// The lines into which a text breaks at its spaces, for letters that are 0.6 of the size wide, as those of no usual
/// font are on average.
[[nodiscard]] std::vector<std::string> wrapped_text(const std::string& text, double width, double size);

}  // namespace threadscape::app
