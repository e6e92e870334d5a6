#pragma once
// Which algorithm can follow which in a list of steps, where each step works on the result of the step before.

#include <string>
#include <vector>

#include "compute/registry/algorithm_info.h"

namespace threadscape {

/// Returns the reason why `step` cannot work on a result of `before`, as the end of a sentence about the step; "" if it
/// can, with or without a conversion of the kind (is_convertible()).
[[nodiscard]] std::string why_not_after(const AlgorithmInfo& before, const AlgorithmInfo& step);

/// The name of a step in messages: "step 2, sobel" for index 1.
[[nodiscard]] std::string step_name(std::size_t index, const AlgorithmInfo& step);

/// The algorithms that take results of this kind, first those that take the kind itself, then those that take what it
/// can be converted to, kind by kind; in alphabetical order within each kind.
[[nodiscard]] std::vector<const AlgorithmInfo*> algorithms_that_take(Kind kind);

}  // namespace threadscape
