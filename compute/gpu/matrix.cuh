#pragma once
// Small matrix products by one warp on tensor cores (mma.sync): of bytes, and of fp16 numbers that are integers.
//
//   lane = 4 g + t holds of            A, 16 x 32 bytes           B, 32 x 8 bytes        accumulators, 16 x 8
//                                      row g, g + 8:              column g:              row g, g + 8:
//                                      columns 4t .. 4t + 3       rows 4t .. 4t + 3      columns 2t, 2t + 1
//                                      and + 16                   and + 16
//   fp16: A, 16 x 16 and B, 16 x 8     columns 2t, 2t + 1, + 8    rows 2t, 2t + 1, + 8   the same

#include <cstdint>
#include <type_traits>

namespace threadscape::cuda {

/// The major compute capability from which multiply_add() and multiply_add_fp16() are single instructions.
inline constexpr int min_mma_capability = 8;
/// False in the code for devices below that, for which kernels of products are compiled empty, because nothing launches
/// them: the shuffles that stand for the instructions take cicc several times as long as the instructions.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr bool has_mma = false;
#else
inline constexpr bool has_mma = true;
#endif

namespace detail {
/// The sum of the products of four bytes of a and four bytes of b. A and B are their types, signed or not.
template <class A, class B>
__device__ int dot_bytes(std::uint32_t a, std::uint32_t b) {
  int sum = 0;
  for (int i = 0; i < 32; i += 8)
    sum += static_cast<A>(a >> i & 0xff) * static_cast<B>(b >> i & 0xff);
  return sum;
}
/// The value of an fp16 number, given as bits.
__device__ inline float fp16_value(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31), fraction = static_cast<int>(bits & 1023);
  const int whole = exponent == 0 ? fraction : 1024 + fraction;
  const float value = static_cast<float>(whole) * exp2f(static_cast<float>((exponent == 0 ? 1 : exponent) - 25));
  return (bits & 0x8000) != 0 ? -value : value;
}
/// The sum of the products of two fp16 numbers of a and two of b.
__device__ inline float dot_fp16x2(std::uint32_t a, std::uint32_t b) {
  return fp16_value(a & 0xffff) * fp16_value(b & 0xffff) + fp16_value(a >> 16) * fp16_value(b >> 16);
}
}  // namespace detail

/// An integer as the bits of an fp16 number. Exact up to a magnitude of 2048, and up to 4096 for even integers.
__host__ __device__ constexpr std::uint16_t fp16_bits(int n) {
  if (n == 0) return 0;
  const int magnitude = n < 0 ? -n : n;
  int exponent = 0;
  while (magnitude >> exponent > 1)
    ++exponent;
  const int fraction = (exponent <= 10 ? magnitude << (10 - exponent) : magnitude >> (exponent - 10)) & 1023;
  return static_cast<std::uint16_t>((n < 0 ? 0x8000 : 0) | (exponent + 15) << 10 | fraction);
}
/// Two floats that are integers as a word of two fp16 numbers; `low` becomes the lower half of the word.
__device__ inline std::uint32_t fp16x2_of(float low, float high) {
#if defined(__CUDA_ARCH__)
  std::uint32_t word;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
  return word;
#else
  return fp16_bits(static_cast<int>(low)) | static_cast<std::uint32_t>(fp16_bits(static_cast<int>(high))) << 16;
#endif
}

/// The accumulator fragment of a lane, a part of 16 x 8 integers.
struct IntAccumulator {
  int at[4];
};

/// Returns D = A B + C, where A has 16 rows of 32 bytes, B 32 rows of 8 bytes, and C and D 16 rows of 8 integers. The
/// types A and B are std::uint8_t or std::int8_t. All lanes of the warp take part. With g = lane / 4 and t = lane % 4 a
/// lane holds (PTX ISA, mma.m16n8k32)
///   a[0], a[1]    columns 4 t .. 4 t + 3 of rows g and g + 8
///   a[2], a[3]    columns 4 t + 16 .. 4 t + 19 of rows g and g + 8
///   b[0], b[1]    rows 4 t .. 4 t + 3 and rows 4 t + 16 .. 4 t + 19 of column g
///   at[0], at[1]  columns 2 t and 2 t + 1 of row g
///   at[2], at[3]  columns 2 t and 2 t + 1 of row g + 8
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
  // Older devices compute the same by shuffles, slowly.
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

/// The accumulator fragment of a lane, a part of 16 x 8 floats; the layout is that of IntAccumulator.
struct FloatAccumulator {
  float at[4];
};

/// Returns D = A B + C, where A has 16 rows of 8 * units fp16 numbers, B 8 * units rows of 8 fp16 numbers, and C and D
/// 16 rows of 8 floats; `units` is 1 or 2. Exact as long as all products and sums are integers below 2^24. A lane
/// holds, two numbers to a word (PTX ISA, mma.m16n8k8 and mma.m16n8k16)
///   a[0], a[1]  columns 2 t and 2 t + 1 of rows g and g + 8
///   a[2], a[3]  columns 2 t + 8 and 2 t + 9 of rows g and g + 8
///   b[0], b[1]  rows 2 t and 2 t + 1, and rows 2 t + 8 and 2 t + 9, of column g
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
