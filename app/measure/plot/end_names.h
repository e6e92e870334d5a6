#pragma once
// The names of the lines of a chart at their right ends, in the place of a legend.

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "app/measure/chart.h"

namespace threadscape::app {

class EndNames {
 public:
  /// The names for a chart of this size, of which the lines have `names`; nothing if a legend is clearer: if lines end
  /// in other places than at the right, or if there are so many that names would stand far from their ends.
  [[nodiscard]] static std::optional<EndNames> of(const Chart& chart, const std::vector<std::string>& names,
                                                  ImVec2 size);
  /// The width of the names with the lines that lead to them.
  [[nodiscard]] float width() const;
  /// Notes where the lines end now. Called between the calls of ImPlot that begin and end the plot. `colour_of`
  /// tells the colour of a line by its number.
  void place(const Chart& chart, ImVec4 (*colour_of)(const Chart&, std::size_t));
  /// Draws the names at the right of the plot. A click on the name of a line switches it off and on.
  void draw() const;

 private:
  struct Name {
    std::string item, text;  ///< What ImPlot calls the line, and what is read.
    bool guide = false;      ///< Its number is one of the guides.
    std::size_t number = 0;
    double share = 0.0;  ///< The height of its end, from below, while the axes show all points.
    ImGuiID id = 0;      ///< ImPlot's number of the line.
    ImVec2 end{};        ///< Its end on screen.
    ImVec4 colour{};
  };
  std::vector<Name> names_;   ///< From top to bottom.
  unsigned plot_ = 0;         ///< ImPlot's number of the plot.
  ImVec2 corner_{}, area_{};  ///< The area of the plot on screen.
};

}  // namespace threadscape::app
