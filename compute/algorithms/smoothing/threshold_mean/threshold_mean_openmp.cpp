// The mean with a threshold, with all cores and SIMD. 8-bit pictures go to the separable engine, which can leave a
// pixel as it is where the mean is too far from it (SimdPlan::max_change). For float pictures the lanes of a vector are
// neighbouring pixels; column sums are computed anew for each row, so that their order is that of the reference.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/smoothing/threshold_mean/threshold_mean_openmp.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "compute/algorithms/smoothing/threshold_mean/threshold_mean.h"
#include "compute/engines/planes/bands.h"
#include "compute/engines/planes/plane_tile.h"
#include "compute/engines/separable/openmp/separable_simd.h"

#ifndef THREADSCAPE_THRESHOLD_MEAN_TILE
#define THREADSCAPE_THRESHOLD_MEAN_TILE
namespace threadscape::threshold_mean {
inline constexpr int tile_width = 512, tile_height = 64;
inline constexpr int pitch = tile_width + 2 * max_radius + 64;  // the last vector may reach beyond the tile

struct Tile {
  alignas(64) float values[tile_height + 2 * max_radius][pitch];
  alignas(64) float columns[pitch];
  alignas(64) float results[tile_height][tile_width + 64];
};
}  // namespace threadscape::threshold_mean
#endif

HWY_BEFORE_NAMESPACE();
namespace threadscape::threshold_mean {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Fills tile.columns with the column sums for row y of results.
HWY_INLINE void sum_columns(Tile& tile, int y, int size, int width) {
  const hn::ScalableTag<float> d;
  const int step = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += step) {
    auto sum = hn::Zero(d);
    for (int row = y; row < y + size; ++row)
      sum = hn::Add(sum, hn::LoadU(d, &tile.values[row][x]));
    hn::Store(sum, d, tile.columns + x);
  }
}

void filter_tile(const Plan& plan, int width, int height, Tile& tile) {
  const hn::ScalableTag<float> d;
  const auto count = hn::Set(d, static_cast<float>(plan.size * plan.size));
  const auto threshold = hn::Set(d, plan.threshold / 255.0f), error = hn::Set(d, flat_error(plan));
  const int radius = plan.radius(), step = static_cast<int>(hn::Lanes(d));
  for (int y = 0; y < height; ++y) {
    sum_columns(tile, y, plan.size, width + 2 * radius);
    for (int x = 0; x < width; x += step) {
      auto sum = hn::Zero(d);
      for (int i = 0; i < plan.size; ++i)
        sum = hn::Add(sum, hn::LoadU(d, tile.columns + x + i));
      const auto old = hn::LoadU(d, &tile.values[y + radius][x + radius]);
      const auto unsettled = hn::Div(sum, count);
      const auto flat = hn::Lt(hn::Abs(hn::Sub(unsettled, old)), hn::Mul(error, hn::Abs(old)));
      const auto mean = hn::IfThenElse(flat, old, unsettled);
      const auto difference = hn::IfThenElse(hn::Lt(mean, old), hn::Sub(old, mean), hn::Sub(mean, old));
      hn::Store(hn::IfThenElse(hn::Le(difference, threshold), mean, old), d, &tile.results[y][x]);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::threshold_mean
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {
namespace threshold_mean {
HWY_EXPORT(filter_tile);
}

void ThresholdMean::openmp(const Params& params, const HostRun& run) {
  const threshold_mean::Plan plan = ThresholdMean::plan(params);
  if (run.in.shape.element == Element::u8) {
    separable::Plan means = separable::mean_plan(plan.size);
    means.border = plan.border;
    means.channels = plan.channels;
    separable::SimdPlan steps(means);
    steps.max_change = static_cast<int>(plan.threshold);
    return separable::openmp(steps, run);
  }
  using namespace threshold_mean;  // NOLINT: where HWY_EXPORT put the table
  with_planes<float>(run.in.shape, plan.channels, [&](auto planes) {
    for_each_tile(run, tile_width, tile_height, [&](int x, int y, int width, int height) {
      Tile tile{};  // zeros also in the padding, which the last vectors of rows read
      filter_area<decltype(planes)>(
          run, {x, y, width, height}, plan.radius(), plan.border,
          TilePlane<float, float>{tile.values[0], pitch, tile.results[0], std::size(tile.results[0])}, [&] {
            HWY_DYNAMIC_DISPATCH(filter_tile)(plan, width, height, tile);
          });
    });
  });
}

}  // namespace threadscape
#endif
