// Thermal erosion with all cores and SIMD, in one parallel region with a barrier after each iteration.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/terrain/thermal_erosion/thermal_erosion_openmp.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "compute/algorithms/terrain/thermal_erosion/thermal_erosion_plan.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::thermal_erosion {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Computes row y of one iteration.
void erode_row(const Plan& plan, const ImageView<float>& from, int y, const ImageView<float>& to) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const int lanes = static_cast<int>(hn::Lanes(d));
  int x = 0;
  if (y > 0 && y + 1 < from.height && from.width > lanes + 1) {
    to(x, y) = eroded_cell(plan, from, x, y);
    const float* const rows[3]{from.row(y - 1), from.row(y), from.row(y + 1)};
    float* const result = to.row(y);
    for (x = 1; x + lanes < from.width; x += lanes) {
      const V h = hn::LoadU(d, rows[1] + x);
      const auto sliding = [&](int dx, int dy, V talus) HWY_ATTR {
        const V difference = hn::Sub(hn::LoadU(d, rows[dy + 1] + x + dx), h);
        const V down = hn::IfThenElseZero(hn::Lt(difference, hn::Neg(talus)), hn::Add(difference, talus));
        return hn::IfThenElse(hn::Gt(difference, talus), hn::Sub(difference, talus), down);
      };
      const V t = hn::Set(d, plan.talus), u = hn::Set(d, plan.diagonal_talus);
      const V straight =
          hn::Add(hn::Add(sliding(-1, 0, t), sliding(1, 0, t)), hn::Add(sliding(0, -1, t), sliding(0, 1, t)));
      const V diagonal =
          hn::Add(hn::Add(sliding(-1, -1, u), sliding(1, -1, u)), hn::Add(sliding(-1, 1, u), sliding(1, 1, u)));
      const V change =
          hn::Add(hn::Mul(straight, hn::Set(d, straight_weight)), hn::Mul(diagonal, hn::Set(d, diagonal_weight)));
      hn::StoreU(hn::Add(h, change), d, result + x);
    }
  }
  for (; x < from.width; ++x)
    to(x, y) = eroded_cell(plan, from, x, y);
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::thermal_erosion
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {
namespace thermal_erosion {
HWY_EXPORT(erode_row);
}

// A thread with fewer cells costs more at the barriers than it saves.
static constexpr std::int64_t min_cells_per_thread = 16384;

void ThermalErosion::openmp(const Params& params, const HostRun& run) {
  using namespace thermal_erosion;  // NOLINT: where HWY_EXPORT put the table
  const Plan plan = plan_of(params);
  const auto out = run.out.image<float>();
  const auto other = take_field<Space::host>(*run.scratch, run.in.shape);
  const ImageView<float> fields[2]{params.iterations % 2 == 0 ? out : other, params.iterations % 2 == 0 ? other : out};
  const int height = out.height;
  const std::int64_t useful_threads = std::max<std::int64_t>(1, run.in.shape.items() / min_cells_per_thread);
  const int team = static_cast<int>(std::min<std::int64_t>(useful_threads, run.threads));
#pragma omp parallel num_threads(team)
  {
    terrain::with_heights(run.in.shape, [&]<class Height>(Height) {
      const auto in = run.in.image<Height>();
#pragma omp for schedule(static)
      for (int y = 0; y < height; ++y)
        std::copy_n(in.row(y), in.width, fields[0].row(y));
    });
    for (int i = 0; i < params.iterations; ++i) {
      // All threads have to reach the same work-sharing loops, so a stop request skips rows and does not leave the
      // loop.
#pragma omp for schedule(static)
      for (int y = 0; y < height; ++y)
        if (!run.stop.stop_requested()) HWY_DYNAMIC_DISPATCH(erode_row)(plan, fields[i % 2], y, fields[1 - i % 2]);
#pragma omp master
      if (run.progress) run.progress->report(static_cast<double>(i + 1) / params.iterations);
    }
  }
}

}  // namespace threadscape
#endif
