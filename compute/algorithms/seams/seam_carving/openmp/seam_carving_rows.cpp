// Rows of energies and of costs with SIMD: the operations of seam_carving_math.h, one pixel per lane.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/seams/seam_carving/openmp/seam_carving_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "compute/algorithms/seams/seam_carving/openmp/seam_carving_openmp.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::seam_carving {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Ints = hn::ScalableTag<std::int32_t>;
using V = hn::Vec<Floats>;

/// Ranks of as many pixels as a vector has lanes.
HWY_INLINE hn::Vec<Ints> ranks_of(const Mark* marks) {
  const Ints d;
  const hn::Rebind<std::uint8_t, Ints> bytes;
  const auto mark = hn::PromoteTo(d, hn::LoadU(bytes, reinterpret_cast<const std::uint8_t*>(marks)));
  const auto remove = hn::Eq(mark, hn::Set(d, static_cast<int>(Mark::remove)));
  const auto protect = hn::Eq(mark, hn::Set(d, static_cast<int>(Mark::protect)));
  return hn::IfThenElse(protect, hn::Set(d, protected_rank), hn::IfThenElseZero(remove, hn::Set(d, -1)));
}

template <bool masked, bool forward>
HWY_INLINE ColumnRange cost_inner_cells(const CostRow& row, int x0, int x1) {
  const Floats d;
  const Ints di;
  const int lanes = static_cast<int>(hn::Lanes(d));
  ColumnRange changed;
  for (int at = x0; at < x1; at += lanes) {
    // The last vector overlaps the one before; the shared pixels get the same results twice.
    const int x = at + lanes <= x1 ? at : x1 - lanes;
    V left = hn::LoadU(d, row.above + x - 1), middle = hn::LoadU(d, row.above + x);
    V right = hn::LoadU(d, row.above + x + 1);
    if constexpr (forward) {
      const V before = hn::LoadU(d, row.value + x - 1), after = hn::LoadU(d, row.value + x + 1);
      const V up = hn::LoadU(d, row.value_above + x);
      const V straight = hn::Abs(hn::Sub(after, before));
      left = hn::Add(left, hn::Add(straight, hn::Abs(hn::Sub(up, before))));
      middle = hn::Add(middle, straight);
      right = hn::Add(right, hn::Add(straight, hn::Abs(hn::Sub(up, after))));
    }
    V sum;
    auto same = hn::Eq(middle, middle);
    if constexpr (masked) {
      auto rank = hn::LoadU(di, row.rank_above + x - 1);
      sum = left;
      const auto choose = [&](V other, hn::Vec<Ints> other_rank) HWY_ATTR {
        const auto lower = hn::RebindMask(d, hn::Lt(other_rank, rank));
        const auto equal = hn::RebindMask(d, hn::Eq(other_rank, rank));
        const auto better = hn::Or(lower, hn::And(equal, hn::Lt(other, sum)));
        sum = hn::IfThenElse(better, other, sum);
        rank = hn::IfThenElse(hn::RebindMask(di, better), other_rank, rank);
      };
      choose(middle, hn::LoadU(di, row.rank_above + x));
      choose(right, hn::LoadU(di, row.rank_above + x + 1));
      rank = hn::Add(rank, ranks_of(row.marks + x));
      same = hn::RebindMask(d, hn::Eq(rank, hn::LoadU(di, row.rank + x)));
      hn::StoreU(rank, di, row.rank + x);
    } else {
      sum = hn::Min(hn::Min(left, middle), right);
    }
    if constexpr (!forward) sum = hn::Add(sum, hn::LoadU(d, row.value + x));
    same = hn::And(same, hn::Eq(sum, hn::LoadU(d, row.cost + x)));
    hn::StoreU(sum, d, row.cost + x);
    if (!hn::AllTrue(d, same)) changed.include(x, x + lanes - 1);
  }
  return changed;
}

template <bool masked>
ColumnRange cost_some_cells(const CostRow& row, int x0, int x1) {
  const int lanes = static_cast<int>(hn::Lanes(Floats()));
  ColumnRange changed;
  const auto one_by_one = [&](int from, int to) {
    for (int x = from; x < to; ++x)
      if (cost_cell<masked>(row, x)) changed.include(x, x);
  };
  const int inner0 = std::max(x0, row.begin + 1), inner1 = std::min(x1, row.end - 1);
  if (inner1 - inner0 < lanes) {
    one_by_one(x0, x1);
    return changed;
  }
  one_by_one(x0, inner0);
  const ColumnRange inner = row.forward ? cost_inner_cells<masked, true>(row, inner0, inner1)
                                        : cost_inner_cells<masked, false>(row, inner0, inner1);
  if (inner.first <= inner.last) changed.include(inner.first, inner.last);
  one_by_one(inner1, x1);
  return changed;
}

ColumnRange cost_cells(const CostRow& row, int x0, int x1) {
  return row.rank ? cost_some_cells<true>(row, x0, x1) : cost_some_cells<false>(row, x0, x1);
}

void energy_cells(Energy energy, const float* above, const float* row, const float* below, int width, float* to) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto one = [&](int x) {
    const int left = x > 0 ? x - 1 : 0, right = x + 1 < width ? x + 1 : x;
    to[x] = energy_of(energy, [=](int dx, int dy) {
      return (dy < 0 ? above : dy > 0 ? below : row)[dx < 0 ? left : dx > 0 ? right : x];
    });
  };
  int x = 0;
  if (width > lanes + 1) {
    one(0);
    const V two = hn::Set(d, 2.0f);
    for (x = 1; x + lanes < width; x += lanes) {
      V dx = hn::Sub(hn::LoadU(d, row + x + 1), hn::LoadU(d, row + x - 1));
      V dy = hn::Sub(hn::LoadU(d, below + x), hn::LoadU(d, above + x));
      if (energy == Energy::sobel) {
        const V lu = hn::LoadU(d, above + x - 1), ru = hn::LoadU(d, above + x + 1);
        const V ld = hn::LoadU(d, below + x - 1), rd = hn::LoadU(d, below + x + 1);
        dx = hn::Add(hn::Add(hn::Sub(ru, lu), hn::Sub(rd, ld)), hn::Mul(two, dx));
        dy = hn::Add(hn::Add(hn::Sub(ld, lu), hn::Sub(rd, ru)), hn::Mul(two, dy));
      }
      const V value = energy == Energy::forward ? hn::Abs(dx) : hn::Sqrt(hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy)));
      hn::StoreU(value, d, to + x);
    }
  }
  for (; x < width; ++x)
    one(x);
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::seam_carving
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::seam_carving {

HWY_EXPORT(cost_cells);
HWY_EXPORT(energy_cells);

ColumnRange cost_cells(const CostRow& row, int x0, int x1) {
  return HWY_DYNAMIC_DISPATCH(cost_cells)(row, x0, x1);
}
void energy_cells(Energy energy, const float* above, const float* row, const float* below, int width, float* to) {
  HWY_DYNAMIC_DISPATCH(energy_cells)(energy, above, row, below, width, to);
}

}  // namespace threadscape::seam_carving
#endif
