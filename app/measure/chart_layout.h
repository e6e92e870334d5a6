#pragma once
// What both renderers of charts have in common: ranges and ticks of axes, colours, places of bars, and where texts
// stand, so that they cover neither lines nor each other. Nothing is drawn here.

#include <optional>
#include <span>
#include <utility>

#include "app/measure/chart.h"

namespace threadscape::app {

/// Returns true if no line has a point.
[[nodiscard]] bool is_empty(const Chart& chart);
/// What is missing and why, and the notes.
[[nodiscard]] std::vector<std::string> sentences_of(const Chart& chart);

/// Which colour and which marker a line has: its number among the lines with points, of which those of a document or a
/// model share that of the measured line of their series.
[[nodiscard]] std::size_t look_of(const Chart& chart, std::size_t line);
/// The colour with this index as 0xRRGGBB, from the palette of Okabe and Ito, which people with any of the common forms
/// of colour blindness can tell apart.
[[nodiscard]] unsigned line_colour(std::size_t index);

/// The ends of an axis that shows a member of all lines and guides, with a margin. Values that the axis cannot show are
/// left out; 1 and 2 if none is left.
[[nodiscard]] std::pair<double, double> axis_range(const Chart& chart, std::vector<double> ChartLine::*member,
                                                   bool logarithmic, bool from_zero);
/// The ends of the horizontal and of the vertical axis.
[[nodiscard]] std::pair<double, double> x_range(const Chart& chart);
[[nodiscard]] std::pair<double, double> y_range(const Chart& chart);

/// The sum of a category over all lines.
[[nodiscard]] double total_of(const Chart& chart, std::size_t category);
/// By what the values of a stacked bar are multiplied: 1, or what makes percent of its total of them.
[[nodiscard]] double stack_scale(const Chart& chart, std::size_t category);
/// The label of the axis that shows the values.
[[nodiscard]] std::string value_label(const Chart& chart);

struct Tick {
  double at = 0.0;
  std::string label;  ///< "" for a tick without a label.
};
/// The ticks of an axis of numbers. The x axis of a chart with few places has one at every place; `letters` is the
/// width of the axis in letters, and labels that would be nearer than two letters to the previous one are left out,
/// since digits are broader than the mean of letters.
[[nodiscard]] std::vector<Tick> x_ticks(const Chart& chart, double letters);
[[nodiscard]] std::vector<Tick> y_ticks(const Chart& chart);

/// A row of bars: the distance of their middles from the places of a line's points, and their width.
struct BarPlace {
  double offset = 0.0, width = 1.0;
};
/// Where the bars of a line stand: side by side in their groups, or one bin beside the other.
[[nodiscard]] BarPlace bar_place(const Chart& chart, std::size_t line);
/// The value of a bar as it stands above it: "3", "0.31x".
[[nodiscard]] std::string bar_text(const Chart& chart, double value);

enum class Corner : std::uint8_t { north_west, north_east, south_west, south_east };

/// The first corner, in the order of the enumeration, in which a box covers no line, no guide and no mark while the
/// axes show all points. `width` and `height` are shares of the chart's area. Nothing if there is no such corner.
[[nodiscard]] std::optional<Corner> free_corner(const Chart& chart, double width, double height);

/// A line of text in pixels; x and y are those of its upper left corner.
struct TextBox {
  float x = 0.0f, y = 0.0f, width = 0.0f, height = 0.0f;
};

/// Moves boxes up and down by multiples of their height, as little as possible, until each is between `top` and
/// `bottom` and covers none that comes before it. A box for which there is no such place stays where it is.
void separate(std::span<TextBox> boxes, float top, float bottom);
/// Moves texts of this height apart and between `low` and `high`, as little as possible. `wanted` has their upper edges
/// in rising order, and so has the result.
[[nodiscard]] std::vector<float> spread(const std::vector<float>& wanted, float height, float low, float high);

/// Where the last point of a line is while the axes show all points: shares of the area, from the left and from below.
[[nodiscard]] std::pair<double, double> end_of(const Chart& chart, const ChartLine& line);

}  // namespace threadscape::app
