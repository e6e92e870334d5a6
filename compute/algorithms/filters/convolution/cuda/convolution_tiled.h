#pragma once
// The work of one thread of the `tiled` CUDA kernel: a patch of neighbouring pixels, summed from registers.
//
// Mode::dot is the fast one. Four neighbouring bytes are one word, and the instruction IDP.4A multiplies them by four
// signed bytes of the mask and adds the products to a sum. The windows of the four pixels of a word start at different
// bytes, so the mask is stored four times, moved by 0 to 3 bytes, and the words of the picture are never shifted:
//
//   a row of the patch           | . . . a | b c d e | f . . . |       words w, w + 1, w + 2; results for b c d e
//   a row t0 t1 t2 of the mask   | 0 0 0 t0| t1 t2 0 0         |       phase 0: a t0 + b t1 + c t2, the sum of pixel b
//                                          | t0 t1 t2 0        |       phase 1: the sum of pixel c, one word only
//                                          | 0 t0 t1 t2        |       phase 2: the sum of pixel d
//                                          | 0 0 t0 t1 | t2 0 0 0 |    phase 3: the sum of pixel e
//
// A thread holds rows_at_once x planes x 4 * words sums at a time, 16 to 48 registers.
//
// It compiles for the host as well: tests/compute/algorithms/filters/convolution_tiled_test.cpp runs it there for every
// thread of a grid.

#include <algorithm>

#include "compute/algorithms/filters/convolution/convolution_math.h"
#include "compute/engines/patches/patch_filter.h"

