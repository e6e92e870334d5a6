#pragma once
// Batcher's bitonic sorting network for any length: which places are compared in which stage. The network does not
// depend on the values, so all comparisons of a stage can run in parallel.
//
// Merge m (1, 2, ...) makes sorted runs of length 2^m from pairs of sorted runs of half that length, in m stages. There
// are two forms:
//
//   alternating   Neighbouring runs are sorted in opposite directions, so that a pair of them is bitonic. All stages of
//                 merge m compare places 2^(m-1), ..., 2, 1 apart, and those in descending runs put the larger value
//                 first. Run r ascends if r is even, as in the usual loops (place & 2^m) == 0 and partner = place ^
//                 2^d.
//   mirrored      All runs ascend, and the first stage of a merge compares places that mirror each other in the run.
//
//   8 places                alternating                          mirrored             alternating, merge 2
//
//   stage 0   merge 1       0<1  3<2  4<5  7<6                   0<1  2<3  4<5  6<7   0  --o-----  --o--   ascends
//   stage 1   merge 2       0<2  1<3  6<4  7<5   2 apart         0<3  1<2  4<7  5<6   1  --|--o--  --v--
//   stage 2   merge 2       0<1  2<3  5<4  7<6                   0<1  2<3  4<5  6<7   2  --v--|--  --o--
//   stage 3   merge 3       0<4  1<5  2<6  3<7   4 apart         0<7  1<6  2<5  3<4   3  -----v--  --v--
//   stage 4   merge 3       0<2  1<3  4<6  5<7   2 apart         0<2  1<3  4<6  5<7   4  --^-----  --^--   descends
//   stage 5   merge 3       0<1  2<3  4<5  6<7   1 apart         0<1  2<3  4<5  6<7   5  --|--^--  --o--
//                                                                                     6  --o--|--  --^--
//                                                                                     7  -----o--  --o--
//
// A length that is not a power of two needs no padding: values beyond the end that are larger than all others never
// move, as long as the run with the end in it ascends. In the alternating form the directions of a merge are therefore
// exchanged if its last run is not complete and has an odd number.
//
// On a GPU thread i makes Stage::comparison(i) in every stage, or a thread for each place asks for Stage::partner().

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "compute/kernel/views.h"

namespace threadscape::sorting {

/// The form of the network.
enum class Network : std::uint8_t { alternating, mirrored };

/// Two places that are compared, lower < upper. Afterwards the smaller of their values is at `lower`, or at `upper` if
/// the run descends.
struct Comparison {
  std::int64_t lower = 0, upper = 0;
  bool descending = false;
  friend bool operator==(const Comparison&, const Comparison&) = default;
};

/// One stage of the network.
struct Stage {
  int merge = 1;             ///< The merge of the stage, which makes runs of 2^merge.
  int distance = 0;          ///< Places are 2^distance apart, or in neighbouring halves of 2^distance each.
  bool mirror = false;       ///< If true, compared places mirror each other in the run.
  bool alternating = false;  ///< If true, neighbouring runs have opposite directions; otherwise all ascend.
  bool odd_ascends = false;  ///< If true, alternating runs with odd numbers ascend.

  /// Returns whether the run that contains the place is sorted from large to small.
  [[nodiscard]] TS_HD constexpr bool descends(std::int64_t place) const {
    return alternating && (((place >> merge) & 1) != 0) != odd_ascends;
  }
  /// The place that is compared with this one.
  [[nodiscard]] TS_HD constexpr std::int64_t partner(std::int64_t place) const {
    return place ^ (mirror ? (std::int64_t{2} << distance) - 1 : std::int64_t{1} << distance);
  }
  /// Comparison `number`, 0 <= number < comparisons_for(length of the sequence).
  [[nodiscard]] TS_HD constexpr Comparison comparison(std::int64_t number) const {
    const std::int64_t half = std::int64_t{1} << distance, offset = number & (half - 1);
    const std::int64_t lower = (number - offset) * 2 + offset;
    return {lower, partner(lower), descends(lower)};
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
/// The stage of a merge, for a sequence of `count` values, that compares places 2^distance apart.
[[nodiscard]] TS_HD constexpr Stage stage_of(Network network, std::int64_t count, int merge, int distance) {
  if (network == Network::mirrored) return {merge, distance, distance == merge - 1, false, false};
  const bool complete = (count & ((std::int64_t{1} << merge) - 1)) == 0;
  return {merge, distance, false, true, !complete && ((count >> merge) & 1) != 0};
}
/// Stage `number`, counted from 0, for a sequence of `count` values.
[[nodiscard]] TS_HD constexpr Stage stage_at(Network network, std::int64_t count, int number) {
  int merge = 1;
  for (; number >= merge; ++merge)
    number -= merge;
  return stage_of(network, count, merge, merge - 1 - number);
}
/// The comparisons of a stage that lie within the sequence.
[[nodiscard]] inline std::vector<Comparison> comparisons(std::int64_t count, const Stage& stage) {
  std::vector<Comparison> all;
  for (std::int64_t i = 0; i < comparisons_for(count); ++i)
    if (const Comparison one = stage.comparison(i); one.upper < count) all.push_back(one);
  return all;
}
/// Title of a stage for the user, for example "runs of 8: mirrored" or "runs of 8: 2 apart".
[[nodiscard]] inline std::string title_of(const Stage& stage) {
  return "runs of " + std::to_string(1 << stage.merge) + ": " +
         (stage.mirror ? "mirrored" : std::to_string(1 << stage.distance) + " apart");
}

}  // namespace threadscape::sorting
