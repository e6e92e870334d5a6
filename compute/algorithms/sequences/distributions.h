#pragma once
// Sequences made from nothing but a length, a distribution and a seed: what sorting and reduction work on when no file
// is given.

#include <array>
#include <cstdint>
#include <string_view>

#include "compute/core/data.h"

namespace threadscape::sequences {

/// random: independent. sorted, reversed: evenly spaced over the range. few: random, of 16 values. equal: one value.
enum class Distribution : std::uint8_t { random, sorted, reversed, few, equal };
inline constexpr std::array<std::string_view, 5> distribution_names{"random", "sorted", "reversed", "few", "equal"};

/// 32-bit integers use their full range, floats [0, 1), 64-bit integers -2^33 .. 2^33 - 1, so that the sum of 2^30 of
/// them is no larger than the type. Random words are Philox4x32-10, counted by the position in the sequence: equal on
/// every machine and for any number of threads. Throws EnvironmentError when memory runs out.
[[nodiscard]] HostArray make_sequence(Element element, std::int64_t count, Distribution distribution,
                                      std::uint64_t seed);

}  // namespace threadscape::sequences
