#pragma once
// Costs of one pixel, and of a word of eight neighbouring pixels in the registers of one thread.
// RemainingPicture::best() is the plain version of the same maths.
//
// A thread of cost_row holds one word of a row, and what its eight costs depend on:
//
//     column             x - 1   |  x      x + 1   x + 2   ...   x + 7  |  x + 8
//     costs, row y - 1   before  |  WordCosts: eight registers          |  after      from neighbouring words
//     values, row y      left    |  own[0] own[1]  own[2]  ...   own[7] |  right      WordValues
//     costs, row y               |  the result: WordCosts again         |
//
// The parents of a word are 16 bits, as two ballots of a warp give them: bit i is the low bit and bit 8 + i the high
// bit of pixel i's parent (0 = left, 1 = above, 2 = right).

#include <cstdint>

#include "compute/algorithms/seams/seam_carving/cuda/seam_carving_cuda.h"

namespace threadscape::seam_carving {

/// How many blocks of `per_block` items hold `items` of them.
inline unsigned block_count(int items, int per_block) {
  return static_cast<unsigned>((items + per_block - 1) / per_block);
}

/// Returns whether a strip begins at `column`, or the picture ends before it.
TS_HD inline bool is_strip_begin(int column, int width, int strips) {
  if (strips == 1) return column == 0 || column == width;
  if (column < 0 || column > width) return false;
  const auto strip = static_cast<int>((static_cast<long long>(column) * strips + width - 1) / width);
  return strip_begin(strip, strips, width) == column;
}
/// Bit i (of nine) is is_strip_begin() of column x + i. Column x + i has no left parent if bit i is set, and no right
/// parent if bit i + 1 is set.
TS_HD inline unsigned strip_begin_bits(int x, int width, int strips) {
  unsigned starts = 0;
  for (int i = 0; i <= word_columns; ++i)
    starts |= is_strip_begin(x + i, width, strips) ? 1u << i : 0u;
  return starts;
}

/// Costs of the eight pixels of a word.
struct WordCosts {
  float sum[word_columns] = {};
  int rank[word_columns] = {};
};
/// Energies (or grey values, for forward energy) of a word and of the columns beside it.
struct WordValues {
  float left = 0.0f, own[word_columns] = {}, right = 0.0f;
};

/// Marks of a word, one byte each.
struct WordMarks {
  std::uint32_t low = 0, high = 0;
  TS_HD int rank(int i) const { return rank_of(static_cast<Mark>((i < 4 ? low : high) >> 8 * (i % 4) & 0xff)); }
};

/// Computes the costs of the top row.
template <bool forward, bool masked>
TS_HD void first_row_costs(WordCosts& cells, const WordValues& values, const WordMarks& marks) {
#pragma unroll
  for (int i = 0; i < word_columns; ++i) {
    const float left = i == 0 ? values.left : values.own[(i + 7) % 8];
    const float right = i == 7 ? values.right : values.own[(i + 1) % 8];
    cells.sum[i] = forward ? abs_difference(right, left) : values.own[i];
    cells.rank[i] = masked ? marks.rank(i) : 0;
  }
}

/// Grey values beside a pixel and above it.
struct AdjacentGrey {
  float left = 0.0f, right = 0.0f, up = 0.0f;
};

/// Turns `cost`, that of the parent above, into the cost of the pixel. `value` is its energy, `rank` that of its mark.
/// Returns the cheapest parent: 0 = left, 1 = above, 2 = right.
template <bool forward, bool masked>
TS_HD unsigned next_cost(Cost& cost, Cost left, Cost right, float value, const AdjacentGrey& around, int rank) {
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

/// The two bits of one parent at their places in a word of parents.
TS_HD inline unsigned parent_bits(unsigned parent, int i) {
  return (parent & 1u) << i | (parent >> 1) << (8 + i);
}

/// Turns the costs of the row above into those of a word's row. `before` and `after` are the costs beside the word in
/// the row above, `up` are the grey values of the row above. Returns the word of parents.
template <bool forward, bool masked>
TS_HD unsigned next_row_costs(WordCosts& cells, Cost before, const Cost& after, const WordValues& values,
                              const float (&up)[word_columns], const WordMarks& marks, unsigned starts) {
  unsigned parents = 0;
  for (int i = 0; i < word_columns; ++i) {
    Cost cost{masked ? cells.rank[i] : 0, cells.sum[i]};
    Cost left = before;
    Cost right = i == 7 ? after : Cost{masked ? cells.rank[(i + 1) % 8] : 0, cells.sum[(i + 1) % 8]};
    before = cost;
    if (starts >> i & 1) left = infinite_cost();
    if (starts >> (i + 1) & 1) right = infinite_cost();
    const AdjacentGrey around{i == 0 ? values.left : values.own[(i + 7) % 8],
                              i == 7 ? values.right : values.own[(i + 1) % 8], up[i]};
    const unsigned parent =
        next_cost<forward, masked>(cost, left, right, values.own[i], around, masked ? marks.rank(i) : 0);
    parents |= parent_bits(parent, i);
    cells.sum[i] = cost.sum;
    cells.rank[i] = cost.rank;
  }
  return parents;
}

/// The column of a pixel's parent relative to its own: -1, 0 or 1.
TS_HD inline int parent_side(const DeviceSearch& search, int x, int y) {
  const auto word = search.parents[search.at(0, y) / word_columns + x / word_columns];
  const int bit = x % word_columns;
  return (word >> bit & 1) + 2 * (word >> (word_columns + bit) & 1) - 1;
}

/// Follows the parents from column x in row y1 - 1 up to row y0 - 1, or to row 0, and returns the column there.
TS_HD inline int walk_up(const DeviceSearch& search, int x, int y0, int y1) {
  for (int y = y1 - 1; y >= (y0 > 0 ? y0 : 1); --y)
    x += parent_side(search, x, y);
  return x;
}

/// Energy of a pixel of the picture that is left.
TS_HD inline float energy_at(const DeviceSearch& search, int x, int y) {
  return energy_of(search.energy, [&](int dx, int dy) {
    const int column = x + dx < 0 ? 0 : x + dx >= search.width ? search.width - 1 : x + dx;
    const int row = y + dy < 0 ? 0 : y + dy >= search.height ? search.height - 1 : y + dy;
    return search.grey[search.at(search.columns[search.at(column, row)], row)];
  });
}

/// Cost of the step from (x + side, y + from) to (x, y); in the first row of a path, of the pixel itself. `from` is 1
/// for paths that go up.
TS_HD inline Cost step_cost(const DeviceSearch& search, int x, int y, int side, int from = -1) {
  Cost cost{search.marks ? rank_of(search.marks[search.at(x, y)]) : 0, search.value[search.at(x, y)]};
  if (search.energy != Energy::forward) return cost;
  const float left = search.value[search.at(x > 0 ? x - 1 : 0, y)];
  const float right = search.value[search.at(x + 1, y)];  // Beyond the last column the plane repeats it.
  const bool first = y + from < 0 || y + from >= search.height;
  const Steps steps = forward_steps(left, right, first ? 0.0f : search.value[search.at(x, y + from)]);
  cost.sum = first || side == 0 ? steps.from_above : side < 0 ? steps.from_left : steps.from_right;
  return cost;
}

/// Column of the cheapest of the three pixels that a greedy path can go to from (x, y), relative to x, inside the strip
/// begin..end-1.
TS_HD inline int next_side(const DeviceSearch& search, int x, int y, int begin, int end) {
  const int next = next_row(search.start);
  const auto to = [&](int d) {
    return x + d < begin || x + d >= end ? infinite_cost() : step_cost(search, x + d, y + next, -d, -next);
  };
  int side = 0;
  (void)min_cost(to(-1), to(0), to(1), side);
  return side;
}

/// How many of a row's seams, in ascending order of columns, are left of column x. `here` becomes whether one is at x.
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
