#pragma once
// Conditions for what the kernels of a sketch do, as checks of lessons state them: "global_load_sectors per
// global_load_requests <= 4.2".

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/run/observation.h"

namespace threadscape::app {

/// A figure, or the quotient of two.
struct Ratio {
  std::string figure;
  std::string per;  ///< "" for the figure alone.
  bool operator==(const Ratio&) const = default;
};

struct CountRule {
  enum class Relation : std::uint8_t { at_most, at_least, equal };
  Ratio ratio;
  Relation relation = Relation::at_most;
  double limit = 0;
  std::string kernel;     ///< The kernels with this name alone; "" for all.
  std::string line;       ///< The lines with this text alone; "" for all.
  std::string because;    ///< What it means for the learner.
  int numbered_line = 0;  ///< The line with this number alone; 0 for all. Texts of rules do not state it.
  int place = 0;          ///< The line of the page.
};

/// "global_load_sectors per values". Throws UsageError.
[[nodiscard]] Ratio parse_ratio(std::string_view text);
/// RATIO <= NUMBER, with >= or == instead, and behind it kernel NAME, line "TEXT" and because "TEXT". Throws
/// UsageError.
[[nodiscard]] CountRule parse_count_rule(std::string_view text);
/// "global load sectors per global load request".
[[nodiscard]] std::string words_of(const Ratio& ratio);
/// "at most 4.2 global load sectors per global load requests in lines with "in("".
[[nodiscard]] std::string words_of(const CountRule& rule);

/// The names of all figures with what they are, for docs/LESSONS.md.
[[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> lesson_figures();

/// What was counted. `source` is the text of the sketch, and `values` the number of values of its result. Returns
/// nothing where the figure is not known, as registers without machine code are. Throws Error with exit code 1 if no
/// kernel or line is the one that the rule asks for.
[[nodiscard]] std::optional<double> counted(const CountRule& rule, const Observation& observation,
                                            std::string_view source, std::int64_t values);
/// Says if a number fulfils the rule. Quotients are compared with a slack of one part in a million.
[[nodiscard]] bool fulfils(const CountRule& rule, double number);

}  // namespace threadscape::app
