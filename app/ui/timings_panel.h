#pragma once

#include "app/timing_book.h"
#include "app/ui/theme.h"

namespace threadscape::app {

/// Three plots: every run as a line per backend, medians with their spread, and the stages of a run.
class TimingsPanel {
 public:
  /// Returns true when the user asks for a comparison run of all backends.
  bool draw(const TimingBook& book, const Fonts& fonts, bool measuring);

 private:
  void draw_history(const TimingBook& book, float width, float height) const;
  void draw_medians(const TimingBook& book, float width, float height) const;
  void draw_stages(const TimingBook& book, float width, float height) const;

  bool log_scale_ = true;
  int shown_runs_ = 100;
};

}  // namespace threadscape::app
