#pragma once
// The work of one thread of the `tiled` CUDA kernel: a patch of neighbouring pixels, summed from registers.
//
// Mode::dot is the fast one. Four neighbouring bytes are one word; IDP.4A multiplies them by four signed bytes of the
// mask and adds the products. A window does not start at a word for every pixel, so the mask is stored four times,
// moved by 0 to 3 bytes, and the picture's words are never shifted.
//
// Compiles for the host as well: tests/compute/convolution_tiled_test.cpp runs it there for every thread of a grid.

#include "compute/convolution/convolution_math.h"
#include "compute/neighbourhood/packed_patch.h"

namespace threadscape::convolution {

enum class Mode {
  dot,      ///< exact masks of signed bytes: integers
  fused,    ///< other exact masks: float with fused multiply-add, in units of the mask
  ordered,  ///< any mask: float, product and sum apart, in the stated order
};

/// Words of the mask for pixel `phase` of four: word i meets the i-th word of the row, counted from the one before the
/// pixels.
inline constexpr int most_tap_words = 3;
struct TiledPlan {
  Border border = Border::mirror;
  Mode mode = Mode::ordered;
  bool aligned = false;  ///< see PatchPlace
  Finish finish;
  float unit = 1.0f;  ///< sum of the kernel * unit = sum of the mask as it was given
  // finish_whole() as rounding of n * scale + shift, n = sum + offset:
  bool whole = false, absolute = false;
  bool plain = false;  ///< nothing but saturation is left: divisor 1, no absolute value
  int offset = 0;
  float scale = 1.0f, shift = 0.0f;
  union {
    std::uint32_t words[largest_size][4][most_tap_words];  ///< Mode::dot
    float taps[most_taps];                                 ///< the others
  };
};

inline Mode mode_for(const Plan& plan) {
  if (!plan.exact) return Mode::ordered;
  return plan.largest_unit <= 127 ? Mode::dot : Mode::fused;
}

inline TiledPlan tiled_plan(const Plan& plan) {
  TiledPlan tiled;
  tiled.border = plan.border;
  tiled.mode = mode_for(plan);
  tiled.finish = plan.finish;
  if (tiled.mode != Mode::ordered) {
    tiled.unit = plan.unit;
    tiled.whole = plan.whole.possible;
    tiled.absolute = plan.whole.absolute;
    tiled.plain = tiled.mode == Mode::dot && plan.whole.possible && plan.whole.divisor == 1 && !plan.whole.absolute;
    tiled.offset = plan.whole.offset;
    const double divisor = plan.whole.divisor, half = plan.whole.divisor / 2;
    tiled.scale = static_cast<float>(1.0 / (255.0 * divisor));
    tiled.shift = static_cast<float>(((half + 0.5) / divisor - 0.5) / 255.0);
  }
  if (tiled.mode == Mode::dot) {
    for (int ky = 0; ky < largest_size; ++ky)
      for (int phase = 0; phase < 4; ++phase)
        for (int i = 0; i < most_tap_words; ++i) {
          std::uint32_t word = 0;
          for (int byte = 0; byte < 4; ++byte) {
            const int kx = 4 * i + byte - (4 - plan.radius + phase);
            if (ky < plan.size && kx >= 0 && kx < plan.size)
              word |= static_cast<std::uint32_t>(plan.units[ky * plan.size + kx] & 0xff) << 8 * byte;
          }
          tiled.words[ky][phase][i] = word;
        }
  } else {
    for (int i = 0; i < most_taps; ++i)
      tiled.taps[i] = tiled.mode == Mode::fused ? static_cast<float>(plan.units[i]) : plan.taps[i];
  }
  return tiled;
}

/// sum + the products of four unsigned bytes with four signed ones.
TS_HD inline int dot4(std::uint32_t pixels, std::uint32_t taps, int sum) {
#if defined(__CUDA_ARCH__)
  int result;
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(pixels), "r"(taps), "r"(sum));
  return result;
#else
  for (int i = 0; i < 4; ++i)
    sum += static_cast<int>(pixels >> 8 * i & 0xff) * static_cast<std::int8_t>(taps >> 8 * i & 0xff);
  return sum;
#endif
}

TS_HD inline std::uint32_t float_bits(float value) {
  return __builtin_bit_cast(std::uint32_t, value);
}

/// n + two_22 * 3 as the bits of a float: integers |n| < 2^22 become floats by being added to this, without a
/// conversion.
inline constexpr std::uint32_t bias_bits = 0x4b400000u;
inline constexpr float bias_value = 12582912.0f;  // 1.5 * 2^23

TS_HD inline float fused(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return __builtin_fmaf(a, b, c);
#endif
}
TS_HD inline float saturated(float value) {
#if defined(__CUDA_ARCH__)
  return __saturatef(value);  // folds into the instruction before it
#else
  return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f;
#endif
}

