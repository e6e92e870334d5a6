#pragma once
// Decides for pairs of measurements which became faster or slower. The rule is stated in docs/LAB.md.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "app/analysis/rank_test.h"

namespace threadscape::app {

enum class Verdict : std::uint8_t { faster, slower, same, unclear };
/// The verdict as tables show it: "FASTER", "SLOWER", "SAME" or "UNCLEAR".
[[nodiscard]] std::string_view name_of(Verdict verdict);

struct VerdictRule {
  /// The probability of any false FASTER or SLOWER among all rows of a comparison, if nothing has changed.
  double significance = 0.05;
  /// The smallest change that counts: 0.02 means that times count as equal up to a factor of 1.02.
  double effect = 0.02;
};

/// The times of one row before and after, in the same unit. Both are positive and not empty.
struct RowSamples {
  std::vector<double> before, after;
};

struct RowComparison {
  Verdict verdict = Verdict::unclear;
  double before = 0.0, after = 0.0;  ///< Medians in the unit of the samples.
  RatioEstimate ratio = {};          ///< Time after divided by time before, with its 95 % confidence interval.
  double p = 1.0;                    ///< p-value of the row alone.
  double adjusted_p = 1.0;           ///< p-value adjusted for the number of rows by the method of Holm.
};

/// Compares all rows. A row is FASTER or SLOWER if its adjusted p-value is at most the significance and the ratio
/// differs from 1 by at least the effect; SAME if the whole interval of the ratio is within the effect; UNCLEAR
/// otherwise, which more samples can resolve.
[[nodiscard]] std::vector<RowComparison> compare_rows(std::span<const RowSamples> rows, const VerdictRule& rule);

}  // namespace threadscape::app
