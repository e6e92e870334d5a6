#pragma once
// u16x2: pairs of 16-bit integers in a 32-bit word, so that one instruction computes two pixels. A word of four bytes
// (four neighbouring pixels of one plane) becomes two such pairs:
//
//   bits      31..24   23..16   15..8    7..0
//   word      pixel 3  pixel 2  pixel 1  pixel 0
//   even      0        pixel 2  0        pixel 0      even_pixels(word)
//   odd       0        pixel 3  0        pixel 1      odd_pixels(word)
//
// As long as every sum stays below 2^16, plain 32-bit additions never carry from the lower element to the upper one.

#include "compute/engines/patches/packed_patch.h"

namespace threadscape {

/// Pixels 0 and 2 of a word of four bytes, as u16x2.
TS_HD inline std::uint32_t even_pixels(std::uint32_t word) {
  return word & 0x00ff00ff;
}
/// Pixels 1 and 3 of a word of four bytes, as u16x2.
TS_HD inline std::uint32_t odd_pixels(std::uint32_t word) {
  return pick_bytes(word, 0, 0x4341);
}
/// The upper element of `left` followed by the lower element of `right`: with two neighbouring words of even (or odd)
/// pixels these are the pixels two columns to the right of those in `left`.
TS_HD inline std::uint32_t between(std::uint32_t left, std::uint32_t right) {
  return pick_bytes(left, right, 0x5432);
}

/// The maximum of each pair of elements.
TS_HD inline std::uint32_t max_u16x2(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  return __vmaxu2(a, b);
#else
  const std::uint32_t low = (a & 0xffff) > (b & 0xffff) ? a : b, high = a >> 16 > b >> 16 ? a : b;
  return (low & 0xffff) | (high & 0xffff0000);
#endif
}
/// The maximum of each triple of elements: one instruction from compute capability 9.0 on.
TS_HD inline std::uint32_t max_u16x2(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  return __vimax3_u16x2(a, b, c);
#else
  return max_u16x2(max_u16x2(a, b), c);
#endif
}
/// The minimum of each pair of elements.
TS_HD inline std::uint32_t min_u16x2(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  return __vminu2(a, b);
#else
  const std::uint32_t low = (a & 0xffff) < (b & 0xffff) ? a : b, high = a >> 16 < b >> 16 ? a : b;
  return (low & 0xffff) | (high & 0xffff0000);
#endif
}

/// The sum of three words: one instruction (IADD3), which shares its pipe with maxima and byte permutations. It is
/// spelled out in PTX because the compiler would otherwise notice that only one element of some sums is used, and would
/// then add the elements one by one.
TS_HD inline std::uint32_t add_u16x2(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
#if defined(__CUDA_ARCH__)
  asm("add.u32 %0, %0, %1;\n\tadd.u32 %0, %0, %2;" : "+r"(a) : "r"(b), "r"(c));
  return a;
#else
  return a + b + c;
#endif
}

/// Sums written as products. On the GPU, additions and shifts share a pipe with maxima and byte permutations, whereas
/// multiplications have a pipe of their own, which is idle here unless there are so many sums that add_u16x2() has to
/// take some of them back. A kernel gets these constants as an argument, so that the compiler cannot know their values
/// and turn the products back into sums.
struct Factors {
  std::uint32_t one = 1, two = 2, minus_one = ~0u, byte = 256;

  TS_HD std::uint32_t sum(std::uint32_t a, std::uint32_t b) const { return a * one + b; }
  TS_HD std::uint32_t difference(std::uint32_t a, std::uint32_t b) const { return b * minus_one + a; }
  /// The absolute difference of each pair of elements.
  TS_HD std::uint32_t distance(std::uint32_t a, std::uint32_t b) const {
    return difference(max_u16x2(a, b), min_u16x2(a, b));
  }
  /// A word of four bytes from the results for pixels 0 and 2 (`even`) and for pixels 1 and 3 (`odd`), each at most
  /// 255.
  TS_HD std::uint32_t interleaved(std::uint32_t even, std::uint32_t odd) const { return odd * byte + even; }
};

}  // namespace threadscape
