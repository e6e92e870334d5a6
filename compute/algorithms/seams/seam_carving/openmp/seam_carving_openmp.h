#pragma once
// The memory of the OpenMP search, and the row operations that SIMD executes.
//
// Every row has padding on both sides. When a seam leaves, the shorter of the two parts beside it moves by one
// column, so every row has its own begin; neighbours in the row above or below are found by column, not by address:
//
//  memory  |-- row_padding --|a b c d e f g h|-- row_padding --|      before: row_begins[y] = row_padding
//                                  ^ seam at column 2: shorter part left, it moves right
//          |-- row_padding --|. a b d e f g h|-- row_padding --|      after: row_begins[y] = row_padding + 1
//
// Kept from seam to seam are the values that costs are made of (energies, or grey values for forward energy), the
// costs, and the columns of the input.

#include <algorithm>
#include <cstdint>
#include <span>

#include "compute/algorithms/seams/seam_carving/seam_carving_host.h"

namespace threadscape::seam_carving {

/// Padding on either side of a row, in pixels: SIMD may read beyond the ends.
inline constexpr int row_padding = 64;

/// The columns first..last; empty if last < first.
struct ColumnRange {
  int first = 0, last = -1;
  void include(int x0, int x1) {
    if (last < first)
      *this = {x0, x1};
    else
      *this = {x0 < first ? x0 : first, x1 > last ? x1 : last};
  }
};

/// What one row of costs is computed from. All pointers are to column 0 of the picture.
struct CostRow {
  const float* value = nullptr;        ///< Energies, or grey values for forward energy.
  const float* value_above = nullptr;  ///< Grey values of the row above.
  const Mark* marks = nullptr;
  const float* above = nullptr;  ///< Costs of the row above.
  const int* rank_above = nullptr;
  float* cost = nullptr;
  int* rank = nullptr;
  bool forward = false;
  int begin = 0, end = 0;  ///< Range of the strip: no seam leaves it.
};
/// Computes the costs of columns x0..x1-1 of a row. Returns a range that contains all columns that have changed.
ColumnRange cost_cells(const CostRow& row, int x0, int x1);

/// The rows of one plane.
template <class T>
struct Rows {
  T* data = nullptr;
  std::ptrdiff_t pitch = 0;
  [[nodiscard]] T* row(int y) const { return data + y * pitch; }
};

/// The remaining pixels of a picture during a search, and the data that are kept for them.
struct CarvingState {
  const Search& search;
  int threads;
  bool forward = search.energy == Energy::forward;
  int width = search.grey.width, height = search.grey.height;
  Rows<float> value, cost;
  Rows<std::uint16_t> columns;
  Rows<int> rank;    ///< `data` is null without masks.
  Rows<Mark> marks;  ///< `data` is null without masks.
  /// Greedy: column of the cheapest pixel of the path's next row relative to the own one: -1, 0 or 1.
  Rows<std::int8_t> neighbours;
  std::span<int> row_begins;  ///< Place of column 0 of each row in its memory.
  std::span<int> seams;       ///< [strip][row]: column of the strip's seam.

  /// Pointer to column 0 of row y.
  template <class T>
  [[nodiscard]] T* at(const Rows<T>& rows, int y) const {
    return rows.row(y) + row_begins[static_cast<std::size_t>(y)];
  }
  [[nodiscard]] int& seam(int strip, int y) const {
    return seams[static_cast<std::size_t>(strip) * static_cast<std::size_t>(height) + static_cast<std::size_t>(y)];
  }
  [[nodiscard]] Cost start_cost(int x, int y) const {
    const float* const row = at(value, y);
    return {marks.data ? rank_of(at(marks, y)[x]) : 0, forward ? abs_difference(row[x + 1], row[x - 1]) : row[x]};
  }
  /// Cost of the step from (x + side, y + from) to (x, y). `from` is 1 for paths that go up.
  [[nodiscard]] Cost step(int x, int y, int side, int from = -1) const {
    const float* const row = at(value, y);
    Cost step{marks.data ? rank_of(at(marks, y)[x]) : 0, row[x]};
    if (!forward) return step;
    const Steps steps = forward_steps(row[x - 1], row[x + 1], at(value, y + from)[x]);
    step.sum = side < 0 ? steps.from_left : side == 0 ? steps.from_above : steps.from_right;
    return step;
  }

  // ---- Steps of a row. Threads may be at different seams, so the present number of columns is an argument.

