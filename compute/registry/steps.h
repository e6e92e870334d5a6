#pragma once
// Algorithms applied one after another, as a value that parameters can hold.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/registry/algorithm.h"

namespace threadscape {

struct Step {
  const AlgorithmInfo* algorithm = nullptr;
  ParamBox params;
  bool on = true;
  friend bool operator==(const Step&, const Step&) = default;
};

/// Whether an algorithm can be a step: picture to picture, and without steps of its own.
[[nodiscard]] bool is_filter(const AlgorithmInfo& algorithm);

/// "median size=5 | off sobel norm=l2": parameters that are not named have their defaults, `off` keeps a step without
/// running it. Values with spaces, bars or quotes are put in double quotes, \ before a quote or a backslash.
[[nodiscard]] std::string to_text(std::span<const Step> steps);
/// Throws UsageError with the number of the step and what is wrong with it.
[[nodiscard]] std::vector<Step> parse_steps(std::string_view text);

/// [{"algorithm": "median", "on": true, "params": {"size": 5, ...}}, ...]; reading takes a part of the parameters, and
/// steps as text, too. Throws as parse_steps().
[[nodiscard]] std::string steps_to_json(std::span<const Step> steps);
[[nodiscard]] std::vector<Step> steps_from_json(std::string_view json);

/// These functions, as StepsField takes them.
extern const StepsText steps_text;

}  // namespace threadscape
