#pragma once
// The panel with the histograms of input and result, and measures of their similarity.

#include "app/panels/panel.h"
#include "render/gl/clip_picture.h"
#include "render/passes/statistics_pass.h"

namespace threadscape::app {

class StatisticsPanel final : public Panel {
 public:
  explicit StatisticsPanel(const gl::ShaderLibrary& shaders) : pass_(shaders) {}

  /// Draws the panel, and computes statistics of the displayed textures, a band of rows per frame.
  void draw(Desk& desk) override;
  void rest() override { counting_ = false; }
  [[nodiscard]] bool animating() const override { return counting_; }

 private:
  void count(const LiveView& live);
  void draw_numbers(const Fonts& fonts) const;
  void draw_histogram(const char* title, const std::optional<render::Histogram>& histogram, float width,
                      float height) const;

  render::StatisticsPass pass_;
  gl::ClipPicture input_picture_;  ///< The counted input, which of a clip is its newest frame.
  std::optional<Work> counted_;
  bool counting_ = false;
  bool heights_ = false;  ///< If true, heights are counted. Histograms of floats then cover the range of the values.
};

}  // namespace threadscape::app
