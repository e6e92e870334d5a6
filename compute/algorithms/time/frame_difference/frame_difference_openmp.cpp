// The difference of two frames, with all cores and SIMD.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/time/frame_difference/frame_difference_openmp.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "compute/algorithms/time/clip_bands.h"
#include "compute/algorithms/time/clip_rows-inl.h"
#include "compute/algorithms/time/frame_difference/frame_difference.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::frame_difference {
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
    const auto before = load(0), now = load(frames - 1);
    if (plan.mode == Mode::absolute) return clips::HWY_NAMESPACE::distance_of(d, now, before);
    if (plan.mode == Mode::threshold) {
      const auto differs = clips::HWY_NAMESPACE::pixels_that_differ<channels>(
          d, now, before, clips::threshold_of<Value>(plan.threshold));
      return hn::And(differs, hn::Set(d, white<Value>));
    }
    if constexpr (std::is_same_v<Value, float>) {
      return hn::Add(hn::Sub(now, before), hn::Set(d, middle<Value>()));
    } else {
      // At most one of the two differences is not 0, so saturating twice is saturating the signed one.
      const auto raised =
          hn::SaturatedAdd(hn::Set(d, static_cast<Value>(middle<Value>())), hn::SaturatedSub(now, before));
      return hn::SaturatedSub(raised, hn::SaturatedSub(before, now));
    }
  }
#endif
};

void frame_difference_rows(const Plan& plan, const HostIn& frames, const HostOut& out, int y0, int y1) {
  clips::HWY_NAMESPACE::compute_rows(RowOp{plan}, plan, frames, out, y0, y1);
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::frame_difference
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {
namespace frame_difference {
HWY_EXPORT(frame_difference_rows);
}

void FrameDifference::openmp(const Params& params, const HostRun& run) {
  using namespace frame_difference;  // NOLINT: where HWY_EXPORT put the table
  clips::compute_bands(run, params.used(), [&](const HostIn& clip, int y0, int y1) {
    HWY_DYNAMIC_DISPATCH(frame_difference_rows)(plan(params), clip, run.out, y0, y1);
  });
}

}  // namespace threadscape
#endif
