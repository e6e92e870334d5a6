#pragma once
// Costs of one pixel, and of eight neighbouring ones in the registers of a thread. Compare with Remaining::best().

#include <cstdint>

#include "compute/algorithms/seams/seam_carving/cuda/seam_carving_cuda.h"

namespace threadscape::seam_carving {

/// Whether a strip begins at a column, or the picture ends before it.
TS_HD inline bool begins_strip(int column, int width, int strips) {
  if (strips == 1) return column == 0 || column == width;
  if (column < 0 || column > width) return false;
  const auto strip = static_cast<int>((static_cast<long long>(column) * strips + width - 1) / width);
  return strip_begin(strip, strips, width) == column;
}
/// Bit i: begins_strip() of column x + i. So column i has no left parent if bit i is set, and no right one if bit i + 1
/// is. Nine bits.
TS_HD inline unsigned strip_starts(int x, int width, int strips) {
  unsigned starts = 0;
  for (int i = 0; i <= word_columns; ++i)
    starts |= begins_strip(x + i, width, strips) ? 1u << i : 0u;
  return starts;
}

/// Costs of a word.
struct Cells {
  float sum[word_columns] = {};
  int rank[word_columns] = {};
};
/// Values of a word and of the columns beside it.
struct Values {
  float left = 0.0f, own[word_columns] = {}, right = 0.0f;
};

/// What marks a word has, a byte each.
struct MarkWord {
  std::uint32_t low = 0, high = 0;
  TS_HD int rank(int i) const { return rank_of(static_cast<Mark>((i < 4 ? low : high) >> 8 * (i % 4) & 0xff)); }
};

/// Costs of the top row.
template <bool forward, bool masked>
TS_HD void first_cells(Cells& cells, const Values& values, const MarkWord& marks) {
#pragma unroll
  for (int i = 0; i < word_columns; ++i) {
    const float left = i == 0 ? values.left : values.own[(i + 7) % 8];
    const float right = i == 7 ? values.right : values.own[(i + 1) % 8];
    cells.sum[i] = forward ? distance(right, left) : values.own[i];
    cells.rank[i] = masked ? marks.rank(i) : 0;
  }
}

/// Grey values around a pixel: beside it, and above.
struct Around {
  float left = 0.0f, right = 0.0f, up = 0.0f;
};

/// From the costs of the three parents to that of a pixel: `value` is its energy, `rank` that of its mark. Returns
/// which parent is cheapest: 0 left, 1 above, 2 right.
template <bool forward, bool masked>
TS_HD unsigned next_cell(Cost& cost, Cost left, Cost right, float value, const Around& around, int rank) {
  Cost middle = cost;
  if constexpr (forward) {
    const Steps steps = forward_steps(around.left, around.right, around.up);
    left.sum = left.sum + steps.from_left;
    middle.sum = middle.sum + steps.from_above;
    right.sum = right.sum + steps.from_right;
  }
  const auto less = [](const Cost& a, const Cost& b) { return masked ? a < b : a.sum < b.sum; };
  const bool from_middle = less(middle, left);
  Cost best = from_middle ? middle : left;
  const bool from_right = less(right, best);
  best = from_right ? right : best;
  cost = {masked ? best.rank + rank : 0, forward ? best.sum : best.sum + value};
  return from_right ? 2u : from_middle ? 1u : 0u;
}

/// The low bits of eight parents, then the high ones: as ballots of a warp give them.
TS_HD inline unsigned parent_bits(unsigned parent, int i) {
  return (parent & 1u) << i | (parent >> 1) << (8 + i);
}

/// The costs of a word's row after those of the row above; `before` and `after` are costs of the columns beside, `up`
/// the grey of the row above. Returns a word of parents.
template <bool forward, bool masked>
TS_HD unsigned next_cells(Cells& cells, Cost before, const Cost& after, const Values& values,
                          const float (&up)[word_columns], const MarkWord& marks, unsigned starts) {
  unsigned parents = 0;
  for (int i = 0; i < word_columns; ++i) {
    Cost cost{masked ? cells.rank[i] : 0, cells.sum[i]};
    Cost left = before;
    Cost right = i == 7 ? after : Cost{masked ? cells.rank[(i + 1) % 8] : 0, cells.sum[(i + 1) % 8]};
    before = cost;
    if (starts >> i & 1) left = no_cost();
    if (starts >> (i + 1) & 1) right = no_cost();
    const Around around{i == 0 ? values.left : values.own[(i + 7) % 8], i == 7 ? values.right : values.own[(i + 1) % 8],
                        up[i]};
    const unsigned parent =
        next_cell<forward, masked>(cost, left, right, values.own[i], around, masked ? marks.rank(i) : 0);
    parents |= parent_bits(parent, i);
    cells.sum[i] = cost.sum;
    cells.rank[i] = cost.rank;
  }
  return parents;
}

/// -1, 0 or 1.
TS_HD inline int side_at(const DeviceSearch& search, int x, int y) {
  const auto word = search.sides[search.at(0, y) / word_columns + x / word_columns];
  const int bit = x % word_columns;
  return (word >> bit & 1) + 2 * (word >> (word_columns + bit) & 1) - 1;
}

/// Column in row y1 - 1 to column in row y0 - 1, or in row 0.
TS_HD inline int walk_up(const DeviceSearch& search, int x, int y0, int y1) {
  for (int y = y1 - 1; y >= (y0 > 0 ? y0 : 1); --y)
    x += side_at(search, x, y);
  return x;
}

/// Energy of a pixel of what is left.
TS_HD inline float energy_at(const DeviceSearch& search, int x, int y) {
  return energy_of(search.energy, [&](int dx, int dy) {
    const int column = x + dx < 0 ? 0 : x + dx >= search.width ? search.width - 1 : x + dx;
    const int row = y + dy < 0 ? 0 : y + dy >= search.height ? search.height - 1 : y + dy;
    return search.grey[search.at(search.columns[search.at(column, row)], row)];
  });
}

/// Of the step from (x + side, y - 1) to (x, y); of the top row, of the pixel.
TS_HD inline Cost step_cost(const DeviceSearch& search, int x, int y, int side) {
  Cost cost{search.marks ? rank_of(search.marks[search.at(x, y)]) : 0, search.value[search.at(x, y)]};
  if (search.energy != Energy::forward) return cost;
  const float left = search.value[search.at(x > 0 ? x - 1 : 0, y)];
  const float right = search.value[search.at(x + 1, y)];  // beyond the last column: that column
  const Steps steps = forward_steps(left, right, y > 0 ? search.value[search.at(x, y - 1)] : 0.0f);
  cost.sum = y == 0 || side == 0 ? steps.from_above : side < 0 ? steps.from_left : steps.from_right;
  return cost;
}

/// The cheapest of the three pixels below, inside the strip begin..end-1.
TS_HD inline int side_below(const DeviceSearch& search, int x, int y, int begin, int end) {
  const auto to = [&](int d) {
    return x + d < begin || x + d >= end ? no_cost() : step_cost(search, x + d, y + 1, -d);
  };
  int side = 0;
  (void)least(to(-1), to(0), to(1), side);
  return side;
}

/// How many seams of a row, in ascending order, are left of column x; `here` says whether one is at x.
TS_HD inline int seams_before(const int* seams, int count, int x, bool& here) {
  int low = 0, high = count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (seams[middle] < x)
      low = middle + 1;
    else
      high = middle;
  }
  here = low < count && seams[low] == x;
  return low;
}

}  // namespace threadscape::seam_carving
