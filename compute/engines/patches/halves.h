#pragma once
// Two pixels to an instruction: a word of four bytes becomes two words of two 16-bit numbers, its even pixels and its
// odd ones. As long as sums stay below 2^16, plain additions of words never carry from one half to the other.

#include "compute/engines/patches/packed_patch.h"

namespace threadscape {

/// Pixels 0 and 2, 1 and 3 of a word, with 16 bits each.
TS_HD inline std::uint32_t even_pixels(std::uint32_t word) {
  return word & 0x00ff00ff;
}
TS_HD inline std::uint32_t odd_pixels(std::uint32_t word) {
  return pick_bytes(word, 0, 0x4341);
}
/// The neighbours of two pixels, one to the left or right of them: the high half of `left` and the low half of `right`.
TS_HD inline std::uint32_t between(std::uint32_t left, std::uint32_t right) {
  return pick_bytes(left, right, 0x5432);
}

/// The larger and the smaller one of both halves.
TS_HD inline std::uint32_t larger_halves(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  return __vmaxu2(a, b);
#else
  const std::uint32_t low = (a & 0xffff) > (b & 0xffff) ? a : b, high = a >> 16 > b >> 16 ? a : b;
  return (low & 0xffff) | (high & 0xffff0000);
#endif
}
TS_HD inline std::uint32_t smaller_halves(std::uint32_t a, std::uint32_t b) {
#if defined(__CUDA_ARCH__)
  return __vminu2(a, b);
#else
  const std::uint32_t low = (a & 0xffff) < (b & 0xffff) ? a : b, high = a >> 16 < b >> 16 ? a : b;
  return (low & 0xffff) | (high & 0xffff0000);
#endif
}

/// Three at once: one instruction of the pipe that does maxima and byte permutations, too. Spelled out, or the compiler
/// would see that only one half of some sums is used, and sum the halves apart.
TS_HD inline std::uint32_t sum_halves(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
#if defined(__CUDA_ARCH__)
  asm("add.u32 %0, %0, %1;\n\tadd.u32 %0, %0, %2;" : "+r"(a) : "r"(b), "r"(c));
  return a;
#else
  return a + b + c;
#endif
}

/// Sums as products. On the GPU, additions and shifts share a pipe with maxima and byte permutations; multiplications
/// have one of their own, which is idle here until there are so many sums that sum_halves() has to take some back. A
/// kernel takes these numbers as an argument, so that the compiler does not know what they are.
struct Factors {
  std::uint32_t one = 1, two = 2, minus_one = ~0u, byte = 256;

  TS_HD std::uint32_t sum(std::uint32_t a, std::uint32_t b) const { return a * one + b; }
  TS_HD std::uint32_t difference(std::uint32_t a, std::uint32_t b) const { return b * minus_one + a; }
  TS_HD std::uint32_t distance(std::uint32_t a, std::uint32_t b) const {
    return difference(larger_halves(a, b), smaller_halves(a, b));
  }
  /// `odd` is the result for pixels 1 and 3.
  TS_HD std::uint32_t interleaved(std::uint32_t even, std::uint32_t odd) const { return odd * byte + even; }
};

}  // namespace threadscape
