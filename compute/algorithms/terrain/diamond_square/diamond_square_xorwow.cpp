#include "compute/algorithms/terrain/diamond_square/diamond_square_xorwow.h"

#include <algorithm>
#include <cstddef>

namespace threadscape::diamond_square {

namespace {

constexpr std::size_t streams_at_once = 256;  // Their states and numbers stay in the L1 cache.
constexpr std::uint32_t xorwow_increment = 362437;
using Register = std::array<std::uint32_t, 5>;

/// One step of the shift register; the new word is the last one.
Register stepped(const Register& v) {
  const std::uint32_t t = v[0] ^ v[0] >> 2;
  return {v[1], v[2], v[3], v[4], (v[4] ^ v[4] << 4) ^ (t ^ t << 1)};
}

/// A linear map of the register's 160 bits: its values for the registers with a single bit.
using BitMatrix = std::array<Register, 160>;

Register times(const BitMatrix& matrix, const Register& v) {
  Register sum{};
  for (std::size_t bit = 0; bit < matrix.size(); ++bit)
    if (v[bit / 32] >> bit % 32 & 1)
      for (std::size_t word = 0; word < sum.size(); ++word)
        sum[word] ^= matrix[bit][word];
  return sum;
}

/// The map of 2^67 steps.
const BitMatrix& subsequence_matrix() {
  static const BitMatrix matrix = [] {
    BitMatrix power;
    for (std::size_t bit = 0; bit < power.size(); ++bit) {
      Register one{};
      one[bit / 32] = std::uint32_t{1} << bit % 32;
      power[bit] = stepped(one);
    }
    for (int i = 0; i < 67; ++i) {
      const BitMatrix root = power;
      for (std::size_t bit = 0; bit < power.size(); ++bit)
        power[bit] = times(root, root[bit]);
    }
    return power;
  }();
  return matrix;
}

/// A register with its counter.
struct State {
  Register words;
  std::uint32_t counter;
};

/// The start of the sequence of a seed, as curand_init() makes it.
State start_of(std::uint64_t seed) {
  const std::uint32_t low = 1099087573u * (static_cast<std::uint32_t>(seed) ^ 0xaad26b49u);
  const std::uint32_t high = 2591861531u * (static_cast<std::uint32_t>(seed >> 32) ^ 0xf7dcefddu);
  return {{123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low},
          6615241u + high + low};
}

/// Calls f(t, state) for the starts of the first `count` streams.
template <class F>
void for_starts(Random random, std::uint64_t seed, int count, const F& f) {
  State state = start_of(seed);
  for (int t = 0; t < count; ++t) {
    if (random == Random::xorwow_seeded) state = start_of(seed + static_cast<std::uint64_t>(t));
    f(t, state);
    // The counter is the same 2^67 steps later, since it has 32 bits.
    if (random == Random::xorwow && t + 1 < count) state.words = times(subsequence_matrix(), state.words);
  }
}

/// Fills the part of the table that comes from the streams first .. first + streams_at_once - 1.
void fill_from(XorwowStates& states, std::size_t first, std::span<std::uint16_t> numbers, const std::stop_token& stop) {
  std::array<std::uint16_t, streams_at_once> row;
  for (std::size_t at = first; at < numbers.size() && !stop.stop_requested(); at += xorwow_streams) {
    for (std::size_t i = 0; i < streams_at_once; ++i) {
      const std::size_t t = first + i;
      const Register next =
          stepped({states.words[0][t], states.words[1][t], states.words[2][t], states.words[3][t], states.words[4][t]});
      for (std::size_t word = 0; word < next.size(); ++word)
        states.words[word][t] = next[word];
      states.counters[t] += xorwow_increment;
      row[i] = static_cast<std::uint16_t>((next[4] + states.counters[t]) >> 16);
    }
    std::copy_n(row.begin(), std::min(streams_at_once, numbers.size() - at),
                numbers.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

}  // namespace

void fill_numbers(Random random, std::uint64_t seed, std::span<std::uint16_t> numbers, XorwowStates& states,
                  int threads, const std::stop_token& stop) {
  const std::size_t groups = (numbers.size() + streams_at_once - 1) / streams_at_once;
  const auto used = static_cast<int>(std::min<std::size_t>(groups * streams_at_once, xorwow_streams));
  for_starts(random, seed, used, [&](int t, const State& state) {
    for (std::size_t word = 0; word < state.words.size(); ++word)
      states.words[word][static_cast<std::size_t>(t)] = state.words[word];
    states.counters[static_cast<std::size_t>(t)] = state.counter;
  });
  constexpr int parts = xorwow_streams / static_cast<int>(streams_at_once);
#pragma omp parallel for schedule(static) num_threads(std::clamp(threads, 1, parts))
  for (int part = 0; part < parts; ++part)
    fill_from(states, static_cast<std::size_t>(part) * streams_at_once, numbers, stop);
}

std::uint16_t first_number(Random random, std::uint64_t seed, int i) {
  std::uint16_t number = 0;
  for_starts(random, seed, i + 1, [&](int, const State& state) {
    number = static_cast<std::uint16_t>((stepped(state.words)[4] + state.counter + xorwow_increment) >> 16);
  });
  return number;
}

}  // namespace threadscape::diamond_square