namespace threadscape::convolution {

/// How a window is summed.
enum class Mode {
  dot,       ///< In integers, for exact masks of signed bytes.
  two_dots,  ///< In integers, for exact masks whose weights need two signed bytes.
  ordered,   ///< In float, for any mask: each product is rounded, and added in the stated order.
};

/// Words of a row of the mask for one of the four phases: word i is multiplied by the i-th word of a row of the patch,
/// counted from the one before the pixels.
inline constexpr int max_tap_words = 3;
/// In Mode::two_dots every weight is 256 * high + low, both signed bytes; the sums for the high bytes come first.
inline constexpr int max_dot_digits = 2;
/// The largest weight that two signed bytes hold.
inline constexpr int max_dot_unit = 127 * 256 + 127;

/// How integer sums become bytes.
enum class Finishing {
  saturate,  ///< By saturation alone: the divisor is 1, and there is no absolute value.
  scale,     ///< Mode::dot: the division is a multiplication of floats, see finish_byte().
  multiply,  ///< Mode::two_dots: the division is a multiplication of integers, see finish_scaled().
  exact,     ///< By finish_u8().
};

/// The constants by which integer sums become bytes.
struct SumFinish {
  Finishing finishing = Finishing::exact;
  bool absolute = false;
  int start = 0;                     ///< Every sum starts here: the bias, and half a divisor for rounding.
  int half = 0;                      ///< Half a divisor for rounding, where the absolute value is taken before.
  int reciprocal = 0;                ///< 2^32 / divisor, rounded up.
  float scale = 1.0f, shift = 0.0f;  ///< Finishing::scale: result / 255 = n * scale + shift.
  float unit = 1.0f;                 ///< Finishing::exact: the sum of the mask as given is sum * unit.
  Finish finish;
};

/// The argument of the kernels: the mask in the form of its mode.
struct TiledPlan : SumFinish {
  Mode mode = Mode::ordered;
  union {
    std::uint32_t words[max_dot_digits][max_small_size][4][max_tap_words];  ///< Mode::dot and Mode::two_dots.
    float taps[max_small_taps];                                             ///< Mode::ordered.
  };
};

/// The finish of sums in units by integer operations. Besides the divisors of Plan::whole it supports powers of two up
/// to 2^16 where there is no bias: then neither the division nor the addition of 0.5 rounds where the result is below
/// 256.
inline WholeFinish whole_finish(const Plan& plan) {
  if (plan.whole.possible || plan.finish.bias != 0.0f) return plan.whole;
  const double divisor = static_cast<double>(plan.finish.divisor) / static_cast<double>(plan.unit);
  for (int power = 1; power <= 1 << 16; power *= 2)
    if (divisor == power) return {true, power, 0, plan.finish.absolute};
  return plan.whole;
}

/// The bits of the float 1.5 * 2^23. Added to an integer |n| < 2^22 they are the bits of n + 1.5 * 2^23, so that
/// integers become floats without a conversion.
inline constexpr std::uint32_t bias_bits = 0x4b400000u;
inline constexpr float bias_value = 12582912.0f;

/// The argument of the kernels for a mask up to 9x9.
inline TiledPlan tiled_plan(const Plan& plan) {
  TiledPlan tiled;
  tiled.finish = plan.finish;
  if (!plan.exact || plan.max_unit > max_dot_unit) {
    for (int i = 0; i < max_small_taps; ++i)
      tiled.taps[i] = plan.taps[i];
    return tiled;
  }
  const WholeFinish whole = whole_finish(plan);
  tiled.unit = plan.unit;
  tiled.mode = plan.max_unit <= 127 ? Mode::dot : Mode::two_dots;
  tiled.absolute = whole.absolute;
  int factor = 1;
  if (whole.possible && whole.divisor == 1 && !whole.absolute) {
    tiled.finishing = Finishing::saturate;
    tiled.start = whole.offset;
  } else if (plan.whole.possible && tiled.mode == Mode::dot) {
    const double divisor = whole.divisor, half = whole.divisor / 2;
    tiled.finishing = Finishing::scale;
    tiled.start = whole.offset + static_cast<int>(bias_bits);
    tiled.scale = static_cast<float>(1.0 / (255.0 * divisor));
    tiled.shift = static_cast<float>(((half + 0.5) / divisor - 0.5) / 255.0);
  } else if (whole.possible) {
    // 2^32 / divisor must be an int, so small divisors are raised to 4, and the mask with them.
    const int raised = whole.divisor == 1 ? 4 : whole.divisor == 2 ? 2 : 1;
    if (raised * plan.max_unit <= max_dot_unit) {
      factor = raised;
      const int divisor = whole.divisor * factor;
      tiled.mode = Mode::two_dots;
      tiled.finishing = Finishing::multiply;
      (whole.absolute ? tiled.half : tiled.start) = divisor / 2;
      tiled.start += whole.offset * factor;
      tiled.reciprocal = static_cast<int>(((std::int64_t{1} << 32) + divisor - 1) / divisor);
    }
  }
  const int last = tiled.mode == Mode::dot ? 0 : 1;
  for (int digit = 0; digit < max_dot_digits; ++digit)
    for (int ky = 0; ky < max_small_size; ++ky)
      for (int phase = 0; phase < 4; ++phase)
        for (int i = 0; i < max_tap_words; ++i) {
          std::uint32_t word = 0;
          for (int byte = 0; byte < 4; ++byte) {
            const int kx = 4 * i + byte - (4 - plan.radius + phase);
            if (ky >= plan.size || kx < 0 || kx >= plan.size) continue;
            const int tap = plan.units[ky * plan.size + kx] * factor, low = static_cast<std::int8_t>(tap & 0xff);
            const int signed_byte = digit == last ? low : (tap - low) / 256;
            word |= static_cast<std::uint32_t>(signed_byte & 0xff) << 8 * byte;
          }
          tiled.words[digit][ky][phase][i] = word;
        }
  return tiled;
}

/// `sum` plus the four products of unsigned bytes with signed ones, modulo 2^32: the instruction IDP.4A.
TS_HD inline int dot4(std::uint32_t pixels, std::uint32_t taps, int sum) {
#if defined(__CUDA_ARCH__)
  int result;
  asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(pixels), "r"(taps), "r"(sum));
  return result;
#else
  auto total = static_cast<std::uint32_t>(sum);
  for (int i = 0; i < 4; ++i)
    total += static_cast<std::uint32_t>(static_cast<int>(pixels >> 8 * i & 0xff) *
                                        static_cast<std::int8_t>(taps >> 8 * i & 0xff));
  return static_cast<int>(total);
#endif
}

/// The bits of a float.
TS_HD inline std::uint32_t float_bits(float value) {
  return __builtin_bit_cast(std::uint32_t, value);
}
/// a * b + c, rounded once.
TS_HD inline float fused(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return __builtin_fmaf(a, b, c);
#endif
}
/// The value clamped to 0..1.
TS_HD inline float saturated(float value) {
#if defined(__CUDA_ARCH__)
  return __saturatef(value);  // folds into the instruction before it
#else
  return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f;
#endif
}

