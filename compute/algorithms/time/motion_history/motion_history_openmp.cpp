// The history of motion, with all cores and SIMD: from the oldest pair of frames to the newest, a later motion replaces
// an earlier one.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/time/motion_history/motion_history_openmp.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "compute/algorithms/time/clip_bands.h"
#include "compute/algorithms/time/clip_rows-inl.h"
#include "compute/algorithms/time/motion_history/motion_history.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::motion_history {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

struct RowOp {
  static constexpr bool whole_pixels = true;
  Plan plan;

  template <class Value>
  using Lane = Value;

#if HWY_TARGET != HWY_SCALAR
  template <int channels, class D, class Load>
  HWY_INLINE hn::Vec<D> operator()(D d, int frames, const Load& load) const {
    using Value = hn::TFromD<D>;
    const auto threshold = clips::threshold_of<Value>(plan.threshold);
    auto before = load(0), result = hn::Zero(d);
    for (int t = 1; t < frames; ++t) {
      const auto now = load(t);
      const auto moves = clips::HWY_NAMESPACE::pixels_that_differ<channels>(d, now, before, threshold);
      result =
          hn::Or(hn::And(moves, hn::Set(d, plan.template level<Value>(frames - 1 - t))), hn::AndNot(moves, result));
      before = now;
    }
    return result;
  }
#endif
};

void motion_history_rows(const Plan& plan, const HostIn& frames, const HostOut& out, int y0, int y1) {
  clips::HWY_NAMESPACE::compute_rows(RowOp{plan}, plan, frames, out, y0, y1);
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::motion_history
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {
namespace motion_history {
HWY_EXPORT(motion_history_rows);
}

void MotionHistory::openmp(const Params& params, const HostRun& run) {
  using namespace motion_history;  // NOLINT: where HWY_EXPORT put the table
  clips::compute_bands(run, params.used(), [&](const HostIn& clip, int y0, int y1) {
    HWY_DYNAMIC_DISPATCH(motion_history_rows)(plan(params), clip, run.out, y0, y1);
  });
}

}  // namespace threadscape
#endif
