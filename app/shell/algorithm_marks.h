#pragma once
// What a user has marked in the list of algorithms, and the ranked search in it.

#include <string>
#include <string_view>
#include <vector>

#include "compute/registry/algorithm_info.h"

namespace threadscape::app {

/// The marks in the list of algorithms, which the settings keep. Algorithms are stated by their names.
struct AlgorithmMarks {
  static constexpr std::size_t max_recent = 4;

  std::vector<std::string> favourites;  ///< In the order in which they were marked.
  std::vector<std::string> recent;      ///< The algorithms that were chosen last, the latest first.
  std::vector<std::string> folded;      ///< The groups whose algorithms are hidden.

  /// Puts an algorithm to the front of the recent ones.
  void note(std::string_view name);
  /// Adds a name to one of the lists, or removes it.
  static void toggle(std::vector<std::string>& list, std::string_view name);
  [[nodiscard]] static bool has(const std::vector<std::string>& list, std::string_view name);
};

/// The algorithms that somebody means who types `wanted`, the best first: those whose title begins with it, then those
/// with a word of the title, anything of the title, the name, and the summary.
[[nodiscard]] std::vector<const AlgorithmInfo*> ranked_algorithms(std::string_view wanted);

}  // namespace threadscape::app
