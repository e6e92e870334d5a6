#pragma once
// A list of algorithms that are applied one after another: the value of a parameter of the algorithm `chain`.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/registry/algorithm_info.h"

namespace threadscape {

struct Step {
  const AlgorithmInfo* algorithm = nullptr;
  ParamBox params;
  bool on = true;
  friend bool operator==(const Step&, const Step&) = default;
};

/// Returns whether an algorithm can be a step: it maps pictures to pictures, and has no steps itself.
[[nodiscard]] bool is_filter(const AlgorithmInfo& algorithm);

/// Formats the steps as text: "median size=5 | off sobel norm=l2". Parameters that are not named have their default
/// values. `off` marks a step that is kept but not run. Values with spaces, bars or quotes are enclosed in double
/// quotes, with a backslash before each quote and backslash in them.
[[nodiscard]] std::string to_text(std::span<const Step> steps);
/// The inverse of to_text(). Throws UsageError with the number of the faulty step and the reason.
[[nodiscard]] std::vector<Step> parse_steps(std::string_view text);

/// Formats the steps as JSON: [{"algorithm": "median", "on": true, "params": {"size": 5, ...}}, ...].
[[nodiscard]] std::string steps_to_json(std::span<const Step> steps);
/// The inverse of steps_to_json(). Parameters that are missing have their default values. The steps may also be a
/// string in the form of to_text(). Throws UsageError with the number of the faulty step and the reason.
[[nodiscard]] std::vector<Step> steps_from_json(std::string_view json);

/// Pointers to the conversion functions above, which the parameter type StepsField needs.
extern const StepsText steps_text;

}  // namespace threadscape
