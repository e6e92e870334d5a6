#pragma once
// Where the texts of a plot of the lab stand, so that they cover neither lines nor each other. Nothing is drawn here.

#include <optional>
#include <span>
#include <utility>

#include "app/lab/plot_data.h"

namespace threadscape::app {

/// The ends of an axis that shows a member of all lines and guides, with a margin. Values that the axis cannot show are
/// left out; 1 and 2 if none is left.
[[nodiscard]] std::pair<double, double> axis_range(const PlotData& plot, std::vector<double> PlotLine::*member,
                                                   bool logarithmic, bool from_zero);
/// The ends of the horizontal and of the vertical axis of a plot of lines or bars.
[[nodiscard]] std::pair<double, double> x_range(const PlotData& plot);
[[nodiscard]] std::pair<double, double> y_range(const PlotData& plot);

enum class Corner : std::uint8_t { north_west, north_east, south_west, south_east };

/// The first corner, in the order of the enumeration, in which a box covers no line, no guide and no mark while the
/// axes show all points. `width` and `height` are shares of the plot's area. Nothing if there is no such corner.
[[nodiscard]] std::optional<Corner> free_corner(const PlotData& plot, double width, double height);

/// A line of text in pixels; x and y are those of its upper left corner.
struct TextBox {
  float x = 0.0f, y = 0.0f, width = 0.0f, height = 0.0f;
};

/// Moves boxes up and down by multiples of their height, as little as possible, until each is between `top` and
/// `bottom` and covers none that comes before it. A box for which there is no such place stays where it is.
void separate(std::span<TextBox> boxes, float top, float bottom);

}  // namespace threadscape::app
