#include "compute/registry/registry.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <mutex>

#include "compute/core/suggestion.h"
#include "compute/registry/diagram.h"

namespace threadscape {

// Declares `AlgorithmInfo describe_<name>();` for each folder, and the functions of the files beside it. The lists are
// explicit, so that the linker cannot drop an algorithm.
#define THREADSCAPE_ALGORITHM(name) AlgorithmInfo describe_##name();
#include "algorithms.inc"
#undef THREADSCAPE_ALGORITHM
#define THREADSCAPE_TRAFFIC(name) Traffic describe_##name##_traffic();
#include "traffic.inc"
#undef THREADSCAPE_TRAFFIC
#define THREADSCAPE_EFFECTS(name) std::span<const EffectRule> effects_of_##name();
#include "effects.inc"
#undef THREADSCAPE_EFFECTS
#define THREADSCAPE_DIAGRAM(name) DiagramInfo describe_##name##_diagram();
#include "diagrams.inc"
#undef THREADSCAPE_DIAGRAM

namespace {

/// The rows. Their memory is reserved at once, so that rows never move, and a reader who knows the number of rows never
/// meets an incomplete one.
class Registry {
 public:
  Registry() {
    std::vector<AlgorithmInfo> built_in{
#define THREADSCAPE_ALGORITHM(name) describe_##name(),
#include "algorithms.inc"
#undef THREADSCAPE_ALGORITHM
    };
    rows_.reserve(built_in.size() + max_added_algorithms);
    std::ranges::move(built_in, std::back_inserter(rows_));
#define THREADSCAPE_TRAFFIC(name) row(#name).traffic = describe_##name##_traffic();
#include "traffic.inc"
#undef THREADSCAPE_TRAFFIC
#define THREADSCAPE_EFFECTS(name) row(#name).effects = effects_of_##name();
#include "effects.inc"
#undef THREADSCAPE_EFFECTS
#define THREADSCAPE_DIAGRAM(name) \
  row(#name).diagrams = std::make_shared<const DiagramInfo>(describe_##name##_diagram());
#include "diagrams.inc"
#undef THREADSCAPE_DIAGRAM
    count_ = rows_.size();
  }

  [[nodiscard]] std::span<const AlgorithmInfo> rows() const {
    return {rows_.data(), count_.load()};
  }

  const AlgorithmInfo& add(const AlgorithmInfo& row) {
    const std::scoped_lock lock(adding_);
    if (std::ranges::find(rows(), row.name, &AlgorithmInfo::name) != rows().end())
      throw UsageError("there is an algorithm '" + std::string(row.name) + "' already");
    if (rows_.size() == rows_.capacity())
      throw EnvironmentError("no more than " + std::to_string(max_added_algorithms) +
                             " algorithms can be added to the running program");
    rows_.push_back(row);
    count_ = rows_.size();
    return rows_.back();
  }

 private:
  AlgorithmInfo& row(std::string_view name) {
    return *std::ranges::find(rows_, name, &AlgorithmInfo::name);
  }

  std::vector<AlgorithmInfo> rows_;
  std::atomic<std::size_t> count_ = 0;
  std::mutex adding_;
};

Registry& registry() {
  static Registry all;
  return all;
}

}  // namespace

std::span<const AlgorithmInfo> algorithms() {
  return registry().rows();
}

const AlgorithmInfo& add_algorithm(const AlgorithmInfo& row) {
  return registry().add(row);
}

double bytes_moved(const AlgorithmInfo& algorithm, const ParamBox& params, const Shape& input, const Shape& output) {
  if (algorithm.traffic.bytes != nullptr) return algorithm.traffic.bytes(params, input);
  return static_cast<double>(input.bytes() + output.bytes());
}

RunPlaces places_of(const AlgorithmInfo& algorithm, const ParamBox& params) {
  return algorithm.traffic.places != nullptr ? algorithm.traffic.places(params) : RunPlaces{};
}

const DiagramInfo& diagrams_of(const AlgorithmInfo& algorithm) {
  static const DiagramInfo none;
  return algorithm.diagrams ? *algorithm.diagrams : none;
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
