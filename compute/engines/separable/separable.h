#pragma once
// Filters whose mask is a column times a row: sums along columns first, then along rows of those sums. mean,
// weighted_mean, gaussian, sharpen, laplacian_of_gaussian and large convolutions of rank 1 are plans for this one
// engine.
//
//        picture                  column sums                 result
//     . . . . . . .              . . . . . . .            . . . . . . .
//     . . . x . . .   column     . . . . . . .    row     . . . . . . .
//     . . . x . . .   ------>    . x x x x x .   ----->   . . . r . . .      radius 2: 2 x 5 products, not 5 x 5
//     . . . x . . .              . . . . . . .            . . . . . . .
//
// separable.cpp makes the plans, separable_serial.cpp is the definition in code, openmp/ has the SIMD twins and cuda/
// the kernels, which cuda_routes lists. docs/benchmarks/notes/separable-filters.md compares the routes.
//
// separable_ladder.cu has the variants `global` and `shared`, which are there to be read.
//
// 8-bit pictures, in integers:
//   column sum  c = floor((sum of column[i] * pixel + 2^shift / 2) / 2^shift)
//   window sum  s = sum of row[i] * c, over both terms of the plan
//   result      finish_window(s, pixel): one more rounding
// Nothing else rounds, so every order of summation gives the same bits.
//
// With Border::shrink, completed_sum() comes between window sum and result where the window leaves the picture.
//
// Float pictures, and 8-bit pictures of plans `in_floats`: each sum from left to right or top to bottom, one rounding
// per product and one per addition, starting from 0; the sums of two terms are added last. In float pictures a mean
// that differs from its pixel by no more than rounding may leave in a flat window (Plan::flat_error) is the pixel, and
// a sum of differences as small is 0: a flat picture stays flat, and has no edges, to the bit.

#include <array>
#include <cstddef>
#include <cstdint>

#include "compute/core/backend.h"
#include "compute/core/border.h"
#include "compute/core/device_run.h"
#include "compute/core/fields.h"
#include "compute/core/route.h"
#include "compute/core/variant.h"
#include "compute/engines/planes/edge_output.h"
#include "compute/kernel/finish.h"
#include "compute/kernel/shrink.h"

namespace threadscape::separable {

inline constexpr int max_radius = 32;
inline constexpr int max_taps = 2 * max_radius + 1;
inline constexpr int max_terms = 2;
/// Bound of the sum of |column[i]| of a mask of integers: column sums stay below 2^24, where floats hold every integer.
inline constexpr int max_column_magnitude = 65793;

/// Plan::shift of plans whose taps take two bytes: the fraction bits that column sums lose.
inline constexpr int column_shift = 8;

/// What becomes of the sum of a window, see finish_window().
enum class Result : int {
  smooth,      ///< The weighted mean itself.
  sharpen,     ///< pixel + amount * (pixel - weighted mean)
  signed_sum,  ///< A sum of differences, which Plan::output turns into a pixel.
  divided      ///< The sum, which Plan::finish divides and clamps.
};

/// A mask with taps of one type: the sum of Plan::terms products column x row. Taps 0 .. 2 * radius are used.
template <class Tap>
struct Mask {
  Tap column[max_terms][max_taps] = {};
  Tap row[max_terms][max_taps] = {};
};

/// The parameters of a run in the form that all backends use.
struct Plan {
  int radius = 1;
  int terms = 1;
  Border border = Border::mirror;
  Channels channels = Channels::each;
  Result result = Result::smooth;
  Output output = Output::absolute;  ///< How signed results become pixels, for Result::signed_sum.

  // For 8-bit pictures, except those of plans `in_floats`.
  Mask<std::int16_t> whole;  ///< The taps as integers, with fraction bits.
  int shift = 0;             ///< Column sums are divided by 2^shift and rounded.
  int bits = 0;              ///< Window sum / 2^bits is in grey levels; without meaning if `equal`.
  int amount = 0;            ///< Strength of Result::sharpen, in 1/256.
  bool equal = false;        ///< Every tap is 1: sums can slide, and the result, smooth, is window sum / size^2.
  bool below_2_24 = false;   ///< No partial sum reaches 2^24, so sums in floats are exact as well.

  // For float pictures, and for 8-bit pictures of plans `in_floats`.
  Mask<float> real;          ///< The taps as floats.
  float scale = 1.0f;        ///< Window sum * scale is the result, except for Result::divided.
  float real_amount = 0.0f;  ///< Strength of Result::sharpen.
  float flat_error = 0.0f;   ///< What rounding leaves in the result of equal pixels, relative to them; see below.

