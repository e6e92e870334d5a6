// The rows of a detector column in SIMD. The lanes of a vector are neighbouring rows: they go through the same columns
// of voxels, at heights that differ by about a voxel from lane to lane. So a step loads one or two vectors of a column
// and every lane picks its value from them; only where heights are further apart does it gather.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/tomography/projection/openmp/projection_rows.cpp"
#include <hwy/foreach_target.h>
// clang-format off: must come after foreach_target.h
#include "compute/algorithms/tomography/projection/openmp/projection_lanes-inl.h"
// clang-format on

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace threadscape::projection {
namespace HWY_NAMESPACE {

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