/// finish_whole() of n = sum + offset; the result is the lowest byte.
///
/// It is the integer nearest to (n + half + 0.5) / divisor - 0.5, which is at least 0.5 / 2048 = 2^-12 away from a
/// half. On 0..255 that is n * scale + shift, saturated to 0..1, times 255; the roundings move it by less than 2^-14.
/// Adding 2^23 leaves the nearest integer in the lowest bits.
TS_HD inline std::uint32_t finish_byte(float n, const TiledPlan& plan) {
  if (plan.absolute) n = __builtin_fabsf(n);
  return float_bits(fused(saturated(fused(n, plan.scale, plan.shift)), 255.0f, 8388608.0f));
}

/// Four results in one word; only the lowest byte of each counts.
TS_HD inline std::uint32_t pack4(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  return pick_bytes(pick_bytes(a, b, 0x0040), pick_bytes(c, d, 0x0040), 0x5410);
}

/// Four sums, saturated to bytes.
TS_HD inline std::uint32_t saturate4(int a, int b, int c, int d) {
#if defined(__CUDA_ARCH__)
  std::uint32_t high, word;
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, 0;" : "=r"(high) : "r"(d), "r"(c));
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(word) : "r"(b), "r"(a), "r"(high));
  return word;
#else
  std::uint32_t word = 0;
  const int sums[]{a, b, c, d};
  for (int i = 0; i < 4; ++i)
    word |= static_cast<std::uint32_t>(sums[i] < 0 ? 0 : sums[i] > 255 ? 255 : sums[i]) << 8 * i;
  return word;
#endif
}

/// Not inlined: four divisions for every four pixels of a patch would be most of the kernel.
TS_HD TS_NOINLINE inline std::uint32_t finish4(float a, float b, float c, float d, Finish finish) {
  return pack4(finish_u8(a, finish), finish_u8(b, finish), finish_u8(c, finish), finish_u8(d, finish));
}

/// `count` rows of results from row `first` of the patch on, all planes, Mode::dot. Each word of the mask is taken once
/// for all of them: it comes from constant memory, and every reading of it is an instruction.
template <int size, int count, class Patch, int planes>
TS_HD void dot_rows(const Patch& patch, int first, const TiledPlan& plan,
                    std::uint32_t (&result)[count][planes][Patch::words]) {
  constexpr int start = 4 - size / 2;
  int sum[count][planes][Patch::words][4];
  const int zero = plan.offset + (plan.whole && !plan.plain ? static_cast<int>(bias_bits) : 0);
  TS_UNROLL
  for (int i = 0; i < count * planes * Patch::words * 4; ++i)
    sum[i / (4 * Patch::words * planes)][i / (4 * Patch::words) % planes][i / 4 % Patch::words][i % 4] = zero;
  TS_UNROLL
  for (int ky = 0; ky < size; ++ky) {
    TS_UNROLL
    for (int phase = 0; phase < 4; ++phase) {
      TS_UNROLL
      for (int i = (start + phase) / 4; i <= (start + phase + size - 1) / 4; ++i) {
        const std::uint32_t taps = plan.words[ky][phase][i];
        TS_UNROLL
        for (int row = 0; row < count; ++row) {
          TS_UNROLL
          for (int plane = 0; plane < planes; ++plane) {
            TS_UNROLL
            for (int w = 0; w < Patch::words; ++w)
              sum[row][plane][w][phase] =
                  dot4(patch.word[plane][first + row + ky][w + i], taps, sum[row][plane][w][phase]);
          }
        }
      }
    }
  }
  const auto finish = [&](const auto& word_of) {
    TS_UNROLL
    for (int row = 0; row < count; ++row) {
      TS_UNROLL
      for (int plane = 0; plane < planes; ++plane) {
        TS_UNROLL
        for (int w = 0; w < Patch::words; ++w)
          result[row][plane][w] = word_of(sum[row][plane][w]);
      }
    }
  };
  if (plan.plain)
    finish([&](const int(&s)[4]) { return saturate4(s[0], s[1], s[2], s[3]); });
  else if (plan.whole)
    finish([&](const int(&s)[4]) {
      std::uint32_t byte[4];
      TS_UNROLL
      for (int i = 0; i < 4; ++i)
        byte[i] = finish_byte(__builtin_bit_cast(float, s[i]) - bias_value, plan);
      return pack4(byte[0], byte[1], byte[2], byte[3]);
    });
  else
    finish([&](const int(&s)[4]) {
      return finish4(s[0] * plan.unit, s[1] * plan.unit, s[2] * plan.unit, s[3] * plan.unit, plan.finish);
    });
}

