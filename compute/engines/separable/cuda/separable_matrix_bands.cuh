#pragma once
// A part of separable_matrix.cu: the constants of its kernels, and the band matrices of the taps, as the fragments that
// tensor cores take.

#include <cstdint>

#include "compute/engines/patches/packed_patch.h"
#include "compute/engines/separable/cuda/separable_cuda.h"

namespace threadscape::separable {

/// The constants of a kernel. 16 rows x 16 bytes of results need `down` groups of 16 rows and `across` groups of 16
/// bytes of the picture: their windows reach 8 (down - 1) rows and 8 (across - 1) bytes beyond them on either side.
template <class Pixel_, int down_, int across_, bool wide_taps_, bool smooth_, int terms_>
struct Bands {
  using Pixel = Pixel_;
  static constexpr int warps_per_block = 4;
  static constexpr int down = down_, across = across_, terms = terms_;
  static constexpr bool wide_taps = wide_taps_;  ///< Taps take two bytes.
  static constexpr int spacing = sizeof(Pixel);  ///< Bytes between taps along a row.
  static constexpr int reach_down = 8 * (down - 1), reach_across = 8 * (across - 1);
  /// Products with an inner dimension of 32 that a sum takes.
  static constexpr int products_down = (down + 1) / 2, products_across = (across + 1) / 2;
  static constexpr int blocks = across % 2 == 0 ? 5 : 4;  ///< Blocks of 16 bytes of results in a row of a strip.
  static constexpr int groups = blocks + across - 1;      ///< Groups of 16 bytes of the picture; an even number.
  static constexpr int pairs = groups / 2;
  static_assert(groups % 2 == 0, "groups of the picture are loaded in pairs");
  static constexpr int digits = wide_taps ? 2 : 1;  ///< Bytes of a tap.
  static constexpr bool smooth = smooth_;           ///< Result::smooth: sums become bytes by one multiplication.
  /// Resident blocks per multiprocessor, as registers allow, and the number of rounds of them in a launch.
  static constexpr int at_once = down == 2 && smooth ? 4 : down <= 3 ? 3 : 2, rounds = down == 2 ? 3 : 1;
};

/// The fragments of both band matrices for every lane, made once per block of threads.
template <class B>
struct BandWords {
  WordGroup<4> column[B::terms][B::digits][B::products_down][32];
  WordGroup<4> row[B::terms][B::digits][B::products_across][32];  ///< Two words for each of two tiles of 8 results.
};

/// Byte `digit` (0 is the low one) of four numbers of a band, from number `index` on: there is a tap at every `step`-th
/// number and 0 between them, as well as before the first and after the last of `count` taps.
__device__ inline std::uint32_t tap_word(const std::int16_t* taps, int count, int index, int step, int digit) {
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i) {
    const int at = index + i;
    if (at < 0 || at % step != 0 || at / step >= count) continue;
    word |= static_cast<std::uint32_t>(taps[at / step] >> 8 * digit & 0xff) << 8 * i;
  }
  return word;
}

/// Which of 16 results column n of tile `tile` computes in the second pass. This order gives a lane four neighbouring
/// bytes of results in two tiles.
__device__ inline int output_of(int n, int tile) {
  return n / 2 * 4 + 2 * tile + n % 2;
}

/// Fills `bands`, by all threads of the block. The caller synchronises.
template <class B>
__device__ void make_bands(BandWords<B>& bands, const Plan& plan) {
  __shared__ std::int16_t column_taps[B::terms][max_taps], row_taps[B::terms][max_taps];
  for (int i = static_cast<int>(threadIdx.x); i < B::terms * max_taps; i += 32 * B::warps_per_block) {
    column_taps[i / max_taps][i % max_taps] = plan.whole.column[i / max_taps][i % max_taps];
    row_taps[i / max_taps][i % max_taps] = plan.whole.row[i / max_taps][i % max_taps];
  }
  __syncthreads();
  const int lane = static_cast<int>(threadIdx.x) % 32, g = lane / 4, t = lane % 4, count = 2 * plan.radius + 1;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  for (int term = 0; term < B::terms; ++term)
    for (int digit = 0; digit < B::digits; ++digit) {
      for (int i = warp; i < B::products_down * 4; i += B::warps_per_block) {
        const int row = g + i % 2 * 8, column = 32 * (i / 4) + i / 2 % 2 * 16 + 4 * t;
        bands.column[term][digit][i / 4][lane].word[i % 4] =
            tap_word(column_taps[term], count, column - row - B::reach_down + plan.radius, 1, digit);
      }
      for (int i = warp; i < B::products_across * 4; i += B::warps_per_block) {
        const int column = output_of(g, i / 2 % 2), row = 32 * (i / 4) + i % 2 * 16 + 4 * t;
        bands.row[term][digit][i / 4][lane].word[i % 4] = tap_word(
            plan.whole.row[term], count, row - column - B::reach_across + B::spacing * plan.radius, B::spacing, digit);
      }
    }
}

}  // namespace threadscape::separable
