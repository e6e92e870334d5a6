#pragma once
// The mean of small windows of bytes with a threshold, in patches of neighbouring pixels, two to an instruction: as
// mean_tiled.h, and then the choice between the mean and the old value.

#include "compute/algorithms/smoothing/mean/mean_tiled.h"

namespace threadscape::threshold_mean {

inline constexpr int max_tiled_radius = 2;  ///< beyond, the kernel would take long to compile

template <int radius_>
struct ThresholdMeanPatches {
  static constexpr int radius = radius_;
  template <class P>
  using Size = UsualPatchSize<P>;
  /// In both halves, what makes differences above the threshold reach 2^15.
  std::uint32_t limit;
  mean::MeanPatches<radius> means;

  /// Differences of bytes are whole numbers, so the part of the threshold behind the point does not matter.
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
  /// 1 in each half that differs by more than the threshold.
  TS_HD std::uint32_t too_far(std::uint32_t a, std::uint32_t b) const {
    return means.factors.sum(means.factors.distance(a, b), limit) >> 15 & 0x00010001;
  }
};

}  // namespace threadscape::threshold_mean
