// The running background, with all cores and SIMD: lanes of 32 bits follow the frames.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/time/running_background/running_background_openmp.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "compute/algorithms/time/clip_bands.h"
#include "compute/algorithms/time/clip_rows-inl.h"
#include "compute/algorithms/time/running_background/running_background.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::running_background {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

struct RowOp {
  static constexpr bool whole_pixels = true;
  Plan plan;

  template <class Value>
  using Lane = clips::Wide<Value>;

#if HWY_TARGET != HWY_SCALAR
  /// Plan::begun() on lanes.
  template <class D>
  HWY_INLINE auto begun(D, hn::Vec<D> value) const {
    using Value = hn::TFromD<D>;
    if constexpr (std::is_same_v<Value, float>)
      return value;
    else
      return hn::ShiftLeft<fraction<Value>>(hn::PromoteTo(hn::Rebind<std::int32_t, D>(), value));
  }

  template <int channels, class D, class Load>
  HWY_INLINE hn::Vec<D> operator()(D d, int frames, const Load& load) const {
    using Value = hn::TFromD<D>;
    const hn::Rebind<clips::Wide<Value>, D> wide;
    const auto alpha = hn::Set(wide, std::is_same_v<Value, float>
                                         ? static_cast<clips::Wide<Value>>(static_cast<float>(plan.alpha) / 256.0f)
                                         : static_cast<clips::Wide<Value>>(plan.alpha));
    const int end = plan.show == Show::foreground ? frames - 1 : frames;
    auto background = begun(d, load(0));
    for (int t = 1; t < end; ++t) {
      const auto difference = hn::Sub(begun(d, load(t)), background);
      if constexpr (std::is_same_v<Value, float>)
        background = hn::Add(background, hn::Mul(alpha, difference));
      else
        background = hn::Add(background, hn::ShiftRight<8>(hn::Add(hn::Mul(difference, alpha), hn::Set(wide, 128))));
    }
    const auto still = pixels_of(d, background);
    if (plan.show == Show::background) return still;
    const auto differs = clips::HWY_NAMESPACE::pixels_that_differ<channels>(d, load(frames - 1), still,
                                                                            clips::threshold_of<Value>(plan.threshold));
    return hn::And(differs, hn::Set(d, white<Value>));
  }

 private:
  /// Plan::pixel_of() on lanes.
  template <class D, class V>
  HWY_INLINE hn::Vec<D> pixels_of(D d, V background) const {
    using Value = hn::TFromD<D>;
    if constexpr (std::is_same_v<Value, float>) {
      return background;
    } else {
      const hn::Rebind<std::int32_t, D> wide;
      const auto half = hn::Set(wide, 1 << (fraction<Value> - 1));
      return hn::DemoteTo(d, hn::ShiftRight<fraction<Value>>(hn::Add(background, half)));
    }
  }
#endif
};

void running_background_rows(const Plan& plan, const HostIn& frames, const HostOut& out, int y0, int y1) {
  clips::HWY_NAMESPACE::compute_rows(RowOp{plan}, plan, frames, out, y0, y1);
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::running_background
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {
namespace running_background {
HWY_EXPORT(running_background_rows);
}

void RunningBackground::openmp(const Params& params, const HostRun& run) {
  using namespace running_background;  // NOLINT: where HWY_EXPORT put the table
  clips::compute_bands(run, params.used(), [&](const HostIn& clip, int y0, int y1) {
    HWY_DYNAMIC_DISPATCH(running_background_rows)(plan(params), clip, run.out, y0, y1);
  });
}

}  // namespace threadscape
#endif
