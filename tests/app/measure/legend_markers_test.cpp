// Markers in the legend of a plot, in the vertices that ImGui would hand to a GPU.

#include "app/measure/plot/legend_markers.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>
#include <implot_internal.h>

#include <array>

#include "tests/support/app/plot_contexts.h"

namespace threadscape::app {
namespace {

constexpr ImVec4 colour{0.2f, 0.4f, 0.6f, 1.0f};  // of nothing else that is drawn

class LegendMarkersTest : public PlotContextsTest {
 protected:
  LegendMarkersTest() : PlotContextsTest({800, 600}) {}
  /// Draws a plot of two lines, the second with a marker, often enough that ImPlot knows the size of its legend.
  void draw(ImPlotMarker marker, bool joined, bool shown = true) {
    constexpr std::array x{0.0, 1.0}, y{0.0, 1.0};
    for (int frame = 0; frame < 3; ++frame) {
      ImGui::NewFrame();
      ImGui::SetNextWindowSize({700, 500});
      ImGui::Begin("window");
      LegendMarkers markers;
      ASSERT_TRUE(ImPlot::BeginPlot("plot", {600, 400}));
      ImPlot::PlotLine("first", x.data(), y.data(), 2);
      ImPlot::HideNextItem(!shown, ImPlotCond_Always);
      ImPlot::PlotLine("second", x.data(), y.data(), 2);
      markers.add("second", marker, colour, joined);
      ImPlotItemGroup& items = ImPlot::GetCurrentPlot()->Items;
      ImPlot::EndPlot();
      markers.draw();
      legend_ = items.Legend.Rect;
      ImGui::End();
      ImGui::Render();
    }
  }
  /// The box of all vertices of a colour.
  [[nodiscard]] static ImRect box_of(const ImVec4& wanted) {
    const ImU32 word = ImGui::ColorConvertFloat4ToU32(wanted);
    ImRect box(1e9f, 1e9f, -1e9f, -1e9f);
    for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists)
      for (const ImDrawVert& vertex : list->VtxBuffer)
        if (vertex.col == word) box.Add(vertex.pos);
    return box;
  }

  ImRect legend_;
};

TEST_F(LegendMarkersTest, AMarkerIsInTheEntryOfItsLine) {
  for (const ImPlotMarker marker :
       {ImPlotMarker_Circle, ImPlotMarker_Square, ImPlotMarker_Diamond, ImPlotMarker_Up, ImPlotMarker_Down}) {
    draw(marker, false);
    const ImRect box = box_of(colour);
    EXPECT_TRUE(legend_.Contains(box)) << marker;
    EXPECT_GT(box.Min.y, legend_.GetCenter().y - 1.0f) << marker;  // The second of two entries is in the lower half.
    EXPECT_GT(box.GetWidth(), 5.0f) << marker;
  }
}

TEST_F(LegendMarkersTest, ALineWithoutMarkersIsALine) {
  draw(ImPlotMarker_None, true);
  const ImRect box = box_of(colour);
  EXPECT_TRUE(legend_.Contains(box));
  EXPECT_GT(box.GetWidth(), 4.0f * box.GetHeight());
}

TEST_F(LegendMarkersTest, AHiddenLineLosesItsColour) {
  draw(ImPlotMarker_Square, true, false);
  EXPECT_LT(box_of(colour).GetWidth(), 0.0f);
}

}  // namespace
}  // namespace threadscape::app
