#pragma once
// Small matrix products by one warp, on tensor cores: of bytes, and of half floats that hold integers.

#include <cstdint>
#include <type_traits>

namespace threadscape::cuda {

/// The compute capability from which multiply_add() is a single instruction.
inline constexpr int min_mma_capability = 8;

namespace detail {
/// The sum of products of four bytes each, of either sign.
template <class A, class B>
__device__ int dot_bytes(std::uint32_t a, std::uint32_t b) {
  int sum = 0;
  for (int i = 0; i < 32; i += 8)
    sum += static_cast<A>(a >> i & 0xff) * static_cast<B>(b >> i & 0xff);
  return sum;
}
/// The number that the bits of a half float stand for.
__device__ inline float fp16_value(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31), fraction = static_cast<int>(bits & 1023);
  const int whole = exponent == 0 ? fraction : 1024 + fraction;
  const float value = static_cast<float>(whole) * exp2f(static_cast<float>((exponent == 0 ? 1 : exponent) - 25));
  return (bits & 0x8000) != 0 ? -value : value;
}
/// The sum of products of two half floats each.
__device__ inline float dot_fp16x2(std::uint32_t a, std::uint32_t b) {
  return fp16_value(a & 0xffff) * fp16_value(b & 0xffff) + fp16_value(a >> 16) * fp16_value(b >> 16);
}
}  // namespace detail

/// An integer as the bits of a half float: exact to 2048, and for even numbers to 4096.
__host__ __device__ constexpr std::uint16_t fp16_bits(int n) {
  if (n == 0) return 0;
  const int magnitude = n < 0 ? -n : n;
  int exponent = 0;
  while (magnitude >> exponent > 1)
    ++exponent;
  const int fraction = (exponent <= 10 ? magnitude << (10 - exponent) : magnitude >> (exponent - 10)) & 1023;
  return static_cast<std::uint16_t>((n < 0 ? 0x8000 : 0) | (exponent + 15) << 10 | fraction);
}
/// Two floats that are integers as half floats; `low` becomes the lower half of the word.
__device__ inline std::uint32_t fp16x2_of(float low, float high) {
#if defined(__CUDA_ARCH__)
  std::uint32_t word;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
  return word;
#else
  return fp16_bits(static_cast<int>(low)) | static_cast<std::uint32_t>(fp16_bits(static_cast<int>(high))) << 16;
#endif
}

/// A lane's part of 16 x 8 sums.
struct IntAccumulator {
  int at[4];
};

/// D = A B + C: A has 16 rows of 32 numbers, B 32 rows of 8, C and D 16 rows of 8. A and B are bytes, std::uint8_t or
/// std::int8_t. All lanes of the warp take part. With g = lane / 4, t = lane % 4 a lane holds (PTX ISA, mma.m16n8k32)
///   a[0], a[1]  columns 4 t .. 4 t + 3 of rows g and g + 8;  a[2], a[3] the same, 16 columns further
///   b[0], b[1]  rows 4 t .. 4 t + 3 of column g, and 16 rows further
///   at[0], at[1]  columns 2 t and 2 t + 1 of row g;  at[2], at[3] of row g + 8
template <class A, class B>
__device__ IntAccumulator multiply_add(const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], IntAccumulator c) {
  IntAccumulator d;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  constexpr bool signed_a = std::is_signed_v<A>, signed_b = std::is_signed_v<B>;
  if constexpr (!signed_a && !signed_b)
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, "
        "%13};"
        : "=r"(d.at[0]), "=r"(d.at[1]), "=r"(d.at[2]), "=r"(d.at[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]),
          "r"(c.at[3]));
  else if constexpr (signed_a && !signed_b)
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, "
        "%13};"
        : "=r"(d.at[0]), "=r"(d.at[1]), "=r"(d.at[2]), "=r"(d.at[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]),
          "r"(c.at[3]));
  else if constexpr (!signed_a)
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, "
        "%13};"
        : "=r"(d.at[0]), "=r"(d.at[1]), "=r"(d.at[2]), "=r"(d.at[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]),
          "r"(c.at[3]));
  else
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, "
        "%13};"
        : "=r"(d.at[0]), "=r"(d.at[1]), "=r"(d.at[2]), "=r"(d.at[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]),
          "r"(c.at[3]));
#else
  // Older devices: the same by shuffles, slowly.
  const int lane = static_cast<int>(threadIdx.x) % 32, g = lane / 4, t = lane % 4;
  d = c;
#pragma unroll 1
  for (int quad = 0; quad < 4; ++quad)
    for (int half = 0; half < 2; ++half) {
      std::uint32_t row[2], column[2];
      for (int i = 0; i < 2; ++i) {
        row[i] = __shfl_sync(0xffffffffu, a[2 * half + i], 4 * g + quad);
        column[i] = __shfl_sync(0xffffffffu, b[half], 4 * (2 * t + i) + quad);
      }
      for (int i = 0; i < 4; ++i)
        d.at[i] += detail::dot_bytes<A, B>(row[i / 2], column[i % 2]);
    }
#endif
  return d;
}

/// A lane's part of 16 x 8 sums of floats, as IntAccumulator.
struct FloatAccumulator {
  float at[4];
};

/// D = A B + C of half floats: A has 16 rows of 8 * units numbers, B as many rows of 8; units is 1 or 2. Exact as long
/// as all products and sums are integers below 2^24. A lane holds (PTX ISA, mma.m16n8k8 and mma.m16n8k16), two numbers
/// to a word,
///   a[0], a[1]  columns 2 t and 2 t + 1 of rows g and g + 8;  a[2], a[3] the same, 8 columns further
///   b[0]        rows 2 t and 2 t + 1 of column g;  b[1] 8 rows further
template <int units>
__device__ FloatAccumulator multiply_add_fp16(const std::uint32_t (&a)[2 * units], const std::uint32_t (&b)[units],
                                              FloatAccumulator c) {
  FloatAccumulator d;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (units == 2)
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, "
        "%12, %13};"
        : "=f"(d.at[0]), "=f"(d.at[1]), "=f"(d.at[2]), "=f"(d.at[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c.at[0]), "f"(c.at[1]), "f"(c.at[2]),
          "f"(c.at[3]));
  else
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
        : "=f"(d.at[0]), "=f"(d.at[1]), "=f"(d.at[2]), "=f"(d.at[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "f"(c.at[0]), "f"(c.at[1]), "f"(c.at[2]), "f"(c.at[3]));
#else
  const int lane = static_cast<int>(threadIdx.x) % 32, g = lane / 4, t = lane % 4;
  d = c;
#pragma unroll 1
  for (int pair = 0; pair < 4; ++pair)
    for (int unit = 0; unit < units; ++unit) {
      std::uint32_t row[2], column[2];
      for (int i = 0; i < 2; ++i) {
        row[i] = __shfl_sync(0xffffffffu, a[2 * unit + i], 4 * g + pair);
        column[i] = __shfl_sync(0xffffffffu, b[unit], 4 * (2 * t + i) + pair);
      }
      for (int i = 0; i < 4; ++i)
        d.at[i] += detail::dot_fp16x2(row[i / 2], column[i % 2]);
    }
#endif
  return d;
}

}  // namespace threadscape::cuda
