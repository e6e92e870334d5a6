#pragma once
// Small integer matrix products by one warp, on tensor cores.

#include <cstdint>
#include <type_traits>

namespace threadscape::cuda {

/// The compute capability from which multiply_add() is a single instruction.
inline constexpr int least_matrix_capability = 8;

namespace detail {
/// The sum of products of four bytes each, of either sign.
template <class A, class B>
__device__ int dot_bytes(std::uint32_t a, std::uint32_t b) {
  int sum = 0;
  for (int i = 0; i < 32; i += 8)
    sum += static_cast<A>(a >> i & 0xff) * static_cast<B>(b >> i & 0xff);
  return sum;
}
}  // namespace detail

/// A lane's part of 16 x 8 sums.
struct Products {
  int at[4];
};

/// D = A B + C: A has 16 rows of 32 numbers, B 32 rows of 8, C and D 16 rows of 8. A and B are bytes, std::uint8_t or
/// std::int8_t. All lanes of the warp take part. With g = lane / 4, t = lane % 4 a lane holds (PTX ISA, mma.m16n8k32)
///   a[0], a[1]  columns 4 t .. 4 t + 3 of rows g and g + 8;  a[2], a[3] the same, 16 columns further
///   b[0], b[1]  rows 4 t .. 4 t + 3 of column g, and 16 rows further
///   at[0], at[1]  columns 2 t and 2 t + 1 of row g;  at[2], at[3] of row g + 8
template <class A, class B>
__device__ Products multiply_add(const std::uint32_t (&a)[4], const std::uint32_t (&b)[2], Products c) {
  Products d;
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

}  // namespace threadscape::cuda
