#pragma once
// Suggestions for words that are unknown: names of commands, algorithms, parameters, options and values.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threadscape {

/// The names that were probably meant by `word`, at most three, the nearest first. A name is near if up to a third of
/// its letters (one letter at least) are wrong, missing, superfluous or exchanged with their neighbour, or if one of
/// the two contains the other and both have three letters or more. Upper case equals lower case.
[[nodiscard]] std::vector<std::string_view> near_names(std::string_view word, std::span<const std::string_view> known);

/// "did you mean run?" or "did you mean a or b?" for the names near `word`; "" if there are none.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string_view> known);

/// The end of a message about an unknown word: "did you mean size? Accepted are size | mask", and "size | mask" if no
/// name is near.
[[nodiscard]] std::string suggestion_and_list(std::string_view word, std::span<const std::string_view> known,
                                              std::string_view separator = " | ");

}  // namespace threadscape
