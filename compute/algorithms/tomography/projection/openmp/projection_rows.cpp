// The rows of a detector column in SIMD. The lanes of a vector are neighbouring rows: their rays pass through the same
// columns of voxels, at heights that differ by about a voxel from lane to lane. A step therefore loads one or two
// vectors of a column, and every lane selects its voxel from them; only where the heights are further apart does a step
// gather.
//
//   column of voxels   .. | v4 v5 v6 v7 | v8 v9 va vb | ..      near_ = load(4), far_ = load(8)
//   heights of the lanes       5  6  8  9                        lane i gets v[height[i]] by a table lookup
//   result                    v5 v6 v8 v9

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

// Number of steps whose products are summed to a partial result. Adding partial results separately reduces the rounding
// error of long sums.
constexpr int steps_per_partial_sum = 16;

/// In how many vectors of a column the voxels of all lanes lie.
enum class Reach { one, two, any };

/// The values of a column at the heights of all lanes. Lane 0 of `lowest` is the minimum of all heights. load(i)
/// returns the vector that starts at index i, gather(indices) the elements at the indices.
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

/// The sums of a vector of rows over the steps first .. last - 1 of an ExactPath, without the length of the rays.
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
  for (int from = first; from < last; from += steps_per_partial_sum) {
    VF sum = hn::Zero(d);
    for (int s = from; s < std::min(last, from + steps_per_partial_sum); ++s) {
      const ColumnStep& step = job.steps[s];
      const VF next_z = hn::MulAdd(hn::Set(d, step.end), slope, fraction);
      const VF next_floor = hn::Floor(next_z);
      const VI next_height = index(next_floor);
      // The length before the plane along z that the lane crosses in the step. If it crosses none, both voxels are the
      // same one, and it does not matter how the length is divided between them.
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

/// The sums of a vector of rows over the samples first .. last - 1 of a JosephPath, without the distance of samples.
template <Reach reach>
HWY_INLINE VF joseph_sum(const ColumnRows& job, const Lanes& lanes, int row, int first, int last) {
  const Floats d;
  const Indices index(lanes, job.nz);
  const VF fraction = hn::Load(d, lanes.fractions), slope = hn::LoadU(d, job.table.slope + row);
  VF total = hn::Zero(d);
  for (int from = first; from < last; from += steps_per_partial_sum) {
    VF sum = hn::Zero(d);
    for (int s = from; s < std::min(last, from + steps_per_partial_sum); ++s) {
      const ColumnStep& step = job.steps[s];
      const VF z = hn::MulAdd(hn::Set(d, step.end), slope, fraction);
      const VF floor = hn::Floor(z);
      // The indices of the voxels below and above are clamped separately: one of them may be outside of the volume.
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

/// The maximum difference in height between two lanes of a vector, anywhere on the path.
HWY_INLINE double spread(const ColumnRows& job, const Axis& lowest_row, const Axis& highest_row) {
  return std::max(highest_row.at(job.range.in) - lowest_row.at(job.range.in),
                  highest_row.at(job.range.out) - lowest_row.at(job.range.out));
}

/// The values of all rows of a detector column.
template <bool joseph>
HWY_INLINE void rows_of(const ColumnRows& job) {
  const Floats d;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  for (int row = 0; row < job.rows; row += lanes) {
    const Axis lowest_row = job.z(row), highest_row = job.z(row + lanes - 1);
    int first, last;
    find_steps(job, lowest_row, highest_row, first, last);
    VF sum = hn::Zero(d);
    const Lanes own(job, row, joseph ? 0.5 : 0.0);
    // Rounding heights down, and the voxel that a ray may rise or fall within a step, add up to two voxels.
    const double reach = spread(job, lowest_row, highest_row) + 2.01;
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