/// Sums of a whole plane of the patch in float. Rows of the picture are taken once each, in order; so each sum gets its
/// taps row by row, as stated in convolution_math.h.
template <int size, Mode mode, class Patch>
TS_HD void float_plane(const Patch& patch, int plane, const TiledPlan& plan,
                       std::uint32_t (&result)[Patch::rows][Patch::words]) {
  constexpr int radius = size / 2;
  float sum[Patch::rows][Patch::width] = {};
  TS_UNROLL
  for (int r = 0; r < Patch::rows + 2 * radius; ++r) {
    float value[Patch::width + 2 * radius];
    TS_UNROLL
    for (int x = 0; x < Patch::width + 2 * radius; ++x) {
      const int byte = x + 4 - radius;
      value[x] = static_cast<float>(patch.word[plane][r][byte / 4] >> 8 * (byte % 4) & 0xff);
    }
    TS_UNROLL
    for (int row = 0; row < Patch::rows; ++row) {
      const int ky = r - row;
      if (ky < 0 || ky >= size) continue;
      TS_UNROLL
      for (int kx = 0; kx < size; ++kx) {
        TS_UNROLL
        for (int x = 0; x < Patch::width; ++x) {
          const float tap = plan.taps[ky * size + kx];
          sum[row][x] =
              mode == Mode::fused ? fused(tap, value[x + kx], sum[row][x]) : sum[row][x] + tap * value[x + kx];
        }
      }
    }
  }
  TS_UNROLL
  for (int row = 0; row < Patch::rows; ++row) {
    TS_UNROLL
    for (int w = 0; w < Patch::words; ++w) {
      const float* s = sum[row] + 4 * w;
      if (mode == Mode::fused && plan.whole) {
        const float offset = static_cast<float>(plan.offset);
        result[row][w] = pack4(finish_byte(s[0] + offset, plan), finish_byte(s[1] + offset, plan),
                               finish_byte(s[2] + offset, plan), finish_byte(s[3] + offset, plan));
      } else {
        result[row][w] = finish4(s[0] * plan.unit, s[1] * plan.unit, s[2] * plan.unit, s[3] * plan.unit, plan.finish);
      }
    }
  }
}

/// Pixels per thread: as many as registers allow, since neighbours share what they load.
template <class P, int size, Mode mode>
struct PatchSize {
  static constexpr bool grey = sizeof(typename P::Pixel) == 1;
  static constexpr int words = !grey || mode != Mode::dot ? 1 : size == 3 ? 4 : 2;
  static constexpr int rows = P::count == 3 && (mode != Mode::dot || size >= 7) ? 2 : 4;
  static constexpr int rows_at_once = words == 4 ? 1 : rows * words > 8 ? 8 / words : rows;  ///< 16 to 48 sums
};

/// Results of a loaded patch; `store_result(row, planes)` takes them row by row.
template <class P, int size, Mode mode, class Patch, class StoreResult>
TS_HD void convolve_loaded(const Patch& patch, const TiledPlan& plan, const StoreResult& store_result) {
  if constexpr (mode == Mode::dot) {
    constexpr int count = PatchSize<P, size, mode>::rows_at_once;
    TS_UNROLL
    for (int first = 0; first < Patch::rows; first += count) {
      std::uint32_t result[count][P::count][Patch::words];
      dot_rows<size>(patch, first, plan, result);
      TS_UNROLL
      for (int r = 0; r < count; ++r)
        store_result(first + r, result[r]);
    }
  } else {
    std::uint32_t planes[P::count][Patch::rows][Patch::words];
    TS_UNROLL
    for (int plane = 0; plane < P::count; ++plane)
      float_plane<size, mode>(patch, plane, plan, planes[plane]);
    TS_UNROLL
    for (int r = 0; r < Patch::rows; ++r) {
      std::uint32_t result[P::count][Patch::words];
      TS_UNROLL
      for (int plane = 0; plane < P::count; ++plane) {
        TS_UNROLL
        for (int w = 0; w < Patch::words; ++w)
          result[plane][w] = planes[plane][r][w];
      }
      store_result(r, result);
    }
  }
}

/// Thread (column, row) of the grid, if its patch belongs to `part`.
template <class P, int size, Mode mode, PatchPart part, class View, class Store>
TS_HD void convolve_patch(int column, int row, const View& in, const TiledPlan& plan, const Store& store) {
  using Shape = PatchSize<P, size, mode>;
  using Patch = PackedPatch<P, Shape::words, Shape::rows, size / 2>;
  const PatchPlace at{column * Patch::width, row * Patch::rows, plan.border, plan.aligned};
  if (at.x >= in.width || at.y >= in.height) return;
  if (Patch::is_inner(in, at, store) != (part == PatchPart::inner)) return;

  Patch patch;
  if constexpr (part == PatchPart::inner)
    patch.load_inner(in, at);
  else
    patch.load(in, at);
  convolve_loaded<P, size, mode>(patch, plan, [&](int r, const std::uint32_t(&result)[P::count][Patch::words]) {
    if constexpr (part == PatchPart::inner)
      store_inner_row<Patch, P>(at, in.height, r, result, patch.kept[r], store);
    else
      store_row<Patch, P>(in, at, r, result, patch.kept[r], store);
  });
}

}  // namespace threadscape::convolution
