// Rows of a detector column as the lanes of a vector: where they are on their path. Included by projection_rows.cpp and
// back_rows.cpp, once per instruction set.

#if defined(TS_PROJECTION_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_PROJECTION_LANES_INL_H_
#undef TS_PROJECTION_LANES_INL_H_
#else
#define TS_PROJECTION_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "compute/algorithms/tomography/projection/openmp/projection_rows.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::projection {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, most_lanes>;
using Ints = hn::RebindToSigned<Floats>;
using VF = hn::Vec<Floats>;
using VI = hn::Vec<Ints>;

/// Where the lanes of one vector enter the path: RowHeight::at() of each.
struct Lanes {
  HWY_INLINE Lanes(const PathRows& job, int row, double shift) {
    const hn::CappedTag<double, most_lanes / 2> d;
    const hn::Rebind<float, decltype(d)> narrow;
    const hn::Rebind<std::int32_t, decltype(d)> narrow_int;
    const auto limit = hn::Set(d, RowHeight::height_limit), alpha = hn::Set(d, job.range.in);
    for (std::size_t i = 0; i < hn::Lanes(Floats()); i += hn::Lanes(d)) {
      const auto from = static_cast<std::size_t>(row) + i;
      const auto moved = hn::Mul(alpha, hn::LoadU(d, job.table.direction + from));
      const auto z = hn::Sub(hn::Add(hn::LoadU(d, job.table.origin + from), moved), hn::Set(d, shift));
      const auto height = hn::Max(hn::Min(z, limit), hn::Neg(limit)), floor = hn::Floor(height);
      hn::Store(hn::DemoteTo(narrow_int, floor), narrow_int, bases + i);
      hn::Store(hn::Min(hn::DemoteTo(narrow, hn::Sub(height, floor)), hn::Set(narrow, RowHeight::largest_fraction)),
                narrow, fractions + i);
    }
  }
  alignas(64) std::int32_t bases[most_lanes];
  alignas(64) float fractions[most_lanes];
};

/// From heights above the entry, rounded down, to indices into a column: -1..nz, the ends being zeros.
class Indices {
 public:
  HWY_INLINE Indices(const Lanes& lanes, int nz) {
    const Floats d;
    const VI base = hn::Load(Ints(), lanes.bases);
    lowest_ = hn::ConvertTo(d, hn::Sub(hn::Set(Ints(), -1), base));
    highest_ = hn::ConvertTo(d, hn::Sub(hn::Set(Ints(), nz), base));
    base_ = hn::Sub(base, hn::BitCast(Ints(), hn::Set(d, shifter)));
  }
  HWY_INLINE VI operator()(VF floor) const {
    // Whole floats below 2^22 are the low bits of their sum with 1.5 * 2^23: two instructions less than a conversion.
    const Floats d;
    const VF clamped = hn::Min(hn::Max(floor, lowest_), highest_);
    return hn::Add(hn::BitCast(Ints(), hn::Add(clamped, hn::Set(d, shifter))), base_);
  }

 private:
  static constexpr float shifter = 12582912.0f;
  VF lowest_, highest_;
  VI base_;
};

/// The steps from the first to behind the last in which a vector of rows may meet the volume.
HWY_INLINE void find_steps(const PathRows& job, const Axis& lowest, const Axis& highest, int& first, int& last) {
  AlphaRange range = job.range;
  clip(range, highest, -1.0, 1e30);
  clip(range, lowest, -1e30, job.nz + 1.0);
  first = 0;
  last = range.empty() ? 0 : job.count;
  if (range.empty()) return;
  const auto before = [&](double alpha) {
    const auto relative = static_cast<float>(alpha - job.range.in);
    return static_cast<int>(std::partition_point(job.steps, job.steps + job.count,
                                                 [&](const ColumnStep& step) { return step.end < relative; }) -
                            job.steps);
  };
  if (range.in > job.range.in) first = before(range.in);
  if (range.out < job.range.out) last = std::min(job.count, before(range.out) + 1);
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::projection
HWY_AFTER_NAMESPACE();

#endif
