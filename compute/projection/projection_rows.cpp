// The rows of a detector column in SIMD. The lanes of a vector are neighbouring rows: they go through the same columns
// of voxels, at heights that differ by about a voxel from lane to lane. So a step loads one or two vectors of a column
// and every lane picks its value from them; only where heights are further apart does it gather.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/projection/projection_rows.cpp"
#include <hwy/foreach_target.h>
// clang-format off: must come after foreach_target.h
#include <hwy/highway.h>
// clang-format on

#include <algorithm>

#include "compute/projection/projection_rows.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::projection {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, most_lanes>;
using Ints = hn::RebindToSigned<Floats>;
using VF = hn::Vec<Floats>;
using VI = hn::Vec<Ints>;

// Sums of so many steps are added up by themselves: floats lose less.
constexpr int steps_of_sum = 16;

/// How far the heights of a vector's lanes are apart, in vectors.
enum class Reach { one, two, any };

/// The values of a column at the heights of all lanes. The lowest height is in lane 0 of `lowest`.
template <Reach reach, class Load, class Gather>
class Heights {
 public:
  HWY_INLINE Heights(VI lowest, const Load& load, const Gather& gather) : gather_(gather) {
    const int low = hn::GetLane(lowest);
    const int lanes = static_cast<int>(hn::Lanes(Floats()));
    low_ = hn::Set(Ints(), low);
    if constexpr (reach != Reach::any) near_ = load(low);
    if constexpr (reach == Reach::two) far_ = load(low + lanes);
  }
  HWY_INLINE VF at(VI height) const {
    const Floats d;
    const Ints di;
    if constexpr (reach == Reach::any) return gather_(height);
    const VI index = hn::Sub(height, low_);
    if constexpr (reach == Reach::one) return hn::TableLookupLanes(near_, hn::IndicesFromVec(d, index));
    const VI last = hn::Set(di, static_cast<int>(hn::Lanes(d)) - 1);
    const auto within = hn::IndicesFromVec(d, hn::And(index, last));
    return hn::IfThenElse(hn::RebindMask(d, hn::Gt(index, last)), hn::TableLookupLanes(far_, within),
                          hn::TableLookupLanes(near_, within));
  }

 private:
  const Gather& gather_;
  VI low_;
  VF near_ = hn::Zero(Floats()), far_ = hn::Zero(Floats());
};

