#pragma once
// Lines of a source, or instructions, below each other with their figures.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/scenes/microscope/microscope_view.h"
#include "app/ui/view_canvas.h"

namespace threadscape::app {

/// A rectangle of the view in pixels.
struct ViewBox {
  ImVec2 low, high;
  [[nodiscard]] float width() const { return high.x - low.x; }
  [[nodiscard]] float height() const { return high.y - low.y; }
  [[nodiscard]] bool contains(ImVec2 at) const {
    return at.x >= low.x && at.x < high.x && at.y >= low.y && at.y < high.y;
  }
};

class Listing {
 public:
  struct Row {
    int number = 0;    ///< The number of the source line, or of the instruction.
    std::string text;  ///< Without the part that all rows begin with.
    double figure = 0;
    bool counted = false;  ///< The kernel has executed it.
    bool marked = false;
  };

  std::string title;
  std::vector<Row> rows;
  bool has_figures = true;

  /// Lets a row, counted from 0, stand in the upper half; at the ends of the listing nothing is empty.
  void centre(std::size_t row) { centred_ = row; }
  /// Centres a row, unless it is visible already.
  void reveal(std::size_t row) { revealed_ = row; }
  /// Moves the listing by so many rows.
  void scroll(int rows_down);
  /// Draws the title and the rows that fit. The colour behind a figure is its share of the largest one.
  void draw(ViewCanvas& canvas, const ViewBox& box, float unit, LineFigure figure);
  /// The row at a place of the view, counted from 0; nothing if there is none, or nothing was drawn.
  [[nodiscard]] std::optional<std::size_t> row_at(ImVec2 at) const;
  /// Forgets where it was drawn.
  void hide() { drawn_ = 0; }
  /// Returns whether that place of the view belongs to it.
  [[nodiscard]] bool is_at(ImVec2 at) const { return drawn_ > 0 && box_.contains(at); }

 private:
  std::optional<std::size_t> centred_, revealed_;
  std::size_t first_ = 0, drawn_ = 0;
  ViewBox box_{{0, 0}, {0, 0}};
  float top_ = 0, row_height_ = 0;
};

}  // namespace threadscape::app
