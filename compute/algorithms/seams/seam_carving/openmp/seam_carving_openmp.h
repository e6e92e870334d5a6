#pragma once
// The memory of the OpenMP search, and the row operations that SIMD does.
//
// Every row has room on both sides. When a seam leaves, the shorter of the two parts beside it moves by one, so a row
// has an own place where it begins; neighbours in the row above or below are found by column, not by address. What is
// kept from seam to seam: the value that costs are made of (energies, or grey for forward energy), the costs, and the
// columns of the input.

#include <cstdint>
#include <span>

#include "compute/algorithms/seams/seam_carving/seam_carving_host.h"

namespace threadscape::seam_carving {

/// Room on either side of a row, in pixels: SIMD may read beyond the ends.
inline constexpr int row_room = 64;

/// Rows of one plane.
template <class T>
struct Rows {
  T* data = nullptr;
  std::ptrdiff_t pitch = 0;
  [[nodiscard]] T* row(int y) const { return data + y * pitch; }
};

/// What is left of a picture, and what is kept about it.
struct Remains {
  const Search& search;
  int threads;
  bool forward = search.energy == Energy::forward;
  int width = search.grey.width, height = search.grey.height;
  Rows<float> value, cost;
  Rows<std::uint16_t> columns;
  Rows<int> rank;           ///< data is null without masks
  Rows<Mark> marks;         ///< the same
  Rows<std::int8_t> sides;  ///< greedy: where the cheapest pixel below is
  std::span<int> begins;    ///< of rows, in their memory
  std::span<int> seams;     ///< [strip][row]: its column

  /// Column 0 of row y.
  template <class T>
  [[nodiscard]] T* at(const Rows<T>& rows, int y) const {
    return rows.row(y) + begins[static_cast<std::size_t>(y)];
  }
  [[nodiscard]] int& seam(int strip, int y) const {
    return seams[static_cast<std::size_t>(strip) * static_cast<std::size_t>(height) + static_cast<std::size_t>(y)];
  }
  [[nodiscard]] Cost start_cost(int x, int y) const {
    const float* const row = at(value, y);
    return {marks.data ? rank_of(at(marks, y)[x]) : 0, forward ? distance(row[x + 1], row[x - 1]) : row[x]};
  }
  /// Of the step from (x + side, y - 1) to (x, y).
  [[nodiscard]] Cost step(int x, int y, int side) const {
    const float* const row = at(value, y);
    Cost step{marks.data ? rank_of(at(marks, y)[x]) : 0, row[x]};
    if (!forward) return step;
    const Steps steps = forward_steps(row[x - 1], row[x + 1], at(value, y - 1)[x]);
    step.sum = side < 0 ? steps.from_left : side == 0 ? steps.from_above : steps.from_right;
    return step;
  }
};

/// Greedy paths, seam_carving_greedy.cpp: the table of neighbours; then the best path of a strip, into `seams`.
void find_sides(const Remains&, int strips);
/// `direct`: without the table.
Cost follow(const Remains&, int strip, int strips, bool direct);

/// What one row of costs is made from; all pointers are to column 0 of the picture.
struct CostRow {
  const float* value = nullptr;        ///< energies, or grey
  const float* value_above = nullptr;  ///< grey of the row above
  const Mark* marks = nullptr;
  const float* above = nullptr;  ///< costs
  const int* rank_above = nullptr;
  float* cost = nullptr;
  int* rank = nullptr;
  bool forward = false;
  int begin = 0, end = 0;  ///< of the strip: no seam leaves it
};

/// Columns first..last, none if last < first.
struct Span {
  int first = 0, last = -1;
  void take_in(int x0, int x1) {
    if (last < first)
      *this = {x0, x1};
    else
      *this = {x0 < first ? x0 : first, x1 > last ? x1 : last};
  }
};

/// One cell; whether it changed.
template <bool masked>
inline bool cost_cell(const CostRow& row, int x) {
  const auto parent = [&](int d) -> Cost {
    if (x + d < row.begin || x + d >= row.end) return no_cost();
    return {masked ? row.rank_above[x + d] : 0, row.above[x + d]};
  };
  Cost left = parent(-1), middle = parent(0), right = parent(1);
  Cost own{masked ? rank_of(row.marks[x]) : 0, 0.0f};
  if (row.forward) {
    const Steps steps = forward_steps(row.value[x - 1], row.value[x + 1], row.value_above[x]);
    left.sum = left.sum + steps.from_left;
    middle.sum = middle.sum + steps.from_above;
    right.sum = right.sum + steps.from_right;
  } else {
    own.sum = row.value[x];
  }
  int side = 0;
  const Cost best = least(left, middle, right, side);
  const float sum = row.forward ? best.sum : best.sum + own.sum;
  bool changed = sum != row.cost[x];
  row.cost[x] = sum;
  if constexpr (masked) {
    changed = changed || best.rank + own.rank != row.rank[x];
    row.rank[x] = best.rank + own.rank;
  }
  return changed;
}

/// Columns x0..x1-1 of a row of costs. Returns those that changed, or some more.
Span cost_cells(const CostRow& row, int x0, int x1);
/// A row of energies of a picture that is still whole: the rows above, of it, and below, `width` values each.
void energy_cells(Energy energy, const float* above, const float* row, const float* below, int width, float* to);

}  // namespace threadscape::seam_carving
