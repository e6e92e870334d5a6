// Tests of sequences: the order of numbers, generated sequences, and raw files.

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "compute/algorithms/sequences/distributions.h"
#include "compute/io/data_file.h"
#include "compute/kernel/number_order.h"
#include "tests/support/compute/sequence_testing.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::testing {
namespace {

using sequences::Distribution;

template <class T>
void expect_order(const std::vector<T>& rising) {
  for (std::size_t i = 0; i < rising.size(); ++i) {
    const auto key = sort_key(rising[i]);
    const T back = from_sort_key<T>(key);
    EXPECT_EQ(std::memcmp(&back, &rising[i], sizeof(T)), 0) << i;
    if (i > 0) {
      EXPECT_LT(sort_key(rising[i - 1]), key) << i;
    }
  }
}

TEST(OrderedBits, IntegersAndFloats) {
  expect_order<std::int32_t>({std::numeric_limits<std::int32_t>::min(), -5, -1, 0, 1, 7, 0x7fffffff});
  expect_order<std::uint32_t>({0, 1, 0x7fffffff, 0x80000000, 0xffffffff});
  expect_order<std::int64_t>({std::numeric_limits<std::int64_t>::min(), -1, 0, 1, std::int64_t{1} << 40});
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  expect_order<float>({-infinity, -3e38f, -1.0f, -1e-45f, -0.0f, 0.0f, 1e-45f, 1.0f, infinity, nan, -nan});
  const double large = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
  expect_order<double>({-large, -1.0, -5e-324, -0.0, 0.0, 5e-324, 2.0, large, none, -none});
}

TEST(OrderedBits, IsABijection) {
  // For every exponent with some mantissas and both signs, a key decodes to the same bits, and no key occurs twice.
  std::set<std::uint32_t> keys;
  std::size_t count = 0;
  for (std::uint32_t high = 0; high < 512; ++high)
    for (const std::uint32_t mantissa : {0u, 1u, 0x400000u, 0x7fffffu}) {
      const std::uint32_t bits = high << 23 | mantissa, key = sort_key_of_float_bits(bits);
      EXPECT_EQ(float_bits_of_sort_key(key), bits);
      keys.insert(key);
      ++count;
    }
  EXPECT_EQ(keys.size(), count);
}

TEST(MakeSequence, Distributions) {
  constexpr std::int64_t count = 4099;
  const auto make = [](Distribution distribution, std::uint64_t seed) {
    return values_of<std::int32_t>(sequences::make_sequence(Element::i32, count, distribution, seed));
  };
  const auto random = make(Distribution::random, 1);
  EXPECT_EQ(random, make(Distribution::random, 1));
  EXPECT_NE(random, make(Distribution::random, 2));
  EXPECT_LT(*std::ranges::min_element(random), -2000000000);
  EXPECT_GT(*std::ranges::max_element(random), 2000000000);
  const auto sorted = make(Distribution::sorted, 1);
  EXPECT_TRUE(std::ranges::is_sorted(sorted));
  EXPECT_EQ(sorted.front(), std::numeric_limits<std::int32_t>::min());
  auto reversed = make(Distribution::reversed, 1);
  std::ranges::reverse(reversed);
  EXPECT_EQ(reversed, sorted);
  const auto few = make(Distribution::few, 1);
  EXPECT_EQ(std::set<std::int32_t>(few.begin(), few.end()).size(), 16u);
  const auto equal = make(Distribution::equal, 1);
  EXPECT_EQ(std::ranges::count(equal, equal.front()), count);
}

TEST(MakeSequence, TypesAndLengths) {
  for (const Element element : {Element::i32, Element::u32, Element::i64, Element::f32, Element::f64})
    for (const std::int64_t count : {1, 2, 3, 5, 1000}) {
      const HostArray made = sequences::make_sequence(element, count, Distribution::random, 7);
      EXPECT_EQ(made.shape(), (Shape{Kind::sequence, element, 1, count, 1, 1}));
      // A value depends on its place alone, so a longer sequence starts with the same values.
      const HostArray longer = sequences::make_sequence(element, count + 9, Distribution::random, 7);
      EXPECT_EQ(std::memcmp(made.data(), longer.data(), made.shape().bytes()), 0);
    }
  for (const float value : values_of<float>(sequences::make_sequence(Element::f32, 1000, Distribution::random, 3))) {
    EXPECT_GE(value, 0.0f);
    EXPECT_LT(value, 1.0f);
  }
}

class SequenceFile : public TestFolder {};

TEST_F(SequenceFile, ComesBack) {
  const HostArray numbers = sequence_of<float>({1.5f, -2.0f, 0.0f});
  for (const char* name : {"numbers.raw", "numbers.BIN"}) {
    const auto file = path(name);
    io::save_data(file, numbers.view(), {});
    EXPECT_EQ(std::filesystem::file_size(file), 12u);
    const auto back = io::load_data(file, {.kind = Kind::sequence, .element = Element::f32}, {});
    EXPECT_EQ(back.pixels.shape(), numbers.shape());
    EXPECT_EQ(values_of<float>(back.pixels), values_of<float>(numbers));
  }
  // A file of sorted pairs holds both rows.
  HostArray pairs({Kind::sequence, Element::i32, 1, 5, 2, 1});
  std::memset(pairs.data(), 3, pairs.shape().bytes());
  io::save_data(path("pairs.raw"), pairs.view(), {});
  EXPECT_EQ(std::filesystem::file_size(path("pairs.raw")), 40u);
}

TEST_F(SequenceFile, Refuses) {
  const Shape wanted{.kind = Kind::sequence, .element = Element::i64};
  const auto write = [&](const char* name, const std::string& bytes) {
    write_bytes(path(name), bytes);
    return path(name);
  };
  const auto message = [&](const std::filesystem::path& file) {
    try {
      (void)io::load_data(file, wanted, {});
    } catch (const EnvironmentError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_NE(message(path("missing.raw")).find("No such file"), std::string::npos);
  EXPECT_NE(message(path(".")).find("directory"), std::string::npos);
  EXPECT_NE(message(write("empty.raw", "")).find("empty"), std::string::npos);
  EXPECT_NE(message(write("odd.raw", "123456789")).find("9 bytes are no whole number of i64"), std::string::npos);
  const HostArray numbers = sequence_of<float>({1.5f});
  EXPECT_THROW(io::save_data(path("numbers.png"), numbers.view(), {}), UsageError);
  EXPECT_THROW(io::require_data_path(path("numbers"), Kind::scalar), UsageError);
  EXPECT_THROW(io::require_data_path(path("no/such/folder.raw"), Kind::sequence), EnvironmentError);
}

}  // namespace
}  // namespace threadscape::testing
