#pragma once
// Histograms of the input and the result, and how similar the two are.

#include "app/live/live_view.h"
#include "app/window/theme.h"
#include "render/passes/statistics_pass.h"

namespace threadscape::app {

class StatisticsPanel {
 public:
  explicit StatisticsPanel(const gl::ShaderLibrary& shaders) : pass_(shaders) {}

  /// Counts what is on show, a band per frame, while the panel is seen.
  void draw(const LiveView& live, const Fonts& fonts);
  /// The panel is not seen: what is under way waits.
  void rest() { counting_ = false; }
  /// Counting goes on: draw another frame soon.
  [[nodiscard]] bool animating() const { return counting_; }

 private:
  void count(const LiveView& live);
  void draw_numbers(const Fonts& fonts) const;
  void draw_histogram(const char* title, const std::optional<render::Histogram>& histogram, float width,
                      float height) const;

  render::StatisticsPass pass_;
  std::optional<Work> counted_;
  bool counting_ = false;
  bool heights_ = false;  ///< what is counted are heights: floats go over their own range
};

}  // namespace threadscape::app
