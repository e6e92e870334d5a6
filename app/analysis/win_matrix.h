#pragma once
// The matrix "which backend wins where": rows are algorithms or parameters, columns are sizes.

#include <string>
#include <vector>

#include "app/analysis/samples.h"
#include "compute/core/backend.h"

namespace threadscape::app {

/// All samples of a backend at one place of the matrix, in milliseconds.
struct Contender {
  std::string row;
  double column = 0.0;  ///< Items of the input: pixels, voxels or values.
  Backend backend = Backend::serial;
  std::vector<double> samples;
};

struct WinCell {
  bool measured = false;
  Backend winner = Backend::serial;
  /// How many times longer the second fastest backend takes: the ratio of the medians in `times`; 1 if there is none.
  double factor = 1.0;
  double pairs = 1.0;  ///< How many times longer by the median of the ratios of all pairs of runs.
  /// If true, the samples do not tell the two fastest backends apart: the 95 % interval of the ratio of their times
  /// contains 1.
  bool tie = false;
  /// The median and its 95 % interval in milliseconds of every measured backend, fastest first.
  struct Time {
    Backend backend = Backend::serial;
    MedianInterval median;
    std::size_t samples = 0;
  };
  std::vector<Time> times = {};
};

struct WinMatrix {
  std::vector<std::string> rows;  ///< In the order of the contenders.
  std::vector<double> columns;    ///< Ascending.
  std::vector<WinCell> cells;     ///< rows.size() * columns.size(), row by row.
  [[nodiscard]] const WinCell& at(std::size_t row, std::size_t column) const {
    return cells[row * columns.size() + column];
  }
};

/// Of several contenders with the same backend at a place, such as variants, the one with the smallest median counts.
[[nodiscard]] WinMatrix win_matrix(const std::vector<Contender>& contenders);

}  // namespace threadscape::app
