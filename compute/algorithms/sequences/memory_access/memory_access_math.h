#pragma once
// The places that the threads read by each pattern, shared by all backends. A thread computes one word of the result.
//
//   coalesced    thread i reads word i                         | 0 1 2 3 4 5 6 7 ...      one line for all lanes
//   strided      lanes read words `stride` apart               | 0 . . . 1 . . . 2 ...    many lines, a word of each
//   misaligned   thread i reads word i + offset                | . . 0 1 2 3 4 5 6 ...    one line more
//   random       lanes read any words                          | . 3 . . 0 . 1 . . 2 ...  a line for each lane
//
// All other patterns read a small table many times, which lies in registers, in constant, shared or global memory. In
// global memory it stays in the cache of the multiprocessor (l1), or its reads pass that and go to the cache of all of
// them (l2). In local memory every thread has the words of a round for itself, in an array that is too variable for
// registers; the words of neighbouring threads lie beside each other, in the cache of the multiprocessor. For
// struct_8 and struct_5 the table in shared memory is an array of structures of 8 and 5 bytes, of which thread i reads
// the word that structure i begins in.

#include "compute/kernel/views.h"

namespace threadscape::memory_access {

enum class Pattern : std::uint8_t {
  coalesced,
  strided,
  misaligned,
  random,
  registers,
  constant,
  constant_apart,
  shared,
  conflicts,
  struct_8,
  struct_5,
  l1,
  l2,
  local
};

/// Returns true for patterns whose threads read the table, false for those that read each place of the input directly.
constexpr bool reads_table(Pattern pattern) {
  return pattern >= Pattern::registers;
}

inline constexpr int lanes = 32;        ///< Threads of a warp.
inline constexpr int round_reads = 32;  ///< Reads of a thread in one round: neighbouring words of the table.
inline constexpr int span = 1024;       ///< The first word that a round reads is below this, a power of two.
inline constexpr int table_words = span + round_reads;

/// The places that the threads of a run read, passed to kernels by value. `count` is the length of the sequence.
struct Plan {
  Pattern pattern = Pattern::coalesced;
  std::uint32_t count = 0;
  /// strided: the sequence is a matrix with `stride` columns and `rows` rows, which is read column by column. The words
  /// behind its last row are read as by `coalesced`.
  std::uint32_t stride = 1, rows = 0;
  std::uint32_t offset = 0;  ///< misaligned: less than `count`.
  int lane_bytes = 0;        ///< Patterns with a table: distance of what neighbouring lanes read.
  int round_step = 0;        ///< Patterns with a table: distance of the words that a thread reads in successive rounds.
  int rounds = 0;            ///< Patterns with a table: the number of rounds.
};

/// A mix of the bits of i that spreads neighbours over all words: the finalizer of MurmurHash3.
TS_HD inline std::uint32_t mixed(std::uint32_t i) {
  i = (i ^ i >> 16) * 0x85EBCA6Bu;
  i = (i ^ i >> 13) * 0xC2B2AE35u;
  return i ^ i >> 16;
}

/// The place that thread i reads, for patterns without a table.
template <Pattern pattern>
TS_HD std::uint32_t place_of(const Plan& plan, std::uint32_t i) {
  if constexpr (pattern == Pattern::strided) {
    return i < plan.rows * plan.stride ? i % plan.rows * plan.stride + i / plan.rows : i;
  } else if constexpr (pattern == Pattern::misaligned) {
    return i < plan.count - plan.offset ? i + plan.offset : i + plan.offset - plan.count;
  } else if constexpr (pattern == Pattern::random) {
    return static_cast<std::uint32_t>(std::uint64_t{mixed(i)} * plan.count >> 32);
  } else {
    return i;
  }
}

/// The first word of the table that a lane reads in a round; it reads the following round_reads - 1 words too.
TS_HD inline int first_word(const Plan& plan, int lane, int round) {
  return (lane * plan.lane_bytes / 4 + round * plan.round_step) & (span - 1);
}

/// Adds a word to the result of a thread. The order of the words matters, so that no compiler can leave out a read.
TS_HD inline std::uint32_t fold(std::uint32_t result, std::uint32_t word) {
  return result * 3 + word;
}

/// Word w of the table: the sequence from its start, repeated if it is shorter.
TS_HD inline std::uint32_t table_word(const Plan& plan, const std::uint32_t* in, std::uint32_t w) {
  return in[w % plan.count];
}

/// Calls f with the pattern as a compile-time constant, for patterns without a table.
template <class F>
void with_direct_pattern(Pattern pattern, F&& f) {
  switch (pattern) {
    case Pattern::strided:
      return f.template operator()<Pattern::strided>();
    case Pattern::misaligned:
      return f.template operator()<Pattern::misaligned>();
    case Pattern::random:
      return f.template operator()<Pattern::random>();
    default:
      return f.template operator()<Pattern::coalesced>();
  }
}

}  // namespace threadscape::memory_access
