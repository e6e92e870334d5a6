#pragma once
// Filters whose mask is a column times a row: sums along columns first, then along rows of those sums. mean,
// weighted_mean, gaussian, sharpen, laplacian_of_gaussian and large convolutions of rank 1 are plans for this one
// engine.
//
// 8-bit pictures, in integers:
//   column sum  c = floor((sum of column[i] * pixel + 2^shift / 2) / 2^shift)
//   window sum  s = sum of row[i] * c, over both terms of the plan
//   result      finish_window(s, pixel): one more rounding
// Nothing else rounds, so every order of summation gives the same bits.
//
// Float pictures, and 8-bit pictures of plans `in_floats`: each sum from left to right or top to bottom, one rounding
// per product and one per addition, starting from 0; the sums of two terms are added last.

#include <array>
#include <cstddef>
#include <cstdint>

#include "compute/core/border.h"
#include "compute/engines/planes/edge_output.h"
#include "compute/engines/planes/finish.h"
#include "compute/registry/algorithm.h"

namespace threadscape::separable {

inline constexpr int max_radius = 32;
inline constexpr int max_taps = 2 * max_radius + 1;
inline constexpr int max_terms = 2;
/// Sums of |column[i]| of whole masks: column sums are then below 2^24, so float sums are exact as well.
inline constexpr int max_column_magnitude = 65793;

/// What becomes of the sum of a window.
enum class Result : int {
  smooth,      ///< the weighted mean itself
  sharpen,     ///< pixel + amount * (pixel - weighted mean)
  signed_sum,  ///< a sum of differences, by Output
  divided      ///< the sum, by Plan::finish
};

/// The mask of one kind of number: `terms` products column x row, added. Taps 0..2 * radius.
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
  Output output = Output::absolute;  ///< Result::signed_sum

  Mask<std::int16_t> whole;  ///< 8-bit pictures
  int shift = 0;             ///< of column sums
  int bits = 0;              ///< window sum / 2^bits is in grey levels; not if `equal`
  int amount = 0;            ///< Result::sharpen, in 1/256
  bool equal = false;        ///< every tap is 1: sums can slide, and the result is window sum / size^2
  bool below_2_24 = false;   ///< no partial sum reaches 2^24: float sums are exact as well

  Mask<float> real;          ///< float pictures
  float scale = 1.0f;        ///< window sum * scale is the result
  float real_amount = 0.0f;  ///< Result::sharpen

  // Result::divided only; nothing rounds before the finish.
  UnitFinish finish;
  bool in_floats = false;  ///< 8-bit pictures are summed in floats
  bool wide = false;       ///< whole column sums need more than 16 bits
};

// ---- Plans
// -------------------------------------------------------------------------------------------------------------

/// 4 sigma rounded up; `radius` itself if it is not 0.
[[nodiscard]] int gaussian_radius(float sigma, int radius);
/// size x size ones.
[[nodiscard]] Plan mean_plan(int size);
/// A row of Pascal's triangle times itself: 1 2 1, 1 4 6 4 1, ... 8-bit results are exact up to size 7; larger masks
/// are rounded as those of gaussian_plan().
[[nodiscard]] Plan binomial_plan(int size);
/// exp(-x^2 / (2 sigma^2)), cut off at `radius` and divided by the sum. In 8-bit pictures the weights are rounded to
/// 1 / 2^12 (radius <= 4) or 1 / 2^15; error_bound() says what that costs.
[[nodiscard]] Plan gaussian_plan(float sigma, int radius);
/// sigma^2 times the Laplacian of the Gaussian: by sigma^2, edges of any width answer equally strongly. The second
/// derivatives are moved so that they add up to 0: a flat picture has no edges. 8-bit weights in 1 / 2^15.
[[nodiscard]] Plan laplacian_of_gaussian_plan(float sigma);
/// The largest distance, in grey levels and before the last rounding, that rounded weights and column sums can put
/// between an 8-bit result and the exact one. For Result::smooth.
[[nodiscard]] double error_bound(const Plan& plan);

// ---- From sums to pixels
// -------------------------------------------------------------------------------------------------