/// Where the lanes of one vector enter the path: RowHeight::at() of each.
struct Lanes {
  HWY_INLINE Lanes(const ColumnRows& job, int row, double shift) {
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

template <Reach reach>
HWY_INLINE VF exact_sum(const ColumnRows& job, const Lanes& lanes, int row, int first, int last) {
  const Floats d;
  const Indices index(lanes, job.nz);
  const VF fraction = hn::Load(d, lanes.fractions), slope = hn::LoadU(d, job.table.slope + row);
  const VF inverse = hn::LoadU(d, job.table.inverse + row);
  VF z = hn::MulAdd(hn::Set(d, first > 0 ? job.steps[first - 1].end : 0.0f), slope, fraction);
  VF floor = hn::Floor(z);
  VI height = index(floor);
  VF total = hn::Zero(d);
  for (int from = first; from < last; from += steps_of_sum) {
    VF sum = hn::Zero(d);
    for (int s = from; s < std::min(last, from + steps_of_sum); ++s) {
      const ColumnStep& step = job.steps[s];
      const VF next_z = hn::MulAdd(hn::Set(d, step.end), slope, fraction);
      const VF next_floor = hn::Floor(next_z);
      const VI next_height = index(next_floor);
      // The length on this side of the plane that the lane crosses; where it crosses none, both values are the same.
      const VF length = hn::Set(d, step.length);
      const VF to_plane = hn::Mul(hn::Sub(hn::Max(floor, next_floor), z), inverse);
      const VF before = hn::Min(hn::Max(to_plane, hn::Zero(d)), length);
      const float* column = job.columns + column_pitch(job.nz) * step.a + 1;
      const auto load = [&](int at) HWY_ATTR { return hn::LoadU(d, column + at); };
      const auto gather = [&](VI at) HWY_ATTR { return hn::GatherIndex(d, column, at); };
      const Heights<reach, decltype(load), decltype(gather)> values(hn::Min(height, next_height), load, gather);
      sum = hn::MulAdd(values.at(height), before, sum);
      sum = hn::MulAdd(values.at(next_height), hn::Sub(length, before), sum);
      z = next_z;
      floor = next_floor;
      height = next_height;
    }
    total = hn::Add(total, sum);
  }
  return total;
}

template <Reach reach>
HWY_INLINE VF joseph_sum(const ColumnRows& job, const Lanes& lanes, int row, int first, int last) {
  const Floats d;
  const Indices index(lanes, job.nz);
  const VF fraction = hn::Load(d, lanes.fractions), slope = hn::LoadU(d, job.table.slope + row);
  VF total = hn::Zero(d);
  for (int from = first; from < last; from += steps_of_sum) {
    VF sum = hn::Zero(d);
    for (int s = from; s < std::min(last, from + steps_of_sum); ++s) {
      const ColumnStep& step = job.steps[s];
      const VF z = hn::MulAdd(hn::Set(d, step.end), slope, fraction);
      const VF floor = hn::Floor(z);
      // The lower of two heights; both are clamped, since the upper one may be a voxel where the lower one is none.
      const VI height = index(floor);
      const VI above = index(hn::Add(floor, hn::Set(d, 1.0f)));
      const float* a = job.columns + column_pitch(job.nz) * step.a + 1;
      const float* b = job.columns + column_pitch(job.nz) * step.b + 1;
      const VF weight = hn::Set(d, step.length);
      const auto mix = [&](VF from_a, VF from_b)
                           HWY_ATTR { return hn::MulAdd(weight, hn::Sub(from_b, from_a), from_a); };
      const auto load = [&](int at) HWY_ATTR { return mix(hn::LoadU(d, a + at), hn::LoadU(d, b + at)); };
      const auto gather = [&](VI at) HWY_ATTR { return mix(hn::GatherIndex(d, a, at), hn::GatherIndex(d, b, at)); };
      const Heights<reach, decltype(load), decltype(gather)> values(height, load, gather);
      const VF low = values.at(height);
      sum = hn::Add(sum, hn::MulAdd(hn::Sub(z, floor), hn::Sub(values.at(above), low), low));
    }
    total = hn::Add(total, sum);
  }
  return total;
}

/// The steps from the first to behind the last in which a vector of rows may meet the volume.
HWY_INLINE void find_steps(const ColumnRows& job, const Axis& lowest, const Axis& highest, int& first, int& last) {
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

/// The largest difference in height between two lanes of a vector, anywhere on the path.
HWY_INLINE double spread(const ColumnRows& job, const Axis& lowest, const Axis& highest) {
  return std::max(highest.at(job.range.in) - lowest.at(job.range.in),
                  highest.at(job.range.out) - lowest.at(job.range.out));
}

template <bool joseph>
HWY_INLINE void rows_of(const ColumnRows& job) {
  const Floats d;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  for (int row = 0; row < job.rows; row += lanes) {
    const Axis lowest = job.table.z(row), highest = job.table.z(row + lanes - 1);
    int first, last;
    find_steps(job, lowest, highest, first, last);
    VF sum = hn::Zero(d);
    const Lanes own(job, row, joseph ? 0.5 : 0.0);
    // Heights are rounded down, and a step ends up to a voxel from where it began.
    const double reach = spread(job, lowest, highest) + 2.01;
    if constexpr (joseph)
      sum = reach < lanes       ? joseph_sum<Reach::one>(job, own, row, first, last)
            : reach < 2 * lanes ? joseph_sum<Reach::two>(job, own, row, first, last)
                                : joseph_sum<Reach::any>(job, own, row, first, last);
    else
      sum = reach < lanes       ? exact_sum<Reach::one>(job, own, row, first, last)
            : reach < 2 * lanes ? exact_sum<Reach::two>(job, own, row, first, last)
                                : exact_sum<Reach::any>(job, own, row, first, last);
    const VF squared = hn::Add(hn::LoadU(d, job.table.length + row), hn::Set(d, job.flat_length));
    hn::StoreU(hn::Mul(sum, hn::Mul(hn::Sqrt(squared), hn::Set(d, job.scale))), d, job.values + row);
  }
}

void exact_rows(const ColumnRows& job) {
  rows_of<false>(job);
}
void joseph_rows(const ColumnRows& job) {
  rows_of<true>(job);
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::projection
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::projection {

HWY_EXPORT(exact_rows);
HWY_EXPORT(joseph_rows);

void project_rows(Method method, const ColumnRows& job) {
  if (method == Method::joseph)
    HWY_DYNAMIC_DISPATCH(joseph_rows)(job);
  else
    HWY_DYNAMIC_DISPATCH(exact_rows)(job);
}

}  // namespace threadscape::projection
#endif
