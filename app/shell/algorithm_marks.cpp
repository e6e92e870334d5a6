#include "app/shell/algorithm_marks.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

/// Where `wanted` is in the text, whatever the case of letters; npos if it is not there.
std::size_t place_of(std::string_view text, std::string_view wanted) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  const auto* const found = std::search(text.begin(), text.end(), wanted.begin(), wanted.end(), same);
  return found == text.end() ? std::string_view::npos : static_cast<std::size_t>(found - text.begin());
}

/// The lower, the better; -1 if the algorithm is not meant.
int rank_of(const AlgorithmInfo& algorithm, std::string_view wanted) {
  constexpr auto none = std::string_view::npos;
  const std::size_t place = place_of(algorithm.title, wanted);
  if (place == 0) return 0;
  if (place_of(algorithm.title, " " + std::string(wanted)) != none) return 1;
  if (place != none) return 2;
  if (place_of(algorithm.name, wanted) != none) return 3;
  return place_of(algorithm.summary, wanted) != none ? 4 : -1;
}

}  // namespace

void AlgorithmMarks::note(std::string_view name) {
  if (!recent.empty() && recent.front() == name) return;
  std::erase(recent, name);
  recent.insert(recent.begin(), std::string(name));
  if (recent.size() > max_recent) recent.resize(max_recent);
}

void AlgorithmMarks::toggle(std::vector<std::string>& list, std::string_view name) {
  if (std::erase(list, name) == 0) list.emplace_back(name);
}

bool AlgorithmMarks::has(const std::vector<std::string>& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

std::vector<const AlgorithmInfo*> ranked_algorithms(std::string_view wanted) {
  std::vector<std::pair<int, const AlgorithmInfo*>> found;
  for (const AlgorithmInfo& algorithm : algorithms())
    if (const int rank = rank_of(algorithm, wanted); rank >= 0) found.emplace_back(rank, &algorithm);
  std::ranges::stable_sort(found, {}, &std::pair<int, const AlgorithmInfo*>::first);
  std::vector<const AlgorithmInfo*> ranked;
  ranked.reserve(found.size());
  for (const auto& [rank, algorithm] : found)
    ranked.push_back(algorithm);
  return ranked;
}

}  // namespace threadscape::app