/// finish_whole() of n = sum + offset, for Finishing::scale; the result is in the lowest byte.
///
/// The result is the integer nearest to (n + half + 0.5) / divisor - 0.5, which is at least 0.5 / 2048 = 2^-12 away
/// from a half. On 0..255 that is n * scale + shift, saturated to 0..1, times 255; the roundings move it by less than
/// 2^-14. Adding 2^23 leaves the nearest integer in the lowest bits. GPUs have more room for these three instructions
/// than for one high product of integers.
TS_HD inline std::uint32_t finish_byte(float n, const SumFinish& plan) {
  if (plan.absolute) n = __builtin_fabsf(n);
  return float_bits(fused(saturated(fused(n, plan.scale, plan.shift)), 255.0f, 8388608.0f));
}

/// The quotient for Finishing::multiply: floor(n / divisor), where n contains half a divisor already, or
/// floor((|n| + half) / divisor) for absolute values. It is right for results in 0..255; others are some number above
/// 255 or below 0.
///
/// With r = ceil(2^32 / d) and e = r d - 2^32 < d, floor(n r / 2^32) is floor(n / d) for n >= 0 if n e < 2^32: here
/// n < 256 d, and d <= 2048, or e = 0. Negative n stay negative.
/// (Granlund, Montgomery: Division by Invariant Integers using Multiplication, 1994.)
TS_HD inline int finish_scaled(int n, const SumFinish& plan) {
  if (plan.absolute) n = (n < 0 ? -n : n) + plan.half;
#if defined(__CUDA_ARCH__)
  return __mulhi(n, plan.reciprocal);
#else
  return static_cast<int>(static_cast<std::int64_t>(n) * plan.reciprocal >> 32);
#endif
}

/// The lowest bytes of four results in one word.
TS_HD inline std::uint32_t pack4(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  return pick_bytes(pick_bytes(a, b, 0x0040), pick_bytes(c, d, 0x0040), 0x5410);
}

/// Four sums in one word, each saturated to 0..255.
TS_HD inline std::uint32_t saturate4(int a, int b, int c, int d) {
#if defined(__CUDA_ARCH__)
  std::uint32_t high, word;
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, 0;" : "=r"(high) : "r"(d), "r"(c));
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(word) : "r"(b), "r"(a), "r"(high));
  return word;
#else
  const auto byte = [](int sum) { return static_cast<std::uint32_t>(sum < 0 ? 0 : sum > 255 ? 255 : sum); };
  return byte(a) | byte(b) << 8 | byte(c) << 16 | byte(d) << 24;
#endif
}

/// finish_u8() of four sums. It is not inlined: its divisions for all pixels of a patch would be most of the kernel.
TS_HD TS_NOINLINE inline std::uint32_t finish4(float a, float b, float c, float d, Finish finish) {
  return pack4(finish_u8(a, finish), finish_u8(b, finish), finish_u8(c, finish), finish_u8(d, finish));
}

