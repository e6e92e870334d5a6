#pragma once

#include <optional>
#include <span>

#include "app/session/timing_book.h"
#include "app/window/widgets/theme.h"
#include "compute/registry/algorithm.h"

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

/// The series of runs that the user has asked for with a button of the panel.
enum class ComparisonRequest : std::uint8_t { none, of_backends, of_variants };

/// The panel with three plots: all runs as one line per backend, medians with their spread (or the bandwidth of each
/// variant), and the stages of a run.
class TimingsPanel {
 public:
  [[nodiscard]] ComparisonRequest draw(const TimingBook& book, const Fonts& fonts, bool measuring,
                                       const VariantTraffic& traffic);
  /// Returns whether variants are drawn instead of backends, if the backend has several.
  void show_variants(bool shown) { variants_ = shown; }

 private:
  void draw_history(const TimingBook& book, float width, float height) const;
  void draw_medians(const TimingBook& book, float width, float height) const;
  void draw_stages(const TimingBook& book, float width, float height) const;

  void draw_variants(const TimingBook& book, const VariantTraffic& traffic, float width, float height) const;

  bool log_scale_ = true;
  bool variants_ = false;
  int shown_runs_ = 100;
};

}  // namespace threadscape::app
