#pragma once
// XORWOW, the generator of the source document, as an alternative to Philox. It is that of Marsaglia, "Xorshift RNGs"
// (Journal of Statistical Software 8(14), 2003), with the seeding of cuRAND. A generator has a state and makes its
// numbers one after another, so a terrain takes them from a table in memory, which is filled before they are needed.
//
// Number i of the table comes from stream i mod 4096 and is number i / 4096 of it, its upper 16 bits of 32. That is how
// cuRAND orders the results of a batch:
//
//   xorwow         CURAND_ORDERING_PSEUDO_DEFAULT   stream t is the sequence of the seed from number t * 2^67 on
//   xorwow_seeded  CURAND_ORDERING_PSEUDO_SEEDED    stream t is a sequence with a seed of its own, here seed + t
//
// For xorwow the numbers are those of cuRAND; the seeds that cuRAND derives for its threads are not documented. The
// start of a stream is a product with a matrix for xorwow, and costs nothing for xorwow_seeded, whose streams may be
// correlated for some seeds.

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>

#include "compute/algorithms/terrain/diamond_square/diamond_square_math.h"

namespace threadscape::diamond_square {

inline constexpr int xorwow_streams = 4096;

/// The states of all streams. A state is five words of a linear shift register and a counter.
struct XorwowStates {
  std::array<std::array<std::uint32_t, xorwow_streams>, 5> words;
  std::array<std::uint32_t, xorwow_streams> counters;
};

/// Fills `numbers` with the beginning of the table, on `threads` threads. `states` is working memory. Once `stop` is
/// requested, the rest is left out. `random` is not Random::philox.
void fill_numbers(Random random, std::uint64_t seed, std::span<std::uint16_t> numbers, XorwowStates& states,
                  int threads = 1, const std::stop_token& stop = {});

/// Number i of the table, i < 4096.
[[nodiscard]] std::uint16_t first_number(Random random, std::uint64_t seed, int i);

}  // namespace threadscape::diamond_square
