// Tests of memory_access: each pattern against what defines it elsewhere (a transposed matrix, a rotation, a geometric
// series), and the words that the lanes of a warp read.

#include "compute/algorithms/sequences/memory_access/memory_access.h"
#include "compute/registry/registry.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>

#include "tests/support/compute/sequence_testing.h"

namespace threadscape::testing {
namespace {

using memory_access::Pattern;
using MemoryAccessParams = MemoryAccess::Params;
using Words = std::vector<std::int32_t>;

MemoryAccessParams pattern_params(Pattern pattern, int stride = 32, int offset = 1, int rounds = 2) {
  return {.count = 1, .pattern = pattern, .stride = stride, .offset = offset, .rounds = rounds};
}

Words counted(int count) {
  Words words(static_cast<std::size_t>(count));
  std::iota(words.begin(), words.end(), 1);
  return words;
}

/// Checks the result of both CPU backends.
void expect_result(const MemoryAccessParams& params, const Words& input, const Words& wanted) {
  const HostArray in = sequence_of(input);
  EXPECT_EQ(values_of<std::int32_t>(run_sequence<MemoryAccess>(Backend::serial, 0, params, in)), wanted);
  for (const int threads : {1, 3})
    EXPECT_EQ(values_of<std::int32_t>(run_sequence<MemoryAccess>(Backend::openmp, 0, params, in, threads)), wanted)
        << threads << " threads";
}

TEST(MemoryAccess, CoalescedReadsKeepTheOrder) {
  expect_result(pattern_params(Pattern::coalesced), counted(40000), counted(40000));
}

TEST(MemoryAccess, StridedReadsTransposeAMatrix) {
  for (const auto& [rows, columns, behind] : {std::tuple{3, 4, 0}, {1250, 32, 17}, {5, 4096, 100}, {0, 7, 6}}) {
    Words input = counted(rows * columns + behind), wanted = input;
    for (int column = 0; column < columns; ++column)
      for (int row = 0; row < rows; ++row)
        wanted[static_cast<std::size_t>(column * rows + row)] = input[static_cast<std::size_t>(row * columns + column)];
    expect_result(pattern_params(Pattern::strided, columns), input, wanted);
  }
}

TEST(MemoryAccess, MisalignedReadsRotate) {
  for (const int offset : {0, 1, 31, 4096}) {
    Words wanted = counted(40001);
    std::rotate(wanted.begin(), wanted.begin() + offset % 40001, wanted.end());
    expect_result(pattern_params(Pattern::misaligned, 1, offset), counted(40001), wanted);
  }
  expect_result(pattern_params(Pattern::misaligned, 1, 5), {7, 8, 9}, {9, 7, 8});
}

TEST(MemoryAccess, RandomReadsSpreadOverTheSequence) {
  // The known values of the finalizer of MurmurHash3.
  EXPECT_EQ(memory_access::mixed(0), 0u);
  EXPECT_EQ(memory_access::mixed(1), 0x514E28B7u);
  constexpr int count = 65536;
  Words wanted(count);
  std::set<std::int32_t> different;
  for (std::uint32_t i = 0; i < count; ++i) {
    wanted[i] =
        static_cast<std::int32_t>(memory_access::mixed(i) >> 16) + 1;  // 2^16 words: the upper half of the bits.
    different.insert(wanted[i]);
  }
  expect_result(pattern_params(Pattern::random), counted(count), wanted);
  // Independent choices leave out a share of 1 / e = 0.368 of all words, with a standard deviation of 0.001.
  EXPECT_NEAR(static_cast<double>(different.size()) / count, 1.0 - std::exp(-1.0), 0.006);
}

TEST(MemoryAccess, EqualWordsGiveAGeometricSeries) {
  // From v, n steps of 3 r + v give v (3^n + (3^n - 1) / 2).
  for (const Pattern pattern :
       {Pattern::registers, Pattern::constant, Pattern::constant_apart, Pattern::shared, Pattern::conflicts,
        Pattern::struct_8, Pattern::struct_5, Pattern::l1, Pattern::l2, Pattern::local})
    for (const int rounds : {1, 5}) {
      std::uint64_t power = 1;
      for (int n = 0; n < rounds * 32; ++n)
        power *= 3;
      // 3^n - 1 is even, and its upper bits beyond 2^64 do not reach the lower 32 bits of its half.
      const auto factor = static_cast<std::uint32_t>(power + (power - 1) / 2);
      const auto word = std::bit_cast<std::int32_t>(7u * factor);
      expect_result(pattern_params(pattern, 32, 1, rounds), Words(2000, 7), Words(2000, word));
    }
}

/// The places of the table that a lane reads: those whose word changes its result.
std::set<int> places_read(const MemoryAccessParams& params, int lane) {
  constexpr int words = memory_access::table_words;
  const Words zeros(words, 0);
  std::set<int> places;
  for (int place = 0; place < words; ++place) {
    if (place == lane) continue;  // This word is the start of the lane's result.
    Words input = zeros;
    input[static_cast<std::size_t>(place)] = 1;
    const HostArray result = run_sequence<MemoryAccess>(Backend::serial, 0, params, sequence_of(input));
    if (values_of<std::int32_t>(result)[static_cast<std::size_t>(lane)] != 0) places.insert(place);
  }
  return places;
}

std::set<int> range(int first, int count, int without) {
  std::set<int> places;
  for (int i = first; i < first + count; ++i)
    if (i != without) places.insert(i);
  return places;
}

TEST(MemoryAccess, LanesReadTheWordsOfTheirPattern) {
  EXPECT_EQ(places_read(pattern_params(Pattern::registers), 5), range(0, 32, 5));
  EXPECT_EQ(places_read(pattern_params(Pattern::constant), 5), range(0, 64, 5))
      << "two rounds of 32 words, for all lanes";
  EXPECT_EQ(places_read(pattern_params(Pattern::constant_apart), 5), range(5, 64, 5));
  EXPECT_EQ(places_read(pattern_params(Pattern::shared), 5), range(5, 64, 5));
  EXPECT_EQ(places_read(pattern_params(Pattern::conflicts, 32), 5), range(160, 64, 5));
  EXPECT_EQ(places_read(pattern_params(Pattern::l1), 5), range(5, 64, 5));
  EXPECT_EQ(places_read(pattern_params(Pattern::l2), 5), range(5, 64, 5));
  EXPECT_EQ(places_read(pattern_params(Pattern::local), 5), range(0, 32, 5)) << "every thread has the same words";
}

TEST(MemoryAccess, ADegreeOfConflictsIsTheCommonDivisorOfStrideAndBanks) {
  for (int stride = 1; stride <= 32; ++stride) {
    const MemoryAccessParams params = pattern_params(Pattern::conflicts, stride);
    const auto plan = MemoryAccess::plan(params, {Kind::sequence, Element::i32, 1, 4096, 1, 1});
    std::vector<std::set<int>> words_of_bank(32);
    for (int lane = 0; lane < memory_access::lanes; ++lane) {
      const int word = memory_access::first_word(plan, lane, 0);
      words_of_bank[static_cast<std::size_t>(word % 32)].insert(word);
    }
    const auto worst = std::ranges::max_element(words_of_bank, {}, [](const auto& words) { return words.size(); });
    EXPECT_EQ(worst->size(), static_cast<std::size_t>(std::gcd(stride, 32))) << stride;
  }
}

TEST(MemoryAccess, StatesTheBytesOfAllReadsAndWrites) {
  const Shape shape{Kind::sequence, Element::i32, 1, 1000, 1, 1};
  const auto bytes = [&](const MemoryAccessParams& params) {
    return bytes_moved(find_algorithm("memory_access"), ParamBox::of(params), shape, shape);
  };
  EXPECT_EQ(bytes(pattern_params(Pattern::strided)), 8000.0);
  EXPECT_EQ(bytes(pattern_params(Pattern::shared, 1, 1, 3)), 1000.0 * 4 * (2 + 3 * 32));
}

TEST(MemoryAccess, OtherInputsAreRefused) {
  const MemoryAccessParams params;
  EXPECT_THROW(MemoryAccess::output_shape(params, {Kind::sequence, Element::f32, 1, 10, 1, 1}), UsageError);
  EXPECT_THROW(MemoryAccess::output_shape(params, {Kind::sequence, Element::i32, 1, (1 << 27) + 1, 1, 1}), UsageError);
  EXPECT_NO_THROW(MemoryAccess::output_shape(params, {Kind::sequence, Element::i32, 1, 1 << 27, 1, 1}));
}

}  // namespace
}  // namespace threadscape::testing
