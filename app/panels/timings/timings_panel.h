#pragma once

#include <optional>
#include <span>

#include "app/panels/panel.h"
#include "app/panels/timings/timeline_view.h"

namespace threadscape::app {

/// Facts about the runs of a backend, from which the panel computes the bandwidth of its variants.
struct VariantTraffic {
  Backend backend = Backend::serial;
  std::span<const Variant> variants;
  double bytes = 0.0;  ///< Bytes of the input plus bytes of the output, which is the minimum that a run moves.
  /// Bandwidth of a copy in the memory of the backend in bytes per second, read plus written; none if it was not
  /// measured.
  std::optional<double> limit;
};

/// The panel with three plots: all runs as one line per backend, medians with their spread (or the bandwidth of each
/// variant), and the stages of a run. A click on the heading of the stages shows what happened in the last second
/// instead.
class TimingsPanel final : public Panel {
 public:
  void draw(Desk& desk) override;
  void rest() override { timeline_.rest(); }
  /// Shows the last second in the place of the plots, or the plots again.
  void show_timeline(bool shown);

 private:
  void draw_history(const TimingBook& book, float width, float height) const;
  void draw_medians(const TimingBook& book, float width, float height) const;
  void draw_stages(const TimingBook& book, float width, float height) const;
  void draw_variants(const TimingBook& book, const VariantTraffic& traffic, float width, float height) const;

  bool log_scale_ = true;
  int shown_runs_ = 100;
  bool of_last_second_ = false;
  TimelineView timeline_;
};

}  // namespace threadscape::app
