// The transpose of projection_rows.cpp. A vector computes the lengths of its rows in a step; they are added to the
// voxels lane by lane, since several rows may pass through the same voxel.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/tomography/projection/openmp/back_rows.cpp"
#include <hwy/foreach_target.h>
// clang-format off: must come after foreach_target.h
#include "compute/algorithms/tomography/projection/openmp/projection_lanes-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace threadscape::projection {
namespace HWY_NAMESPACE {

/// column[at[i]] += value[i] for each lane i, in ascending order.
HWY_INLINE void add_lanes(VI at, VF value, float* column) {
  alignas(64) std::int32_t places[max_lanes];
  alignas(64) float values[max_lanes];
  hn::Store(at, Ints(), places);
  hn::Store(value, Floats(), values);
  for (std::size_t i = 0; i < hn::Lanes(Floats()); ++i)
    column[places[i]] += values[i];
}

/// Adds the values of the rows `row` .. row + lanes - 1 to the voxels on the steps first .. last - 1.
HWY_INLINE void back_vector(const BackRows& job, int row, int first, int last) {
  const Floats d;
  const Lanes lanes(job, row, 0.0);
  const Indices index(lanes, job.nz);
  const VF fraction = hn::Load(d, lanes.fractions), slope = hn::LoadU(d, job.table.slope + row);
  const VF inverse = hn::LoadU(d, job.table.inverse + row);
  const VF squared = hn::Add(hn::LoadU(d, job.table.length + row), hn::Set(d, job.flat_length));
  const VF value = hn::Mul(hn::LoadU(d, job.values + row), hn::Sqrt(squared));
  VF z = hn::MulAdd(hn::Set(d, first > 0 ? job.steps[first - 1].end : 0.0f), slope, fraction);
  VF floor = hn::Floor(z);
  VI height = index(floor);
  for (int s = first; s < last; ++s) {
    const ColumnStep& step = job.steps[s];
    const VF next_z = hn::MulAdd(hn::Set(d, step.end), slope, fraction);
    const VF next_floor = hn::Floor(next_z);
    const VI next_height = index(next_floor);
    const VF length = hn::Set(d, step.length);
    float* column = job.columns + column_pitch(job.nz) * step.a + 1;
    if (hn::AllTrue(Ints(), hn::Eq(height, next_height))) {
      add_lanes(height, hn::Mul(value, length), column);
    } else {
      const VF to_plane = hn::Mul(hn::Sub(hn::Max(floor, next_floor), z), inverse);
      const VF before = hn::Min(hn::Max(to_plane, hn::Zero(d)), length);
      add_lanes(height, hn::Mul(value, before), column);
      add_lanes(next_height, hn::Mul(value, hn::Sub(length, before)), column);
    }
    z = next_z;
    floor = next_floor;
    height = next_height;
  }
}

/// The implementation of back_project_rows() for one instruction set.
void back_rows(const BackRows& job) {
  const auto lanes = static_cast<int>(hn::Lanes(Floats()));
  for (int row = 0; row < job.rows; row += lanes) {
    int first, last;
    find_steps(job, job.z(row), job.z(row + lanes - 1), first, last);
    if (first < last) back_vector(job, row, first, last);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::projection
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::projection {

HWY_EXPORT(back_rows);

void back_project_rows(const BackRows& job) {
  HWY_DYNAMIC_DISPATCH(back_rows)(job);
}

}  // namespace threadscape::projection
#endif
