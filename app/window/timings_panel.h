#pragma once

#include <optional>
#include <span>

#include "app/session/timing_book.h"
#include "app/window/theme.h"
#include "compute/registry/algorithm.h"

namespace threadscape::app {

/// What the variants of a backend are measured against.
struct VariantTraffic {
  Backend backend = Backend::serial;
  std::span<const Variant> variants;
  double bytes = 0.0;           ///< input once, output once
  std::optional<double> limit;  ///< bytes per second of a copy
};

/// What the user asks for.
enum class Comparison : std::uint8_t { none, of_backends, of_variants };

/// Three plots: every run as a line per backend, medians with their spread (or the bandwidth of each variant), and the
/// stages of a run.
class TimingsPanel {
 public:
  [[nodiscard]] Comparison draw(const TimingBook& book, const Fonts& fonts, bool measuring,
                                const VariantTraffic& traffic);
  /// Variants in the place of backends, where there are several.
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
