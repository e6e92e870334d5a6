// The rotating mask with all cores and SIMD: the lanes of a vector are neighbouring pixels. 8-bit pictures are filtered
// by rotating_mask_bytes-inl.h, float pictures here.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/smoothing/rotating_mask/rotating_mask_openmp.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "compute/algorithms/smoothing/rotating_mask/rotating_mask.h"
#include "compute/algorithms/smoothing/rotating_mask/rotating_mask_bytes-inl.h"
#include "compute/engines/planes/bands.h"
#include "compute/engines/planes/tiles.h"

#ifndef THREADSCAPE_ROTATING_MASK_RUNS
#define THREADSCAPE_ROTATING_MASK_RUNS
namespace threadscape::rotating_mask {

/// The pixels of a mask in row dy: columns first .. last, relative to the pixel.
struct Run {
  int dy, first, last;
};
/// All runs of all masks in the order of the reference, computed once per band of rows.
struct Runs {
  Run run[9 * max_size];
  int end[9];    ///< One past the last run of each mask.
  int count[9];  ///< Number of pixels of each mask.
  int masks;

  explicit Runs(const Plan& plan) : masks(mask_count(plan.method)) {
    int i = 0;
    for (int mask = 0; mask < masks; ++mask) {
      const Range rows = rows_of(plan.method, mask, plan.radius());
      for (int dy = rows.first; dy <= rows.last; ++dy) {
        const Range columns = columns_of(plan.method, mask, plan.radius(), dy);
        run[i++] = {dy, columns.first, columns.last};
      }
      end[mask] = i;
      count[mask] = pixels_of(plan.method, mask, plan.radius());
    }
  }
};

}  // namespace threadscape::rotating_mask
#endif

HWY_BEFORE_NAMESPACE();
namespace threadscape::rotating_mask {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // a processor without SIMD, or a compiler that cannot emulate it

void filter(const Plan& plan, const HostRun& run, int y0, int y1) {
  filter_rows(plan, run, y0, y1);
}

#else

using namespace threadscape::HWY_NAMESPACE;  // NOLINT: the namespace of this instruction set

void filter_floats(const Runs& runs, const float* source, std::ptrdiff_t pitch, float* result,
                   std::ptrdiff_t result_pitch, int width, int height) {
  const DF32 d;
  const int step = static_cast<int>(hn::Lanes(d));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; x += step) {
      const float* const at = source + y * pitch + x;
      const auto centre = hn::LoadU(d, at);
      auto best_spread = hn::Zero(d), best_mean = hn::Zero(d);
      int i = 0;
      for (int mask = 0; mask < runs.masks; ++mask) {
        auto sum = hn::Zero(d), squares = hn::Zero(d);
        for (; i < runs.end[mask]; ++i)
          for (int dx = runs.run[i].first; dx <= runs.run[i].last; ++dx) {
            const auto difference = hn::Sub(hn::LoadU(d, at + runs.run[i].dy * pitch + dx), centre);
            sum = hn::Add(sum, difference);
            squares = hn::Add(squares, hn::Mul(difference, difference));
          }
        const auto count = hn::Set(d, static_cast<float>(runs.count[mask]));
        const auto mean = hn::Div(sum, count);
        const auto spread = hn::Sub(hn::Div(squares, count), hn::Mul(mean, mean));
        if (mask == 0) {
          best_spread = spread;
          best_mean = mean;
        } else {
          const auto less = hn::Lt(spread, best_spread);
          best_spread = hn::IfThenElse(less, spread, best_spread);
          best_mean = hn::IfThenElse(less, mean, best_mean);
        }
      }
      hn::StoreU(hn::Add(centre, best_mean), d, result + y * result_pitch + x);
    }
}

void filter(const Plan& plan, const HostRun& run, int y0, int y1) {
  const PlaneRows rows(run, plan.channels);
  if (run.in.shape.element == Element::f32) {
    const Runs runs(plan);
    const TileFilter<float, float> filter_tile = [&](const float* source, std::ptrdiff_t pitch, float* result,
                                                     std::ptrdiff_t result_pitch, int width, int height) {
      filter_floats(runs, source, pitch, result, result_pitch, width, height);
    };
    return filter_band(rows, y0, y1, plan.radius(), plan.border, filter_tile);
  }
  const TileFilter<std::uint8_t, std::uint8_t> filter_tile =
      [&](const std::uint8_t* source, std::ptrdiff_t pitch, std::uint8_t* result, std::ptrdiff_t result_pitch,
          int width, int height) { filter_bytes(plan, source, pitch, result, result_pitch, width, height); };
  filter_band(rows, y0, y1, plan.radius(), plan.border, filter_tile);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::rotating_mask
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {
namespace rotating_mask {
HWY_EXPORT(filter);

namespace {
void dispatch_filter(const Plan& plan, const HostRun& run, int y0, int y1) {
  HWY_DYNAMIC_DISPATCH(filter)(plan, run, y0, y1);
}
}  // namespace
}  // namespace rotating_mask

void RotatingMask::openmp(const Params& params, const HostRun& run) {
  const rotating_mask::Plan plan = RotatingMask::plan(params);
  for_each_band(run, static_cast<int>(run.in.shape.height),
                [&](int y0, int y1) { rotating_mask::dispatch_filter(plan, run, y0, y1); });
}

}  // namespace threadscape
#endif
