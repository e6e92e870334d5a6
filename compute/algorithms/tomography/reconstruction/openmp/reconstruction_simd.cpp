// The lanes of a backprojection are the voxels of a column along z. They project between two neighbouring columns of
// pixels, at rows that differ by about one from lane to lane. Two vectors of each column therefore contain the pixels
// of all lanes, and every lane selects its own; only where the rows are further apart does the kernel gather.
//
//   lanes              voxel z+0   z+1   z+2   z+3          of the column (x, y)
//   row                     5.2    6.3   7.4   8.5          first_row + z * row
//   left, right        | p4 p5 p6 p7 | p8 p9 pa pb |        mixed by `between`, then selected at floor(row) and + 1
//   result             low + (row - floor(row)) * (high - low), times the weight, added to the sums of the column
//
// In a volume of few layers along z most of such lanes would be idle. There the lanes are neighbours along x, whose
// pixels are gathered.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/tomography/reconstruction/openmp/reconstruction_simd.cpp"
#include <hwy/foreach_target.h>
// clang-format off: must come after foreach_target.h
#include "compute/algorithms/tomography/reconstruction/reconstruction_positions-inl.h"
// clang-format on

#include "compute/algorithms/tomography/reconstruction/openmp/reconstruction_simd.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::reconstruction {
namespace HWY_NAMESPACE {

using Floats = hn::CappedTag<float, max_lanes>;
using Ints = hn::RebindToSigned<Floats>;
using VF = hn::Vec<Floats>;
using VI = hn::Vec<Ints>;
using HalfDoubles = hn::Repartition<double, Floats>;  // Half as many lanes, but at least one.

/// The implementation of add_convolved() for one instruction set: four vectors of outputs stay in registers.
void convolve(const float* from, int count, const float* taps, int n, float* to) {
  const Floats d;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  for (int j = 0; j < n; j += 4 * lanes) {
    VF a = hn::LoadU(d, to + j), b = hn::LoadU(d, to + j + lanes);
    VF c = hn::LoadU(d, to + j + 2 * lanes), e = hn::LoadU(d, to + j + 3 * lanes);
    for (int k = 0; k < count; ++k) {
      const VF value = hn::Set(d, from[k]);
      const float* tap = taps + (j - k);
      a = hn::MulAdd(value, hn::LoadU(d, tap), a);
      b = hn::MulAdd(value, hn::LoadU(d, tap + lanes), b);
      c = hn::MulAdd(value, hn::LoadU(d, tap + 2 * lanes), c);
      e = hn::MulAdd(value, hn::LoadU(d, tap + 3 * lanes), e);
    }
    hn::StoreU(a, d, to + j);
    hn::StoreU(b, d, to + j + lanes);
    hn::StoreU(c, d, to + j + 2 * lanes);
    hn::StoreU(e, d, to + j + 3 * lanes);
  }
}

/// The backprojection of one view onto one column of voxels.
struct ColumnOfView {
  const float *left, *right;     ///< The columns of pixels between which the voxels project, at row 0.
  float between;                 ///< Interpolation weight of the right column, 0..1.
  float first_row, row, weight;  ///< See DetectorPosition.
  int rows;                      ///< Rows of the detector.
  int voxels;                    ///< Number of voxels in the column.
  float* sums;                   ///< The voxels, which are added to.
};

/// Selects for each lane element `index` of the two vectors: of `near` if index < lanes, else of `far`.
HWY_INLINE VF pick(VF near, VF far, VI index) {
  const Floats d;
  const VI last = hn::Set(Ints(), static_cast<int>(hn::Lanes(d)) - 1);
  const auto within = hn::IndicesFromVec(d, hn::And(index, last));
  return hn::IfThenElse(hn::RebindMask(d, hn::Gt(index, last)), hn::TableLookupLanes(far, within),
                        hn::TableLookupLanes(near, within));
}

/// Adds one view to a column of voxels. Without `gathers` the pixels of a vector of voxels must lie in two vectors.
template <bool gathers>
HWY_INLINE void add_column(const ColumnOfView& job) {
  const Floats d;
  const Ints di;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  const VF between = hn::Set(d, job.between), weight = hn::Set(d, job.weight);
  const VF min_row = hn::Set(d, -1.0f), max_row = hn::Set(d, static_cast<float>(job.rows));
  const VF first = hn::Set(d, job.first_row), step = hn::Set(d, job.row);
  const auto mix = [&](VF left, VF right) HWY_ATTR { return hn::MulAdd(between, hn::Sub(right, left), left); };
  VF z = hn::Iota(d, 0.0f);
  for (int at = 0; at < job.voxels; at += lanes) {
    const VF row = hn::Min(hn::Max(hn::MulAdd(z, step, first), min_row), max_row);
    const VF floor = hn::Floor(row);
    const VI index = hn::ConvertTo(di, floor);
    VF low, high;
    if constexpr (gathers) {
      const VI next = hn::Add(index, hn::Set(di, 1));
      low = mix(hn::GatherIndex(d, job.left, index), hn::GatherIndex(d, job.right, index));
      high = mix(hn::GatherIndex(d, job.left, next), hn::GatherIndex(d, job.right, next));
    } else {
      const int base = hn::GetLane(index);
      const VF near = mix(hn::LoadU(d, job.left + base), hn::LoadU(d, job.right + base));
      const VF far = mix(hn::LoadU(d, job.left + base + lanes), hn::LoadU(d, job.right + base + lanes));
      const VI own = hn::Sub(index, hn::Set(di, base));
      low = pick(near, far, own);
      high = pick(near, far, hn::Add(own, hn::Set(di, 1)));
    }
    const VF value = hn::MulAdd(hn::Sub(row, floor), hn::Sub(high, low), low);
    hn::StoreU(hn::MulAdd(weight, value, hn::LoadU(d, job.sums + at)), d, job.sums + at);
    z = hn::Add(z, hn::Set(d, static_cast<float>(lanes)));
  }
}

/// A vector of floats or of ints, whose tag is D, from two of doubles.
template <class D>
HWY_INLINE hn::Vec<D> joined([[maybe_unused]] D d, hn::Vec<HalfDoubles> lower,
                             [[maybe_unused]] hn::Vec<HalfDoubles> upper) {
  const hn::Rebind<hn::TFromD<D>, HalfDoubles> half;
#if HWY_TARGET == HWY_SCALAR
  return hn::DemoteTo(half, lower);  // Vectors of both have one lane.
#else
  return hn::Combine(d, hn::DemoteTo(half, upper), hn::DemoteTo(half, lower));
#endif
}

/// Adds one view to the columns of voxels (x, y), (x + 1, y) and so on, a lane for each. `pixels` is the pixel (0, 0)
/// of the view, and `sums` the voxel z = 0 of the first column.
HWY_INLINE void add_columns(const BackTile& job, const ViewAngle& angle, const float* pixels, int x, int y,
                            float* sums) {
  const Floats d;
  const HalfDoubles dd;
  const Ints di;
  const Geometry& geometry = *job.geometry;
  const int pitch = FilteredLayout(geometry).pitch;
  const auto lower = row_positions(dd, geometry, angle, x, y);
  const auto upper = row_positions(dd, geometry, angle, x + static_cast<int>(hn::Lanes(dd)), y);
  const auto lower_column = hn::Floor(lower.column), upper_column = hn::Floor(upper.column);
  const VF between = joined(d, hn::Sub(lower.column, lower_column), hn::Sub(upper.column, upper_column));
  const VI column = hn::Mul(joined(di, lower_column, upper_column), hn::Set(di, pitch));
  const VF first = joined(d, lower.first_row, upper.first_row), step = joined(d, lower.row, upper.row);
  const VF weight = joined(d, lower.weight, upper.weight);
  const VF min_row = hn::Set(d, -1.0f), max_row = hn::Set(d, static_cast<float>(geometry.rows));
  for (int z = 0; z < geometry.grid.nz; ++z, sums += job.pitch) {
    const VF row = hn::Min(hn::Max(hn::MulAdd(hn::Set(d, static_cast<float>(z)), step, first), min_row), max_row);
    const VF floor = hn::Floor(row), rest = hn::Sub(row, floor);
    const VI index = hn::Add(column, hn::ConvertTo(di, floor));
    const auto mixed = [&](const float* from) HWY_ATTR {
      const VF left = hn::GatherIndex(d, from, index), right = hn::GatherIndex(d, from + pitch, index);
      return hn::MulAdd(between, hn::Sub(right, left), left);
    };
    VF value = mixed(pixels);
    // Voxels at the height of pixels, as those of slices are, need no values of the row above.
    if (!hn::AllTrue(d, hn::Eq(rest, hn::Zero(d)))) value = hn::MulAdd(rest, hn::Sub(mixed(pixels + 1), value), value);
    hn::StoreU(hn::MulAdd(weight, value, hn::LoadU(d, sums)), d, sums);
  }
}

/// back_project_tile() with lanes along x.
void back_tile_along_x(const BackTile& job) {
  const FilteredLayout layout(*job.geometry);
  const auto lanes = static_cast<int>(hn::Lanes(Floats()));
  for (std::size_t view = 0; view < job.angles.size(); ++view) {
    const float* pixels = job.views + layout.view * view + layout.origin;
    float* sums = job.sums;
    for (int y = job.y0; y < job.y1; ++y, sums += static_cast<std::ptrdiff_t>(job.geometry->grid.nz) * job.pitch)
      for (int x = job.x0; x < job.x1; x += lanes)
        add_columns(job, job.angles[view], pixels, x, y, sums + (x - job.x0));
  }
}

/// The implementation of back_project_tile() for one instruction set.
void back_tile(const BackTile& job) {
  if (job.along_x) return back_tile_along_x(job);
  const Geometry& geometry = *job.geometry;
  const FilteredLayout layout(geometry);
  const auto lanes = static_cast<double>(hn::Lanes(Floats()));
  for (std::size_t view = 0; view < job.angles.size(); ++view) {
    const float* pixels = job.views + layout.view * view + layout.origin;
    float* sums = job.sums;
    for (int y = job.y0; y < job.y1; ++y)
      for (int x = job.x0; x < job.x1; ++x, sums += job.pitch) {
        const DetectorPosition position = detector_position(geometry, job.angles[view], x, y);
        if (!(position.column > -1 && position.column < geometry.columns)) continue;
        const double column = std::floor(position.column);
        const float* left = pixels + static_cast<std::ptrdiff_t>(column) * layout.pitch;
        const ColumnOfView one{left,
                               left + layout.pitch,
                               static_cast<float>(position.column - column),
                               static_cast<float>(position.first_row),
                               static_cast<float>(position.row),
                               static_cast<float>(position.weight),
                               geometry.rows,
                               geometry.grid.nz,
                               sums};
        // Without gathers, the upper row of the last lane has to lie within two vectors of the row of the first lane.
        if (position.row * (lanes - 1) + 2 < 2 * lanes - 1)
          add_column<false>(one);
        else
          add_column<true>(one);
      }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::reconstruction
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::reconstruction {

HWY_EXPORT(convolve);
HWY_EXPORT(back_tile);

void add_convolved(const float* from, int count, const float* taps, int n, float* to) {
  HWY_DYNAMIC_DISPATCH(convolve)(from, count, taps, n, to);
}
void back_project_tile(const BackTile& job) {
  HWY_DYNAMIC_DISPATCH(back_tile)(job);
}

}  // namespace threadscape::reconstruction
#endif
