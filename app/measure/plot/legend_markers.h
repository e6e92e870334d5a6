#pragma once
// Markers in the legend of a plot. ImPlot shows a square of the line's colour there, by which lines of similar colours
// are hard to tell apart.

#include <implot.h>

#include <vector>

namespace threadscape::app {

/// Collects lines while a plot is drawn, and draws their markers over the squares of the legend afterwards.
class LegendMarkers {
 public:
  /// Adds a line that was drawn under this name. Call it between ImPlot::BeginPlot() and EndPlot().
  void add(const char* name, ImPlotMarker marker, const ImVec4& colour, bool joined);
  /// Draws the markers of all added lines. Call it after ImPlot::EndPlot(), in the same ImGui window.
  void draw() const;

 private:
  struct Line {
    ImGuiID item;
    ImPlotMarker marker;
    ImVec4 colour;
    bool joined;  ///< Its points are joined, so that the marker lies on a piece of line.
  };
  ImGuiID plot_ = 0;
  std::vector<Line> lines_;
};

}  // namespace threadscape::app
