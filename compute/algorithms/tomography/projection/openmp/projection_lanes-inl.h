// Heights of the rays of a vector on their common path; the lanes of a vector are rows of one detector column. Included
// by projection_rows.cpp and back_rows.cpp, once per instruction set.
//
//   lane i = row + i      z(alpha) = bases[i] + (fractions[i] + slope[i] * alpha)
//
//        z |        __--  lane 3        At each step end the lanes compute floor(fractions + slope * alpha), clamp it
//        to
//          |    __--  __-- lane 2       the column and add `bases`: that is the index of the voxel that each lane is
//          in.
//          |__--  __--  __-- lane 1
//          |  __--  __--  __-- lane 0
//          +--------------------> alpha

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

using Floats = hn::CappedTag<float, max_lanes>;
using Ints = hn::RebindToSigned<Floats>;
using VF = hn::Vec<Floats>;
using VI = hn::Vec<Ints>;

/// Heights at which the lanes of one vector enter the path: RowHeight::at() for each of them.
struct Lanes {
  HWY_INLINE Lanes(const PathRows& job, int row, double shift) {
    const hn::CappedTag<double, max_lanes / 2> d;
    const hn::Rebind<float, decltype(d)> narrow;
    const hn::Rebind<std::int32_t, decltype(d)> narrow_int;
    const double below = shift - job.lift;
    const auto limit = hn::Set(d, RowHeight::height_limit), alpha = hn::Set(d, job.range.in);
    for (std::size_t i = 0; i < hn::Lanes(Floats()); i += hn::Lanes(d)) {
      const auto from = static_cast<std::size_t>(row) + i;
      const auto moved = hn::Mul(alpha, hn::LoadU(d, job.table.direction + from));
      const auto z = hn::Sub(hn::Add(hn::LoadU(d, job.table.origin + from), moved), hn::Set(d, below));
      const auto height = hn::Max(hn::Min(z, limit), hn::Neg(limit)), floor = hn::Floor(height);
      hn::Store(hn::DemoteTo(narrow_int, floor), narrow_int, bases + i);
      hn::Store(hn::Min(hn::DemoteTo(narrow, hn::Sub(height, floor)), hn::Set(narrow, RowHeight::max_fraction)), narrow,
                fractions + i);
    }
  }
  alignas(64) std::int32_t bases[max_lanes];
  alignas(64) float fractions[max_lanes];
};

/// Converts heights relative to the entry, rounded down, to indices into a column of voxels, clamped to -1..nz: index
/// -1 and index nz are the zeros below and above the column.
class Indices {
 public:
  HWY_INLINE Indices(const Lanes& lanes, int nz) {
    const Floats d;
    const VI base = hn::Load(Ints(), lanes.bases);
    min_floor_ = hn::ConvertTo(d, hn::Sub(hn::Set(Ints(), -1), base));
    max_floor_ = hn::ConvertTo(d, hn::Sub(hn::Set(Ints(), nz), base));
    base_ = hn::Sub(base, hn::BitCast(Ints(), hn::Set(d, float_to_int_bias)));
  }
  HWY_INLINE VI operator()(VF floor) const {
    // An integral float below 2^22 appears in the low bits of its sum with 1.5 * 2^23. That saves two instructions of a
    // conversion.
    const Floats d;
    const VF clamped = hn::Min(hn::Max(floor, min_floor_), max_floor_);
    return hn::Add(hn::BitCast(Ints(), hn::Add(clamped, hn::Set(d, float_to_int_bias))), base_);
  }

 private:
  static constexpr float float_to_int_bias = 12582912.0f;
  VF min_floor_, max_floor_;
  VI base_;
};

/// Sets first and last so that the steps first .. last - 1 contain all in which a vector of rows may be in the volume.
/// `lowest_row` and `highest_row` are the z coordinates of its first and last lane.
HWY_INLINE void find_steps(const PathRows& job, const Axis& lowest_row, const Axis& highest_row, int& first,
                           int& last) {
  AlphaRange range = job.range;
  clip(range, highest_row, -1.0, 1e30);
  clip(range, lowest_row, -1e30, job.nz + 1.0);
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