/// n / 2^bits to the nearest integer, halves up, for any sign. (>> is floor() since C++20.)
TS_HD inline int rounded_shift(int n, int bits) {
  return bits == 0 ? n : (n + (1 << (bits - 1))) >> bits;
}

/// Sharpening works on means in 1/64 of a level and amounts in 1/256.
inline constexpr int fine_bits = 6, amount_bits = 8;

TS_HD inline std::uint8_t sharpened(int sum, std::uint8_t pixel, const Plan& plan) {
  const int mean = rounded_shift(sum, plan.bits - fine_bits), own = pixel << fine_bits;
  const int value = rounded_shift((own << amount_bits) + plan.amount * (own - mean), fine_bits + amount_bits);
  return static_cast<std::uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
}

TS_HD inline std::uint8_t finish_window(int sum, std::uint8_t pixel, const Plan& plan) {
  if (plan.equal) {
    const int count = (2 * plan.radius + 1) * (2 * plan.radius + 1);
    return static_cast<std::uint8_t>((sum + count / 2) / count);
  }
  switch (plan.result) {
    case Result::smooth:
      return static_cast<std::uint8_t>(rounded_shift(sum, plan.bits));
    case Result::sharpen:
      return sharpened(sum, pixel, plan);
    case Result::signed_sum:
      return edge_pixel(rounded_shift(sum, plan.bits), plan.output);
    default:
      return finish_units(sum, plan.finish);
  }
}
TS_HD inline std::uint8_t finish_window(float sum, std::uint8_t, const Plan& plan) {
  return finish_u8(sum, plan.finish.real);
}
TS_HD inline float finish_window(float sum, float pixel, const Plan& plan) {
  if (plan.result == Result::divided) return finish_real(sum, plan.finish.real);
  const float value = sum * plan.scale;
  if (plan.result == Result::smooth) return value;
  if (plan.result == Result::signed_sum) return edge_pixel(value, plan.output);
  return pixel + plan.real_amount * (pixel - value);
}

/// Taps and sums in integers.
struct Integers {
  using Sum = int;
  TS_HD static const Mask<std::int16_t>& mask(const Plan& plan) { return plan.whole; }
  TS_HD static int column_value(int sum, const Plan& plan) { return rounded_shift(sum, plan.shift); }
};
/// And in floats.
struct Reals {
  using Sum = float;
  TS_HD static const Mask<float>& mask(const Plan& plan) { return plan.real; }
  TS_HD static float column_value(float sum, const Plan&) { return sum; }
};
/// Calls f(Integers{}) or f(Reals{}), whichever the plan wants for pictures with this type of number.
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
// --------------------------------------------------------------------------------------------------------

/// For output_shape(): the picture itself. Throws UsageError for others than 8-bit and float pictures.
[[nodiscard]] Shape output_shape(std::string_view algorithm, const Shape& input);
inline constexpr std::array cuda_variants{
    Variant{"tiled", "tensor cores, registers or shared memory, whichever is quickest for picture and window"},
    Variant{"global", "two passes over pictures in global memory, one thread per pixel"},
    Variant{"shared", "both passes in one kernel, on a tile with halo in shared memory"}};

/// Bytes of scratch memory: one row of column sums for the serial backend, intermediate_bytes() for the CUDA variant
/// `global`, and 0 for the others.
[[nodiscard]] std::size_t scratch_bytes(const Plan& plan, const Shape& input, Backend backend, int variant);
/// Bytes of the column sums of a whole picture, of all planes and terms.
[[nodiscard]] std::size_t intermediate_bytes(const Plan& plan, const Shape& input);
void serial(const Plan& plan, const HostRun& run);
/// Rows y0..y1-1 of the serial backend. `sums` has room for max_terms rows of width + 2 * radius sums of 4 bytes.
void filter_rows(const Plan& plan, const HostRun& run, int y0, int y1, void* sums);
void openmp(const Plan& plan, const HostRun& run);
void cuda(const Plan& plan, const DeviceRun& run);

}  // namespace threadscape::separable
