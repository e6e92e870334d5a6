#include "compute/registry/registry.h"

#include "compute/core/suggestion.h"

namespace threadscape {

// Declares `AlgorithmInfo describe_<name>();` for each folder. The list is explicit, so that the linker cannot drop an
// algorithm.
#define THREADSCAPE_ALGORITHM(name) AlgorithmInfo describe_##name();
#include "algorithms.inc"
#undef THREADSCAPE_ALGORITHM

std::span<const AlgorithmInfo> algorithms() {
  static const std::vector<AlgorithmInfo> all{
#define THREADSCAPE_ALGORITHM(name) describe_##name(),
#include "algorithms.inc"
#undef THREADSCAPE_ALGORITHM
  };
  return all;
}

const AlgorithmInfo& find_algorithm(std::string_view name) {
  std::vector<std::string_view> all;
  for (const AlgorithmInfo& info : algorithms()) {
    if (info.name == name) return info;
    all.push_back(info.name);
  }
  const std::string what = "algorithm '" + std::string(name) + "' is unknown: ";
  // The list of all algorithms would bury the suggestion.
  if (const std::string near = suggestion(name, all); !near.empty()) throw UsageError(what + near);
  throw UsageError(what + "one of " + suggestion_and_list(name, all, ", "));
}

std::vector<const AlgorithmInfo*> find_algorithms(std::span<const std::string> names) {
  std::vector<const AlgorithmInfo*> found;
  for (const std::string& name : names)
    found.push_back(&find_algorithm(name));
  if (found.empty())
    for (const AlgorithmInfo& algorithm : algorithms())
      found.push_back(&algorithm);
  return found;
}

int AlgorithmInfo::variant_index(Backend backend, std::string_view variant) const {
  const std::span<const Variant> known = variants_of(backend);
  if (variant.empty()) return 0;
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i].name == variant) return static_cast<int>(i);
    names.push_back(known[i].name);
  }
  throw UsageError(std::string(name) + " has no variant '" + std::string(variant) + "' on " +
                   std::string(name_of(backend)) + ": " + suggestion_and_list(variant, names));
}

}  // namespace threadscape