/// Computes `count` rows of results from row `first` of the patch on, all planes, in integers. Each word of the mask is
/// loaded once for all of them, since it comes from constant memory and every load is an instruction.
template <int size, Mode mode, int count, class Patch, int planes>
TS_HD void dot_rows(const Patch& patch, int first, const TiledPlan& plan,
                    std::uint32_t (&result)[count][planes][Patch::words]) {
  constexpr int start = 4 - size / 2;
  int sum[count][planes][Patch::words][4];
  const auto for_all_sums = [&](const auto& change) {
    TS_UNROLL
    for (int i = 0; i < count * planes * Patch::words * 4; ++i)
      change(sum[i / (4 * Patch::words * planes)][i / (4 * Patch::words) % planes][i / 4 % Patch::words][i % 4]);
  };
  const auto add_digit = [&](const auto& words) {
    TS_UNROLL
    for (int ky = 0; ky < size; ++ky) {
      TS_UNROLL
      for (int phase = 0; phase < 4; ++phase) {
        TS_UNROLL
        for (int i = (start + phase) / 4; i <= (start + phase + size - 1) / 4; ++i) {
          const std::uint32_t taps = words[ky][phase][i];
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
  };
  if constexpr (mode == Mode::dot) {
    for_all_sums([&](int& s) { s = plan.start; });
    add_digit(plan.words[0]);
  } else {
    for_all_sums([](int& s) { s = 0; });
    add_digit(plan.words[0]);
    for_all_sums([&](int& s) { s = 256 * s + plan.start; });
    add_digit(plan.words[1]);
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
  if (plan.finishing == Finishing::saturate)
    finish([&](const int(&s)[4]) { return saturate4(s[0], s[1], s[2], s[3]); });
  else if (mode == Mode::dot && plan.finishing == Finishing::scale)
    finish([&](const int(&s)[4]) {
      std::uint32_t byte[4];
      TS_UNROLL
      for (int i = 0; i < 4; ++i)
        byte[i] = finish_byte(__builtin_bit_cast(float, s[i]) - bias_value, plan);
      return pack4(byte[0], byte[1], byte[2], byte[3]);
    });
  else if (mode == Mode::two_dots && plan.finishing == Finishing::multiply)
    finish([&](const int(&s)[4]) {
      return saturate4(finish_scaled(s[0], plan), finish_scaled(s[1], plan), finish_scaled(s[2], plan),
                       finish_scaled(s[3], plan));
    });
  else
    finish([&](const int(&s)[4]) {
      return finish4(s[0] * plan.unit, s[1] * plan.unit, s[2] * plan.unit, s[3] * plan.unit, plan.finish);
    });
}

/// Computes the results of a whole plane of the patch in float. Each row of the picture is converted once, from above
/// to below, so each sum gets its taps row by row, as convolution_math.h defines.
template <int size, class Patch>
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
        for (int x = 0; x < Patch::width; ++x)
          sum[row][x] = sum[row][x] + plan.taps[ky * size + kx] * value[x + kx];
      }
    }
  }
  TS_UNROLL
  for (int row = 0; row < Patch::rows; ++row) {
    TS_UNROLL
    for (int w = 0; w < Patch::words; ++w) {
      const float* s = sum[row] + 4 * w;
      result[row][w] = finish4(s[0], s[1], s[2], s[3], plan.finish);
    }
  }
}

/// The size of a thread's patch: as large as registers allow, since neighbouring results share what is loaded.
template <class P, int size, Mode mode>
struct PatchSize {
  static constexpr bool grey = sizeof(typename P::Pixel) == 1;
  static constexpr int words = !grey || mode == Mode::ordered ? 1 : size == 3 ? 4 : 2;
  static constexpr int rows = P::count == 3 && (mode == Mode::ordered || size >= 7) ? 2 : 4;
  static constexpr int rows_at_once = words == 4         ? 1
                                      : rows * words > 8 ? 8 / words
                                                         : rows;  ///< So that a thread holds 16 to 48 sums.
};

/// Computes the results of a patch in integers, rows_at_once rows at a time.
template <int size, Mode mode, class Patch, class StoreResult>
TS_HD void dot_patch(const Patch& patch, const TiledPlan& plan, const StoreResult& store_result) {
  using P = typename Patch::PlanesOfPixel;
  constexpr int count = std::min(Patch::rows, PatchSize<P, size, mode>::rows_at_once);
  TS_UNROLL
  for (int first = 0; first < Patch::rows; first += count) {
    std::uint32_t result[count][P::count][Patch::words];
    dot_rows<size, mode>(patch, first, plan, result);
    TS_UNROLL
    for (int r = 0; r < count; ++r)
      store_result(first + r, result[r]);
  }
}

/// The filter of patches (compute/engines/patches/patch_filter.h) for any mask up to 9x9.
template <int size, Mode mode>
struct ConvolutionPatches {
  static constexpr int radius = size / 2;
  template <class P>
  using Size = PatchSize<P, size, mode>;
  TiledPlan plan;

  template <class Patch, class StoreResult>
  TS_HD void results_of(const Patch& patch, const StoreResult& store_result) const {
    if constexpr (mode != Mode::ordered) {
      dot_patch<size, mode>(patch, plan, store_result);
    } else {
      constexpr int planes = Patch::PlanesOfPixel::count;
      std::uint32_t words[planes][Patch::rows][Patch::words];
      TS_UNROLL
      for (int plane = 0; plane < planes; ++plane)
        float_plane<size>(patch, plane, plan, words[plane]);
      TS_UNROLL
      for (int r = 0; r < Patch::rows; ++r) {
        std::uint32_t result[planes][Patch::words];
        TS_UNROLL
        for (int plane = 0; plane < planes; ++plane) {
          TS_UNROLL
          for (int w = 0; w < Patch::words; ++w)
            result[plane][w] = words[plane][r][w];
        }
        store_result(r, result);
      }
    }
  }
};

}  // namespace threadscape::convolution
