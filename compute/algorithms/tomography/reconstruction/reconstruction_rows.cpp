// The lanes of a backprojection are neighbouring voxels along x. Their positions on the detector are computed once for
// all voxels of their columns. Since positions are clamped to the zeros around the view, no pixel is checked.
//
//   lanes      voxel x+0   x+1   x+2   x+3      of the row (y, z)
//   column           5.2   5.9   6.6   7.3      gathered: the pixels at floor(column) and the ones to their right

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/tomography/reconstruction/reconstruction_rows.cpp"
#include <hwy/foreach_target.h>
// clang-format off: must come after foreach_target.h
#include "compute/algorithms/tomography/reconstruction/reconstruction_positions-inl.h"
// clang-format on

#include <algorithm>

#include "compute/algorithms/tomography/reconstruction/reconstruction_rows.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::reconstruction {
namespace HWY_NAMESPACE {

using Doubles = hn::CappedTag<double, row_chunk / 4>;
using VD = hn::Vec<Doubles>;
using Indices = hn::RebindToSigned<Doubles>;

/// The implementation of convolve_row() for one instruction set: four vectors of results stay in registers.
void convolve_doubles(const double* from, int n, const double* taps, double* to) {
  const Doubles d;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  for (int j = 0; j < n; j += 4 * lanes) {
    VD sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    for (int k = 0; k < n; ++k) {
      const VD value = hn::Set(d, from[k]);
      for (int i = 0; i < 4; ++i)
        sums[i] = hn::Add(sums[i], hn::Mul(hn::LoadU(d, taps + (j - k + i * lanes)), value));
    }
    alignas(64) double results[row_chunk];
    for (int i = 0; i < 4; ++i)
      hn::Store(sums[i], d, results + static_cast<std::ptrdiff_t>(i) * lanes);
    std::copy_n(results, std::min(4 * lanes, n - j), to + j);
  }
}

/// The whole number in each lane, of less than 51 bits, as an integer.
HWY_INLINE hn::Vec<Indices> index_of(VD whole) {
  const Doubles d;
  const Indices di;
  const VD shift = hn::Set(d, 0x1.8p52);  // The low bits of a sum with it are the number.
  return hn::Sub(hn::BitCast(di, hn::Add(whole, shift)), hn::BitCast(di, shift));
}

/// The implementation of back_project_layer() for one instruction set.
int back_layer(const Geometry& geometry, const ViewAngle& angle, const double* pixels, int y, double* voxels) {
  const Doubles d;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  const int nx = geometry.grid.nx, nz = geometry.grid.nz, row_pitch = PaddedRows(geometry).pitch;
  const VD one = hn::Set(d, 1.0), outside = hn::Set(d, -1.0), rows = hn::Set(d, static_cast<double>(geometry.rows));
  const VD pitch = hn::Set(d, static_cast<double>(row_pitch));
  int x = 0;
  for (; x + lanes <= nx; x += lanes) {
    const RowPositions<Doubles> position = row_positions(d, geometry, angle, x, y);
    const VD column = hn::Floor(position.column);
    const VD right = hn::Sub(position.column, column), left = hn::Sub(one, right);
    for (int z = 0; z < nz; ++z) {
      const VD at = hn::Add(position.first_row, hn::Mul(hn::Set(d, static_cast<double>(z)), position.row));
      const auto seen = hn::And(hn::Gt(at, outside), hn::Lt(at, rows));
      if (hn::AllFalse(d, seen)) continue;
      const VD height = hn::IfThenElse(seen, at, outside), row = hn::Floor(height);
      const VD upper = hn::Sub(height, row);
      const auto index = index_of(hn::Add(hn::Mul(row, pitch), column));
      const auto between = [&](const double* from) HWY_ATTR {
        return hn::Add(hn::Mul(left, hn::GatherIndex(d, from, index)),
                       hn::Mul(right, hn::GatherIndex(d, from + 1, index)));
      };
      VD value = hn::Mul(hn::Sub(one, upper), between(pixels));
      // Rows of voxels at the height of pixels, as those of slices are, need no values of the row above.
      if (!hn::AllTrue(d, hn::Eq(upper, hn::Zero(d))))
        value = hn::Add(value, hn::Mul(upper, between(pixels + row_pitch)));
      double* const sums = voxels + x + static_cast<std::ptrdiff_t>(z) * nx;
      hn::StoreU(hn::Add(hn::LoadU(d, sums), hn::Mul(position.weight, value)), d, sums);
    }
  }
  return x;
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::reconstruction
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::reconstruction {

HWY_EXPORT(convolve_doubles);
HWY_EXPORT(back_layer);

void convolve_row(const double* from, int n, const double* taps, double* to) {
  HWY_DYNAMIC_DISPATCH(convolve_doubles)(from, n, taps, to);
}
int back_project_layer(const Geometry& geometry, const ViewAngle& angle, const double* pixels, int y, double* voxels) {
  return HWY_DYNAMIC_DISPATCH(back_layer)(geometry, angle, pixels, y, voxels);
}

}  // namespace threadscape::reconstruction
#endif
