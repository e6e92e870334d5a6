#include "compute/registry/registry.h"

#include <algorithm>
#include <utility>

namespace threadscape {

// Declares `AlgorithmInfo describe_<name>();` for each folder. The list is explicit, so that the linker cannot drop an
// algorithm.
#define THREADSCAPE_ALGORITHM(name) AlgorithmInfo describe_##name();
#include "algorithms.inc"
#undef THREADSCAPE_ALGORITHM

namespace {

/// The Levenshtein distance: the minimum number of letters to insert, remove or replace to get from one word to the
/// other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row.back();
}

std::string joined(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names)
    text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

}  // namespace

std::span<const AlgorithmInfo> algorithms() {
  static const std::vector<AlgorithmInfo> all{
#define THREADSCAPE_ALGORITHM(name) describe_##name(),
#include "algorithms.inc"
#undef THREADSCAPE_ALGORITHM
  };
  return all;
}

const AlgorithmInfo& find_algorithm(std::string_view name) {
  std::vector<std::string_view> near, all;
  for (const AlgorithmInfo& info : algorithms()) {
    if (info.name == name) return info;
    all.push_back(info.name);
    // A name was probably meant if up to a third of its letters are wrong, or if the text is a part of it.
    const bool close = distance(name, info.name) <= std::max<std::size_t>(2, info.name.size() / 3);
    if (close || (name.size() >= 3 && info.name.find(name) != std::string_view::npos)) near.push_back(info.name);
  }
  const std::string what = "algorithm '" + std::string(name) + "' is unknown: ";
  if (!near.empty()) throw UsageError(what + "did you mean " + joined(near) + "?");
  throw UsageError(what + "one of " + joined(all));
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
                   std::string(name_of(backend)) + ": one of " + joined(names));
}

}  // namespace threadscape