  /// Repeats the border pixels beyond the borders.
  void extend_border(int y, int columns_left) const {
    float* const grey = at(value, y);
    grey[-1] = grey[0];
    grey[columns_left] = grey[columns_left - 1];
  }
  [[nodiscard]] CostRow cost_row(int y, int begin, int end) const {
    CostRow row;
    row.value = at(value, y);
    if (y > 0) row.value_above = at(value, y - 1);
    if (y > 0) row.above = at(cost, y - 1);
    row.cost = at(cost, y);
    if (rank.data) {
      row.marks = at(marks, y);
      if (y > 0) row.rank_above = at(rank, y - 1);
      row.rank = at(rank, y);
    }
    row.forward = forward;
    row.begin = begin;
    row.end = end;
    return row;
  }
  void compute_cells(const CostRow& row, int y, int x0, int x1, ColumnRange& changed) const {
    if (y > 0) {
      changed = cost_cells(row, x0, x1);
      return;
    }
    for (int x = x0; x < x1; ++x) {
      const Cost cost = start_cost(x, 0);
      row.cost[x] = cost.sum;
      if (row.rank) row.rank[x] = cost.rank;
    }
    changed = {x0, x1 - 1};
  }
  /// Computes the costs of row y that the removal of seam 0 has changed, with those of the row above that have changed.
  /// Returns what has changed in row y.
  [[nodiscard]] ColumnRange compute_cone_row(int y, int columns_left, ColumnRange above) const {
    ColumnRange again{seam(0, y) - energy_reach, seam(0, y) + energy_reach - 1}, changed;
    if (above.first <= above.last) again.include(above.first - 1, above.last + 1);
    const int x0 = std::max(0, again.first), x1 = std::min(columns_left, again.last + 1);
    if (x0 < x1) compute_cells(cost_row(y, 0, columns_left), y, x0, x1, changed);
    return changed;
  }
  [[nodiscard]] Cost cost_at(int x, int y) const { return {rank.data ? at(rank, y)[x] : 0, at(cost, y)[x]}; }
  /// The column of the lowest cost in the last row of a strip.
  [[nodiscard]] int end_of_seam(int begin, int end) const {
    int x = begin;
    for (int other = begin; other < end; ++other)
      if (cost_at(other, height - 1) < cost_at(x, height - 1)) x = other;
    return x;
  }
  /// The column in row y - 1 of the seam that is in column x of row y, in a strip.
  [[nodiscard]] int column_above(int x, int y, int begin, int end) const {
    constexpr int rows_ahead = 8;
    __builtin_prefetch(at(cost, std::max(y - rows_ahead, 0)) + x);
    const auto parent = [&](int d) {
      if (x + d < begin || x + d >= end) return infinite_cost();
      return cost_at(x + d, y - 1) + (forward ? step(x, y, d) : Cost{});
    };
    int side = 0;
    (void)min_cost(parent(-1), parent(0), parent(1), side);
    return x + side;
  }
  /// Removes column x from a row: the shorter part of the row moves.
  template <class T>
  void close_gap(const Rows<T>& rows, int y, int x, int columns_left) const {
    if (!rows.data) return;
    T* const row = at(rows, y);
    if (x < columns_left / 2)
      std::copy_backward(row, row + x, row + x + 1);
    else
      std::copy(row + x + 1, row + columns_left, row + x);
  }
  /// Removes the pixel of seam 0 from a row of `columns_left` pixels, as the `number`-th seam.
  void remove_pixel(int y, int columns_left, int number) const {
    const int x = seam(0, y);
    search.take(at(columns, y)[x], y, number);
    close_gap(value, y, x, columns_left);
    close_gap(columns, y, x, columns_left);
    close_gap(cost, y, x, columns_left);
    close_gap(marks, y, x, columns_left);
    close_gap(rank, y, x, columns_left);
    if (x < columns_left / 2) ++row_begins[static_cast<std::size_t>(y)];
  }
  /// Computes the energies beside a removed seam, whose gap is at column x, anew.
  void renew_energies(int y, int x, int columns_left) const {
    const int rows[3]{std::max(y - 1, 0), y, std::min(y + 1, height - 1)};
    for (int at_x = std::max(0, x - energy_reach); at_x < std::min(columns_left, x + energy_reach); ++at_x)
      at(value, y)[at_x] = energy_of(search.energy, [&](int dx, int dy) {
        const int row = rows[dy + 1];
        return search.grey(at(columns, row)[std::clamp(at_x + dx, 0, columns_left - 1)], row);
      });
  }
};

/// Fills the table of neighbours for greedy paths (seam_carving_greedy.cpp).
void find_neighbours(const CarvingState&, int strips);
/// Finds the best greedy path of a strip, writes it to `seams` and returns its cost. `direct` does without the table.
Cost find_greedy_path(const CarvingState&, int strip, int strips, bool direct);

/// Removes all seams of the search one after another, with bands of rows (seam_carving_bands.cpp). The costs of the
/// whole picture are there. Returns the summed cost of the removed seams.
CarvingCost carve_in_bands(const CarvingState&, const HostRun&, SeamProgress&);

/// Computes the cost of one pixel. Returns whether it has changed.
template <bool masked>
inline bool cost_cell(const CostRow& row, int x) {
  const auto parent = [&](int d) -> Cost {
    if (x + d < row.begin || x + d >= row.end) return infinite_cost();
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
  const Cost best = min_cost(left, middle, right, side);
  const float sum = row.forward ? best.sum : best.sum + own.sum;
  bool changed = sum != row.cost[x];
  row.cost[x] = sum;
  if constexpr (masked) {
    changed = changed || best.rank + own.rank != row.rank[x];
    row.rank[x] = best.rank + own.rank;
  }
  return changed;
}

/// Computes a row of energies of a whole picture from the rows above it, of it and below it, `width` values each.
void energy_cells(Energy energy, const float* above, const float* row, const float* below, int width, float* to);

}  // namespace threadscape::seam_carving
