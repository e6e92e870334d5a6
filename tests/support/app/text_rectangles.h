#pragma once
// Where text is in a frame that ImGui has built, for tests that no text covers another one.

#include <imgui.h>

#include <string>
#include <vector>

namespace threadscape::app {

/// A word or a line of text: glyphs that follow one another.
struct TextRun {
  ImVec2 low, high;
  int list = 0;      ///< The number of the draw list: that of the window, from back to front.
  bool cut = false;  ///< If true, more than a pixel at its left or right end is outside of what is visible.
};

/// The runs of glyphs in what ImGui has built, cut to what is visible. Only windows and plots are looked at, and no
/// tooltips or popups, which cover others by intention.
[[nodiscard]] std::vector<TextRun> text_runs(const ImDrawData& data);

/// The places of glyphs that the left or right edge of their window or field cuts, one in a line; "" if there are none.
[[nodiscard]] std::string cut_text(const ImDrawData& data);

/// One sentence for each pair of runs that overlap by more than a pixel in both directions; "" if there is none.
[[nodiscard]] std::string overlapping_text(const ImDrawData& data);

}  // namespace threadscape::app
