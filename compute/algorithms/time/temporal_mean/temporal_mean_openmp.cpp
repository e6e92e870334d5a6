// The mean over time, with all cores and SIMD: lanes of 32 bits sum the frames.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/time/temporal_mean/temporal_mean_openmp.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "compute/algorithms/time/clip_bands.h"
#include "compute/algorithms/time/clip_rows-inl.h"
#include "compute/algorithms/time/temporal_mean/temporal_mean.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::temporal_mean {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

struct RowOp {
  static constexpr bool whole_pixels = false;
  template <class Value>
  using Lane = clips::Wide<Value>;

#if HWY_TARGET != HWY_SCALAR
  template <int channels, class D, class Load>
  HWY_INLINE hn::Vec<D> operator()(D d, int frames, const Load& load) const {
    using Value = hn::TFromD<D>;
    const hn::Rebind<float, D> real;
    const auto count = hn::Set(real, static_cast<float>(frames));
    if constexpr (std::is_same_v<Value, float>) {
      const auto newest = load(frames - 1);
      auto sum = hn::Zero(d);
      for (int t = 0; t < frames; ++t)
        sum = hn::Add(sum, load(t));
      const auto mean = hn::Div(sum, count), error = hn::Set(d, flat_error(frames));
      const auto flat = hn::Lt(hn::Abs(hn::Sub(mean, newest)), hn::Mul(error, hn::Abs(newest)));
      return hn::IfThenElse(flat, newest, mean);
    } else {
      const hn::Rebind<std::int32_t, D> wide;
      auto sum = hn::Set(wide, frames / 2);
      for (int t = 0; t < frames; ++t)
        sum = hn::Add(sum, hn::PromoteTo(wide, load(t)));
      // Sums are below 2^23, so they are floats exactly. A quotient that the division has rounded across an integer is
      // off by one, which the remainder shows.
      const auto divisor = hn::Set(wide, frames);
      auto quotient = hn::ConvertTo(wide, hn::Div(hn::ConvertTo(real, sum), count));
      const auto rest = hn::Sub(sum, hn::Mul(quotient, divisor));
      quotient = hn::Sub(quotient, hn::VecFromMask(wide, hn::Gt(rest, hn::Set(wide, frames - 1))));
      quotient = hn::Add(quotient, hn::VecFromMask(wide, hn::Gt(hn::Zero(wide), rest)));
      return hn::DemoteTo(d, quotient);
    }
  }
#endif
};

void temporal_mean_rows(const Plan& plan, const HostIn& frames, const HostOut& out, int y0, int y1) {
  clips::HWY_NAMESPACE::compute_rows(RowOp{}, plan, frames, out, y0, y1);
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::temporal_mean
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {
namespace temporal_mean {
HWY_EXPORT(temporal_mean_rows);
}

void TemporalMean::openmp(const Params& params, const HostRun& run) {
  using namespace temporal_mean;  // NOLINT: where HWY_EXPORT put the table
  clips::compute_bands(run, params.used(), [&](const HostIn& clip, int y0, int y1) {
    HWY_DYNAMIC_DISPATCH(temporal_mean_rows)(plan(params), clip, run.out, y0, y1);
  });
}

}  // namespace threadscape
#endif
