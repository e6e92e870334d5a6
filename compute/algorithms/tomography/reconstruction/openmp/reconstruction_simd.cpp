// Lanes of a backprojection are voxels above each other. They are seen in one column of the detector, between two
// columns of pixels, at rows that differ by about one from lane to lane: two vectors of each column hold all that the
// lanes need, and every lane picks its own; only where rows are further apart does it gather.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/tomography/reconstruction/openmp/reconstruction_simd.cpp"
#include <hwy/foreach_target.h>
// clang-format off: must come after foreach_target.h
#include <hwy/highway.h>
// clang-format on

#include "compute/algorithms/tomography/reconstruction/openmp/reconstruction_simd.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::reconstruction {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, most_lanes>;
using Ints = hn::RebindToSigned<Floats>;
using VF = hn::Vec<Floats>;
using VI = hn::Vec<Ints>;

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

/// A column of voxels in one view.
struct ColumnOfView {
  const float *left, *right;  ///< columns of pixels, at row 0
  float between;              ///< how far from the left one to the right one
  float first_row, row, weight;
  int rows, voxels;
  float* sums;
};

/// Each lane's value of two vectors.
HWY_INLINE VF pick(VF near, VF far, VI index) {
  const Floats d;
  const VI last = hn::Set(Ints(), static_cast<int>(hn::Lanes(d)) - 1);
  const auto within = hn::IndicesFromVec(d, hn::And(index, last));
  return hn::IfThenElse(hn::RebindMask(d, hn::Gt(index, last)), hn::TableLookupLanes(far, within),
                        hn::TableLookupLanes(near, within));
}

template <bool gathers>
HWY_INLINE void add_column(const ColumnOfView& job) {
  const Floats d;
  const Ints di;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  const VF between = hn::Set(d, job.between), weight = hn::Set(d, job.weight);
  const VF lowest = hn::Set(d, -1.0f), highest = hn::Set(d, static_cast<float>(job.rows));
  const VF first = hn::Set(d, job.first_row), step = hn::Set(d, job.row);
  const auto mix = [&](VF left, VF right) HWY_ATTR { return hn::MulAdd(between, hn::Sub(right, left), left); };
  VF z = hn::Iota(d, 0.0f);
  for (int at = 0; at < job.voxels; at += lanes) {
    const VF row = hn::Min(hn::Max(hn::MulAdd(z, step, first), lowest), highest);
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

void back_tile(const BackTile& job) {
  const Geometry& geometry = *job.geometry;
  const FilteredLayout layout(geometry);
  const auto lanes = static_cast<double>(hn::Lanes(Floats()));
  for (std::size_t view = 0; view < job.angles.size(); ++view) {
    const float* pixels = job.views + layout.view * view + layout.origin;
    float* sums = job.sums;
    for (int y = job.y0; y < job.y1; ++y)
      for (int x = job.x0; x < job.x1; ++x, sums += job.pitch) {
        const Place place = place_of(geometry, job.angles[view], x, y);
        if (!(place.column > -1 && place.column < geometry.columns)) continue;
        const double column = std::floor(place.column);
        const float* left = pixels + static_cast<std::ptrdiff_t>(column) * layout.pitch;
        const ColumnOfView one{left,
                               left + layout.pitch,
                               static_cast<float>(place.column - column),
                               static_cast<float>(place.first_row),
                               static_cast<float>(place.row),
                               static_cast<float>(place.weight),
                               geometry.rows,
                               geometry.grid.nz,
                               sums};
        // The highest lane's upper row, rounded down from the lowest lane's, has to be in the second vector.
        if (place.row * (lanes - 1) + 2 < 2 * lanes - 1)
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
