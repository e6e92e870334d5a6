#include "compute/algorithms/sequences/distributions.h"

#include <bit>
#include <limits>

#include "compute/core/data.h"
#include "compute/kernel/philox.h"

namespace threadscape::sequences {

namespace {

constexpr int few_bits = 4;                                // random bits of a value of `few`, which has 16 values
constexpr std::uint64_t middle_word = 0xB504F333F9DE6484;  // the value of `equal`: sqrt(1/2) of the range, arbitrary

/// Maps 0 .. 2^64 - 1 linearly to the range of the type.
template <class T>
T at_fraction(std::uint64_t word) {
  const auto high = static_cast<std::uint32_t>(word >> 32);
  if constexpr (std::is_same_v<T, float>)
    return unit_float(high);
  else if constexpr (std::is_same_v<T, double>)
    return static_cast<double>(word >> 11) * 0x1p-53;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return static_cast<std::int64_t>(word >> 30) - (std::int64_t{1} << 33);
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return std::bit_cast<std::int32_t>(high ^ 0x80000000u);
  else
    return high;
}

/// Fills a sequence in groups of four values. A group takes its high words from one block of random numbers, and 64-bit
/// values take their low words from another one.
template <class T>
void fill(T* values, std::int64_t count, Distribution distribution, std::uint64_t seed) {
  const std::uint64_t step = std::numeric_limits<std::uint64_t>::max() / static_cast<std::uint64_t>(count);
  const std::int64_t quarters = (count + 3) / 4;
#pragma omp parallel for schedule(static)
  for (std::int64_t quarter = 0; quarter < quarters; ++quarter) {
    const auto number = static_cast<std::uint64_t>(quarter);
    PhiloxBlock high{}, low{};
    if (distribution == Distribution::random || distribution == Distribution::few) {
      high = philox({{static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32), 0, 0}}, seed);
      if (sizeof(T) == 8)
        low = philox({{static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32), 1, 0}}, seed);
    }
    for (std::int64_t i = 4 * quarter, k = 0; k < 4 && i < count; ++i, ++k) {
      const auto place = static_cast<std::uint64_t>(i);
      std::uint64_t word = std::uint64_t{high.word[k]} << 32 | low.word[k];
      switch (distribution) {
        case Distribution::random:
          break;
        case Distribution::sorted:
          word = place * step;
          break;
        case Distribution::reversed:
          word = (static_cast<std::uint64_t>(count) - 1 - place) * step;
          break;
        case Distribution::few:
          word = word >> (64 - few_bits) << (64 - few_bits);
          break;
        case Distribution::equal:
          word = middle_word;
          break;
      }
      values[i] = at_fraction<T>(word);
    }
  }
}

}  // namespace

HostArray make_sequence(Element element, std::int64_t count, Distribution distribution, std::uint64_t seed) {
  HostArray array({Kind::sequence, element, 1, count, 1, 1});
  const auto filled = [&]<class T>(T*) {
    if (count > 0) fill(array.view().sequence<T>().data, count, distribution, seed);
  };
  switch (element) {
    case Element::i32:
      filled(static_cast<std::int32_t*>(nullptr));
      break;
    case Element::u32:
      filled(static_cast<std::uint32_t*>(nullptr));
      break;
    case Element::i64:
      filled(static_cast<std::int64_t*>(nullptr));
      break;
    case Element::f32:
      filled(static_cast<float*>(nullptr));
      break;
    case Element::f64:
      filled(static_cast<double*>(nullptr));
      break;
    default:
      throw std::logic_error("no sequence of " + std::string(name_of(element)));
  }
  return array;
}

}  // namespace threadscape::sequences
