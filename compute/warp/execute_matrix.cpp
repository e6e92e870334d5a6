// Products of small matrices by the lanes of a warp (mma.sync), and the transposition of one (movmatrix). Lane 4 g + t
// holds of A the rows g and g + 8, of B the column g, and of the accumulators the columns 2 t and 2 t + 1 of the rows g
// and g + 8.

#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "compute/warp/decoder.h"
#include "compute/warp/half.h"

namespace threadscape::warp {
namespace {

using Words = std::array<const std::uint32_t*, 8>;

/// The registers of one operand: `count` slots from the `first` one of the operation's list on.
Words words_of(const Warp& warp, const Operation& op, std::uint32_t first, std::uint32_t count) {
  Words words{};
  for (std::uint32_t i = 0; i < count; ++i)
    words[i] = warp.lanes<std::uint32_t>(warp.code->slots[op.list + first + i]);
  return words;
}

/// An element of A or B with `per_word` elements in a register, as bits: A has two registers, of rows g and g + 8, for
/// each 4 * per_word columns; B has one for as many rows.
std::uint32_t element(const Words& words, int row, int k, int per_word, bool is_a) {
  const int part = k / (4 * per_word), within = k % (4 * per_word);
  const int lane = row % 8 * 4 + within / per_word;
  const int word = is_a ? 2 * part + row / 8 : part;
  return words[static_cast<std::size_t>(word)][lane] >> (32 / per_word * (within % per_word));
}

}  // namespace

void multiply_integers(Warp& warp, const Operation& op, std::uint32_t mask) {
  if (mask != all_lanes) return;
  const int depth = op.elements;
  const auto a_words = static_cast<std::uint32_t>(depth / 8), b_words = static_cast<std::uint32_t>(depth / 16);
  const Words a = words_of(warp, op, 4, a_words), b = words_of(warp, op, 4 + a_words, b_words),
              c = words_of(warp, op, 4 + a_words + b_words, 4);
  const auto value = [](std::uint32_t bits, bool is_signed) {
    return is_signed ? std::int64_t{static_cast<std::int8_t>(bits)} : std::int64_t{static_cast<std::uint8_t>(bits)};
  };
  std::uint32_t result[4][warp_lanes];
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      const auto word = static_cast<std::size_t>(row / 8 * 2 + column % 2);
      const int lane = row % 8 * 4 + column / 2;
      auto sum = std::int64_t{static_cast<std::int32_t>(c[word][lane])};
      for (int k = 0; k < depth; ++k)
        sum += value(element(a, row, k, 4, true), (op.mode & 1) != 0) *
               value(element(b, column, k, 4, false), (op.mode & 2) != 0);
      if ((op.mode & 4) != 0)
        sum = std::min<std::int64_t>(std::max<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min()),
                                     std::numeric_limits<std::int32_t>::max());
      result[word][lane] = static_cast<std::uint32_t>(sum);
    }
  for (std::uint32_t word = 0; word < 4; ++word)
    std::memcpy(warp.lanes<std::uint32_t>(warp.code->slots[op.list + word]), result[word], sizeof result[word]);
}

void multiply_halves(Warp& warp, const Operation& op, std::uint32_t mask) {
  if (mask != all_lanes) return;
  const int depth = op.elements;
  const bool single = (op.mode & 1) != 0, brain = (op.mode & 2) != 0;
  const std::uint32_t d_words = single ? 4 : 2;
  const auto a_words = static_cast<std::uint32_t>(depth / 4), b_words = static_cast<std::uint32_t>(depth / 8);
  const Words a = words_of(warp, op, d_words, a_words), b = words_of(warp, op, d_words + a_words, b_words),
              c = words_of(warp, op, d_words + a_words + b_words, d_words);
  const auto value = [&](std::uint32_t bits) {
    return brain ? Bfloat16::value(static_cast<std::uint16_t>(bits)) : Fp16::value(static_cast<std::uint16_t>(bits));
  };
  std::uint32_t result[4][warp_lanes] = {};
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      const int lane = row % 8 * 4 + column / 2;
      const auto word = static_cast<std::size_t>(single ? row / 8 * 2 + column % 2 : row / 8);
      const int shift = single ? 0 : 16 * (column % 2);
      double sum = single ? static_cast<double>(std::bit_cast<float>(c[word][lane])) : value(c[word][lane] >> shift);
      for (int k = 0; k < depth; ++k)
        sum += value(element(a, row, k, 2, true)) * value(element(b, column, k, 2, false));
      result[word][lane] |=
          single ? std::bit_cast<std::uint32_t>(static_cast<float>(sum)) : std::uint32_t{Fp16::bits(sum)} << shift;
    }
  for (std::uint32_t word = 0; word < d_words; ++word)
    std::memcpy(warp.lanes<std::uint32_t>(warp.code->slots[op.list + word]), result[word], sizeof result[word]);
}

void transpose_matrix(Warp& warp, const Operation& op, std::uint32_t mask) {
  // Lane 4 g + t has the elements 2 t and 2 t + 1 of row g, and gets those of column g.
  if (mask != all_lanes) return;
  const std::uint32_t* const from = warp.lanes<std::uint32_t>(op.s[0]);
  std::uint32_t result[warp_lanes];
  for (int lane = 0; lane < warp_lanes; ++lane) {
    const int column = lane / 4, row = lane % 4 * 2, shift = 16 * (column % 2);
    const std::uint32_t first = from[4 * row + column / 2] >> shift, second = from[4 * (row + 1) + column / 2] >> shift;
    result[lane] = (first & 0xffff) | second << 16;
  }
  std::memcpy(warp.lanes<std::uint32_t>(op.d), result, sizeof result);
}

}  // namespace threadscape::warp
