#pragma once
// Batcher's bitonic sorting network for any length: which places are compared in which stage. The network does not
// depend on the values, so all comparisons of a stage can run in parallel.
//
// Merge m (1, 2, ...) makes sorted runs of length 2^m from pairs of sorted runs of half that length, in m stages. Its
// first stage compares places that mirror each other in the run of 2^m; the other stages compare places 2^(m-2), ...,
// 2, 1 apart. In this form of the network the smaller value always goes to the lower place. A length that is not a
// power of two therefore needs no padding: padding with the maximum value would never move.
//
//   for 8 places                                                  a mirror stage      a stage of distance 1
//
//   stage 0   merge 1, mirror       0-1  2-3  4-5  6-7            0  --o-----         0  --o-----
//   stage 1   merge 2, mirror       0-3  1-2  4-7  5-6            1  --|--o--         1  --|--o--
//   stage 2   merge 2, distance 0   0-1  2-3  4-5  6-7            2  --|--o--         2  --o--|--
//   stage 3   merge 3, mirror       0-7  1-6  2-5  3-4            3  --o-----         3  -----o--
//   stage 4   merge 3, distance 1   0-2  1-3  4-6  5-7
//   stage 5   merge 3, distance 0   0-1  2-3  4-5  6-7            "distance d": places 2^d apart
//
// On a GPU thread i makes Stage::comparison(i), the i-th of these pairs, in every stage.

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "compute/kernel/views.h"

namespace threadscape::sorting {

/// Two places that are compared. Afterwards the smaller of their values is at `lower`.
struct Comparison {
  std::int64_t lower = 0, upper = 0;
  friend bool operator==(const Comparison&, const Comparison&) = default;
};

/// One stage of the network.
struct Stage {
  int merge = 1;       ///< The merge of the stage, which makes runs of 2^merge.
  int distance = 0;    ///< Compared places are 2^distance apart, or lie in neighbouring halves of 2^distance each.
  bool mirror = true;  ///< If true, compared places mirror each other in the run.
  /// Comparison `number`, 0 <= number < comparisons_for(length of the sequence).
  [[nodiscard]] TS_HD constexpr Comparison comparison(std::int64_t number) const {
    const std::int64_t half = std::int64_t{1} << distance, offset = number & (half - 1);
    const std::int64_t first = (number - offset) * 2;  // first place of the run
    return {first + offset, mirror ? first + 2 * half - 1 - offset : first + half + offset};
  }
  friend bool operator==(const Stage&, const Stage&) = default;
};

/// Number of merges for a sequence of `count` values: log2(count), rounded up.
[[nodiscard]] constexpr int merges_for(std::int64_t count) {
  return count < 2 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count - 1)));
}
/// Number of stages for a sequence of `count` values.
[[nodiscard]] constexpr int stages_for(std::int64_t count) {
  return merges_for(count) * (merges_for(count) + 1) / 2;
}
/// Number of comparisons of a stage, including those with places beyond the end of the sequence.
[[nodiscard]] constexpr std::int64_t comparisons_for(std::int64_t count) {
  return count < 2 ? 0 : std::int64_t{1} << (merges_for(count) - 1);
}
/// Stage `number`, counted from 0.
[[nodiscard]] constexpr Stage stage_at(int number) {
  int merge = 1;
  for (; number >= merge; ++merge)
    number -= merge;
  return {merge, merge - 1 - number, number == 0};
}
/// The comparisons of a stage that lie within the sequence.
[[nodiscard]] inline std::vector<Comparison> comparisons(std::int64_t count, int stage) {
  std::vector<Comparison> all;
  const Stage at = stage_at(stage);
  for (std::int64_t i = 0; i < comparisons_for(count); ++i)
    if (const Comparison one = at.comparison(i); one.upper < count) all.push_back(one);
  return all;
}
/// Title of a stage for the user, for example "runs of 8: mirrored" or "runs of 8: 2 apart".
[[nodiscard]] inline std::string title_of(int stage) {
  const Stage at = stage_at(stage);
  return "runs of " + std::to_string(1 << at.merge) + ": " +
         (at.mirror ? "mirrored" : std::to_string(1 << at.distance) + " apart");
}

}  // namespace threadscape::sorting
