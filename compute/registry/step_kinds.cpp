#include "compute/registry/step_kinds.h"

#include <algorithm>

#include "compute/core/kind_conversion.h"
#include "compute/core/kind_info.h"
#include "compute/registry/registry.h"

namespace threadscape {

std::string why_not_after(const AlgorithmInfo& before, const AlgorithmInfo& step) {
  if (step.input == Kind::none) return "it takes no input, so it can only be the first step";
  if (is_convertible(before.output, step.input)) return {};
  return "it gets a " + std::string(info_of(before.output).user_name) + " from " + std::string(before.name) +
         ", and takes a " + std::string(info_of(step.input).user_name);
}

std::string step_name(std::size_t index, const AlgorithmInfo& step) {
  return "step " + std::to_string(index + 1) + ", " + std::string(step.name);
}

std::vector<const AlgorithmInfo*> algorithms_that_take(Kind kind) {
  std::vector<const AlgorithmInfo*> same, converted;
  for (const AlgorithmInfo& info : algorithms()) {
    if (info.input == Kind::none || !is_convertible(kind, info.input)) continue;
    (info.input == kind ? same : converted).push_back(&info);
  }
  std::ranges::stable_sort(converted, {}, &AlgorithmInfo::input);
  same.insert(same.end(), converted.begin(), converted.end());
  return same;
}

}  // namespace threadscape
