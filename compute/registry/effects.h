#pragma once
// Which parameters have no effect now (compute/registry/facets/effects.h), and what stands in the place of their
// values.

#include <optional>
#include <string>
#include <string_view>

#include "compute/registry/algorithm_info.h"

namespace threadscape {

/// The rule by which this parameter has no effect with the present values of the others and this source of the input;
/// null if it has one.
[[nodiscard]] const EffectRule* rule_against(const AlgorithmInfo& algorithm, const ParamBox& params,
                                             std::string_view field, bool file_is_open = false);

/// The value that stands in the place of a parameter without effect, as text: the number of voxels that follows from
/// other parameters, or the length of a sequence in a file. None if no value does. Throws UsageError for parameters or
/// an input that do not fit the algorithm.
[[nodiscard]] std::optional<std::string> derived_value(const AlgorithmInfo& algorithm, const ParamBox& params,
                                                       std::string_view field, const Shape& input);

}  // namespace threadscape