  // For Result::divided only: nothing rounds before the finish.
  UnitFinish finish;       ///< How window sums become pixels.
  bool in_floats = false;  ///< 8-bit pictures are summed in floats.
  bool wide = false;       ///< Column sums of integers need more than 16 bits.
};

// ---- Plans

/// `radius` if it is not 0, else 4 sigma rounded up, at most max_radius.
[[nodiscard]] int gaussian_radius(float sigma, int radius);
/// The mean of size x size pixels: all taps are 1.
[[nodiscard]] Plan mean_plan(int size);
/// A row of Pascal's triangle times itself: 1 2 1, 1 4 6 4 1, ... 8-bit results are exact up to size 7; weights of
/// larger masks are rounded as gaussian_plan() rounds its own.
[[nodiscard]] Plan binomial_plan(int size);
/// exp(-x^2 / (2 sigma^2)), cut off at gaussian_radius(sigma, radius) and divided by the sum. In 8-bit pictures the
/// weights are rounded to 1 / 2^12 (radius <= 4) or 1 / 2^15; error_bound() says what that costs.
[[nodiscard]] Plan gaussian_plan(float sigma, int radius);
/// sigma^2 times the Laplacian of the Gaussian; with the factor sigma^2, edges of every width give equally strong
/// results. The second derivatives are shifted so that they add up to 0: a flat picture has no edges. In 8-bit pictures
/// the weights are rounded to 1 / 2^15.
[[nodiscard]] Plan laplacian_of_gaussian_plan(float sigma);
/// Upper bound of the error of an 8-bit result, in grey levels and before the last rounding, that comes from rounded
/// weights and rounded column sums. For Result::smooth.
[[nodiscard]] double error_bound(const Plan& plan);
/// Upper bound of the error of a float result in a window of equal pixels, relative to them: what rounding leaves, and
/// how far the rounded taps are from adding up to 1, or to 0 for Result::signed_sum. plan.flat_error has this value.
/// completed_uncertainty says what Border::shrink adds.
[[nodiscard]] double flat_error(const Plan& plan);

/// Throws std::logic_error, with what is wrong, unless all backends compute the plan: its members fit together, and its
/// sums into their types. serial(), openmp() and cuda() call it. It takes some hundred nanoseconds.
void check(const Plan& plan);

// ---- From sums to pixels

/// n / 2^bits rounded to the nearest integer, halves up, for any sign; >> rounds down since C++20.
TS_HD inline int rounded_shift(int n, int bits) {
  return bits == 0 ? n : (n + (1 << (bits - 1))) >> bits;
}

/// Fraction bits of the mean (1/64 of a grey level) and of the amount (1/256) in sharpened().
inline constexpr int fine_bits = 6, amount_bits = 8;

/// pixel + amount * (pixel - mean), rounded and clamped; `sum` is the window sum of the weighted mean.
TS_HD inline std::uint8_t sharpened(int sum, std::uint8_t pixel, const Plan& plan) {
  const int mean = rounded_shift(sum, plan.bits - fine_bits), own = pixel << fine_bits;
  const int value = rounded_shift((own << amount_bits) + plan.amount * (own - mean), fine_bits + amount_bits);
  return static_cast<std::uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
}

/// The factor of Plan::flat_error in windows with a completed_sum(): the sum of the part that is inside, and that of
/// its weights, are twice as uncertain relative to themselves as those of a whole window.
inline constexpr float completed_uncertainty = 5.0f;

/// The result of a window: its sum and the pixel in its middle, by plan.result. Integer sums are of 8-bit pictures.
/// `uncertainty`, which counts in float pictures alone, is 1 or completed_uncertainty.
TS_HD inline std::uint8_t finish_window(int sum, std::uint8_t pixel, const Plan& plan, float = 1.0f) {
  const int count = (2 * plan.radius + 1) * (2 * plan.radius + 1);
  switch (plan.result) {
    case Result::smooth:
      return static_cast<std::uint8_t>(plan.equal ? (sum + count / 2) / count : rounded_shift(sum, plan.bits));
    case Result::sharpen:
      return sharpened(sum, pixel, plan);
    case Result::signed_sum:
      return edge_pixel(rounded_shift(sum, plan.bits), plan.output);
    case Result::divided:
      break;
  }
  return finish_units(sum, plan.finish);
}
/// The result of a window of an 8-bit picture that was summed in floats, for Result::divided.
TS_HD inline std::uint8_t finish_window(float sum, std::uint8_t, const Plan& plan, float = 1.0f) {
  return finish_u8(sum, plan.finish.real);
}
/// The result of a window of a float picture.
TS_HD inline float finish_window(float sum, float pixel, const Plan& plan, float uncertainty = 1.0f) {
  if (plan.result == Result::divided) return finish_real(sum, plan.finish.real);
  const float error = uncertainty * plan.flat_error;
  float value = sum * plan.scale;
  if (plan.result == Result::signed_sum) {
    if (fabsf(value) < error * fabsf(pixel)) value = 0.0f;
    return edge_pixel(value, plan.output);
  }
  value = settled(value, pixel, error);
  if (plan.result == Result::smooth) return value;
  return pixel + plan.real_amount * (pixel - value);
}

/// The arithmetic of 8-bit pictures: taps and sums are integers, column sums are rounded.
struct Integers {
  using Sum = int;
  TS_HD static const Mask<std::int16_t>& mask(const Plan& plan) { return plan.whole; }
  TS_HD static int column_value(int sum, const Plan& plan) { return rounded_shift(sum, plan.shift); }
};
/// The arithmetic of float pictures and of plans `in_floats`: taps and sums are floats, column sums stay as they are.
struct Reals {
  using Sum = float;
  TS_HD static const Mask<float>& mask(const Plan& plan) { return plan.real; }
  TS_HD static float column_value(float sum, const Plan&) { return sum; }
};
/// For Border::shrink: the window sum of pixel (x, y), as strong as if the whole mask lay inside of the picture.
template <class Rules, class Sum = typename Rules::Sum>
TS_HD Sum completed_sum(Sum sum, const Plan& plan, int x, int y, int width, int height) {
  using Weight = std::conditional_t<std::is_same_v<Sum, float>, float, std::int64_t>;
  const int radius = plan.radius, size = 2 * radius + 1;
  const auto weight = [&](TapsInside column, TapsInside row) {
    Weight total{0};
    for (int term = 0; term < plan.terms; ++term)
      total += weight_of<Weight>(Rules::mask(plan).column[term], column) *
               weight_of<Weight>(Rules::mask(plan).row[term], row);
    return total;
  };
  const TapsInside all(size, 0, size);
  return completed(sum, weight(all, all), weight({size, y - radius, height}, {size, x - radius, width}));
}
/// Calls f(Integers{}) or f(Reals{}), the arithmetic of the plan for pictures with values of type Value.
template <class Value, class F>
void with_arithmetic(const Plan& plan, const F& f) {
  if constexpr (std::is_same_v<Value, float>)
    f(Reals{});
  else if (plan.in_floats)
    f(Reals{});
  else
    f(Integers{});
}

// ---- The backends

/// The shape of the result, which is that of the input. Throws UsageError unless it is an 8-bit or float picture;
/// `algorithm` is the name in the message.
[[nodiscard]] Shape output_shape(std::string_view algorithm, const Shape& input);
inline constexpr std::array cuda_variants{
    Variant{"tiled", "tensor cores, registers or shared memory, whichever is quickest for picture and window"},
    Variant{"global", "two passes over pictures in global memory, one thread per pixel"},
    Variant{"shared", "both passes in one kernel, on a tile with halo in shared memory"}};

/// The routes of the variant `tiled`, of which the first that can compute a run is taken. Milliseconds on an H200 for
/// 4096 x 4096 bytes, where a copy takes 0.008 (grey). Each of them is more than 10 % faster than the next best one
/// somewhere in its row. Means have a route before these (mean.h), up to 4 us faster than `strip` for luma of radius 2
/// to 4 at 1024 x 1024; `strip` is taken there because it saves up to 42 % at 4096 x 4096.
inline constexpr std::array cuda_routes{
    Route{"fp16", "fragments of tensor cores in fp16, separable_small.cu",
          "grey and RGBA bytes (each), Result::smooth, radius 1 to 4, taps that fp16 holds",
          "grey 1 to 4: 0.014; RGBA 1 to 4: 0.048"},
    Route{"matrix", "fragments of tensor cores in bytes, separable_matrix.cu",
          "grey and RGBA bytes (each), radius to 32 (grey), to 8 (RGBA)",
          "grey 7: 0.025..0.035, 32: 0.059; RGBA 7: 0.11..0.15"},
    Route{"strip", "registers, separable_strip.cuh", "bytes, radius 1 to 4: luma, and Result::sharpen before `matrix`",
          "luma 1 to 4: 0.061..0.096; sharpen, grey 1: 0.040, 4: 0.058"},
    Route{"block", "shared memory, separable_block.cuh", "everything else", "luma 7: 0.30; RGBA 15: 1.1"}};

/// Bytes of scratch memory: intermediate_bytes() for the CUDA variant `global`, and 0 for the others.
[[nodiscard]] std::size_t scratch_bytes(const Plan& plan, const Shape& input, Backend backend, int variant);
/// Bytes of the column sums of a whole picture, of all planes and terms.
[[nodiscard]] std::size_t intermediate_bytes(const Plan& plan, const Shape& input);
void serial(const Plan& plan, const HostRun& run);
/// Computes rows y0 .. y1 - 1 as the serial backend does.
void filter_rows(const Plan& plan, const HostRun& run, int y0, int y1);
/// For Border::shrink: computes those pixels of rows y0 .. y1 - 1 as the serial backend does whose window leaves the
/// picture.
void shrink_edges(const Plan& plan, const HostRun& run, int y0, int y1);
void openmp(const Plan& plan, const HostRun& run);
void cuda(const Plan& plan, const DeviceRun& run);

}  // namespace threadscape::separable
