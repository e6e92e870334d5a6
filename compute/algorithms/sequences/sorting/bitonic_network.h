#pragma once
// Batcher's bitonic sorting network, for any length: which places are compared in which stage. It looks at no value, so
// all comparisons of a stage can be made at once.
//
// Merge m (1, 2, ...) makes sorted runs of 2^m out of pairs of sorted runs of half that length, in m stages. Its first
// compares places that mirror each other in the run of 2^m; the others compare places 2^(m-2), ..., 2, 1 apart. That is
// the form of the network in which the smaller value always goes to the lower place. So a length that is no power of
// two needs no padding: places behind the end would hold the largest of all values, and none of them would ever move.

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "compute/core/views.h"

namespace threadscape::sorting {

/// Afterwards the smaller of both values is at `lower`.
struct Comparison {
  std::int64_t lower = 0, upper = 0;
  friend bool operator==(const Comparison&, const Comparison&) = default;
};

struct Stage {
  int merge = 1;     ///< runs of 2^merge come out of it
  int distance = 0;  ///< the places are 2^distance apart; for a mirror they lie in halves of 2^distance
  bool mirror = true;
  /// The comparison of this number, from 0 to half of the length rounded up to a power of two.
  [[nodiscard]] TS_HD constexpr Comparison comparison(std::int64_t number) const {
    const std::int64_t half = std::int64_t{1} << distance, offset = number & (half - 1);
    const std::int64_t first = (number - offset) * 2;  // of the run
    return {first + offset, mirror ? first + 2 * half - 1 - offset : first + half + offset};
  }
  friend bool operator==(const Stage&, const Stage&) = default;
};

/// The number of merges: log2 of the length, rounded up.
[[nodiscard]] constexpr int merges_for(std::int64_t count) {
  return count < 2 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count - 1)));
}
[[nodiscard]] constexpr int stages_for(std::int64_t count) {
  return merges_for(count) * (merges_for(count) + 1) / 2;
}
/// How many comparisons a stage has, with those that reach behind the end.
[[nodiscard]] constexpr std::int64_t comparisons_for(std::int64_t count) {
  return count < 2 ? 0 : std::int64_t{1} << (merges_for(count) - 1);
}
/// Stage `number`, from 0 on.
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
/// "runs of 8: mirrored", "runs of 8: 2 apart".
[[nodiscard]] inline std::string title_of(int stage) {
  const Stage at = stage_at(stage);
  return "runs of " + std::to_string(1 << at.merge) + ": " +
         (at.mirror ? "mirrored" : std::to_string(1 << at.distance) + " apart");
}

}  // namespace threadscape::sorting
