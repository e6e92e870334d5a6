#pragma once
// The CUDA kernel for means with a threshold, small windows of bytes: a patch of neighbouring pixels per thread, two
// per instruction. The means come from mean_tiled.h; this adds the choice between the mean and the old value.

#include "compute/algorithms/smoothing/mean/mean_tiled.h"

namespace threadscape::threshold_mean {

inline constexpr int max_tiled_radius = 2;  ///< Beyond it the kernel would take long to compile.

template <int radius_>
struct ThresholdMeanPatches {
  static constexpr int radius = radius_;
  template <class P>
  using Size = UsualPatchSize<P>;
  /// u16x2: the number that, added to a difference above the threshold, gives at least 2^15.
  std::uint32_t limit;
  mean::MeanPatches<radius> means;

  /// Differences of bytes are integers, so the fraction of the threshold does not matter.
  explicit ThresholdMeanPatches(float threshold)
      : limit((0x7fff - static_cast<std::uint32_t>(threshold)) * 0x00010001), means{} {}

  template <class Patch, class StoreResult>
  TS_HD void results_of(const Patch& patch, const StoreResult& store_result) const {
    constexpr int planes = Patch::PlanesOfPixel::count;
    means.results_of(patch, [&](int r, const std::uint32_t(&mean)[planes][Patch::words]) {
      std::uint32_t result[planes][Patch::words];
      TS_UNROLL
      for (int i = 0; i < planes * Patch::words; ++i) {
        const int plane = i / Patch::words, w = i % Patch::words;
        const std::uint32_t old = patch.word[plane][r + radius][w + 1], now = mean[plane][w];
        const std::uint32_t far = means.factors.interleaved(too_far(even_pixels(old), even_pixels(now)),
                                                            too_far(odd_pixels(old), odd_pixels(now)));
        const std::uint32_t kept = far * 0xff;
        result[plane][w] = (old & kept) | (now & ~kept);
      }
      store_result(r, result);
    });
  }

 private:
  /// u16x2: 1 where a and b differ by more than the threshold, else 0.
  TS_HD std::uint32_t too_far(std::uint32_t a, std::uint32_t b) const {
    return means.factors.sum(means.factors.distance(a, b), limit) >> 15 & 0x00010001;
  }
};

}  // namespace threadscape::threshold_mean
