#include "compute/core/suggestion.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace threadscape {

namespace {

constexpr std::size_t max_shown = 3;
constexpr std::size_t min_part = 3;  ///< Letters that a word needs at least to be recognised inside another one.

std::string lower(std::string_view text) {
  std::string result(text);
  // Only ASCII is changed, so that the result does not depend on the locale.
  std::ranges::transform(result, result.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return result;
}

/// The minimum number of letters to insert, remove, replace or exchange with their neighbour to get from one word to
/// the other, where no letter is changed twice (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

bool contains(std::string_view whole, std::string_view part) {
  return part.size() >= min_part && whole.find(part) != std::string_view::npos;
}

}  // namespace

std::vector<std::string_view> near_names(std::string_view word, std::span<const std::string_view> known) {
  const std::string wanted = lower(word);
  std::vector<std::pair<std::size_t, std::string_view>> found;
  for (const std::string_view name : known) {
    const std::string candidate = lower(name);
    const std::size_t limit = std::max<std::size_t>(1, candidate.size() / 3);
    const std::size_t most = std::min(limit, std::max<std::size_t>(candidate.size(), 1) - 1);
    // Words have at least as many errors as their lengths differ, which saves the time for most of them.
    const bool may_be_near = wanted.size() <= candidate.size() + most && candidate.size() <= wanted.size() + most;
    const std::size_t errors = may_be_near ? distance(wanted, candidate) : most + 1;
    if (errors <= most)
      found.emplace_back(errors, name);
    else if (contains(candidate, wanted) || contains(wanted, candidate))
      found.emplace_back(limit, name);
  }
  std::ranges::stable_sort(found, {}, [](const auto& entry) { return entry.first; });
  if (found.size() > max_shown) found.resize(max_shown);
  std::vector<std::string_view> names;
  for (const auto& entry : found)
    names.push_back(entry.second);
  return names;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
  std::string text;
  for (const std::string_view name : near_names(word, known))
    text += (text.empty() ? "did you mean " : " or ") + std::string(name);
  return text.empty() ? text : text + "?";
}

std::string suggestion_and_list(std::string_view word, std::span<const std::string_view> known,
                                std::string_view separator) {
  std::string list;
  for (const std::string_view name : known)
    list.append(list.empty() ? "" : separator).append(name);
  const std::string near = suggestion(word, known);
  return near.empty() ? list : near + " Accepted are " + list;
}

}  // namespace threadscape
