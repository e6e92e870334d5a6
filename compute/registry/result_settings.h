#pragma once
// What the result of a run states for the next algorithm (apply_settings() takes it).

#include "compute/registry/algorithm_info.h"

namespace threadscape {

/// The settings of the result of a run with these parameters on an input of this shape. `given` are the settings of the
/// input, which an algorithm from volume to volume or from picture to picture without a facet of its own keeps. Other
/// results state nothing.
[[nodiscard]] inline ResultSettings settings_of_result(const AlgorithmInfo& algorithm, const ParamBox& params,
                                                       const Shape& input, const ResultSettings& given) {
  if (algorithm.result_settings) return algorithm.result_settings->of(params, input);
  const bool keeps =
      algorithm.input == algorithm.output && (algorithm.input == Kind::volume || algorithm.input == Kind::image);
  return keeps ? given : ResultSettings{};
}

}  // namespace threadscape
