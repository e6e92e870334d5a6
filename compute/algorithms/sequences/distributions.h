#pragma once
// Generated sequences: the inputs of sorting and reduction when no file is given. They depend on the type, the length,
// a distribution and a seed only.

#include <array>
#include <cstdint>
#include <string_view>

#include "compute/core/data_view.h"

namespace threadscape::sequences {

/// random: independent and uniform over the range of the type. sorted, reversed: evenly spaced over the range,
/// ascending or descending. few: uniform among 16 values. equal: one value.
enum class Distribution : std::uint8_t { random, sorted, reversed, few, equal };
inline constexpr std::array<std::string_view, 5> distribution_names{"random", "sorted", "reversed", "few", "equal"};

/// A sequence of `count` values. 32-bit integers have their full range, floats and doubles [0, 1), and 64-bit integers
/// -2^33 .. 2^33 - 1, so that a sum of 2^30 of them does not overflow. Random words are Philox4x32-10 with the index as
/// counter, so the sequence is the same on every machine and for any number of threads. Throws EnvironmentError if
/// there is not enough memory.
[[nodiscard]] HostArray make_sequence(Element element, std::int64_t count, Distribution distribution,
                                      std::uint64_t seed);

}  // namespace threadscape::sequences
