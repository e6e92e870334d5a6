// The rotating mask for bytes (Google Highway, compiled once per instruction set: no #pragma once).
//
// Every row of a mask is a run of pixels, and masks share runs: their sums are made once per row. A sum is one 32-bit
// lane that holds both what the mean needs and what the variance needs (Few, Many). The four squares of Kuwahara are
// one square seen from its four corners, so its variance is found once per pixel.

#if defined(THREADSCAPE_ROTATING_MASK_BYTES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_ROTATING_MASK_BYTES_INL_H_
#undef THREADSCAPE_ROTATING_MASK_BYTES_INL_H_
#else
#define THREADSCAPE_ROTATING_MASK_BYTES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "compute/neighbourhood/dot-inl.h"
#include "compute/neighbourhood/tiles-inl.h"
#include "compute/rotating_mask/rotating_mask_math.h"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace threadscape::rotating_mask {
namespace HWY_NAMESPACE {

using namespace threadscape::HWY_NAMESPACE;  // NOLINT: the namespace of this instruction set
using Ints = hn::Vec<Longs>;

constexpr int strip_width = 128;  // the runs of a window's rows then stay in the nearest cache
/// A multiple of the longest vector: rows that begin aligned are loaded and stored as such.
constexpr int longest_vector = 64 / static_cast<int>(sizeof(std::int32_t));
constexpr int strip_pitch =
    (strip_width + 2 * largest_radius + 2 * tile_step / 4 + longest_vector - 1) / longest_vector * longest_vector;

HWY_INLINE Ints low_half(Ints v) {
  return hn::And(v, hn::Set(Longs(), 0xffff));
}

/// Sums over up to 7 pixels, of values v less 128 in the lower 16 bits and of v (v - 1) / 2 - 4096 in the upper ones.
struct Few {
  static constexpr int most = 7;
  static HWY_INLINE Ints of_pixel(Ints v) {
    const Longs d;
    const auto half = hn::Sub(hn::ShiftRight<1>(hn::Mul(v, hn::Sub(v, hn::Set(d, 1)))), hn::Set(d, 4096));
    return hn::Or(low_half(v), hn::ShiftLeft<16>(half));
  }
  static HWY_INLINE Ints add(Ints a, Ints b) {
    return hn::BitCast(Longs(), hn::Add(hn::BitCast(Words(), a), hn::BitCast(Words(), b)));
  }
  static HWY_INLINE Ints sum(Ints moments, int) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(moments)); }
  /// Mask::spread less a constant: count * (2 upper + lower) - lower^2.
  static HWY_INLINE Ints spread(Ints moments, int count) {
    const auto factors = hn::Sub(hn::BitCast(Words(), hn::Set(Longs(), count | 2 * count << 16)),
                                 hn::BitCast(Words(), low_half(moments)));
    return dot_words(hn::BitCast(Words(), moments), factors, hn::Zero(Longs()));
  }
  static constexpr int constant(int count) { return 2 * 4096 * count * count; }
};

/// Sums over up to 25 pixels, of v + 128 in the lower 13 bits and of v^2 in the others.
struct Many {
  static constexpr int most = 25;
  static HWY_INLINE Ints of_pixel(Ints v) {
    return hn::Add(hn::Add(v, hn::Set(Longs(), 128)), hn::ShiftLeft<13>(hn::Mul(v, v)));
  }
  static HWY_INLINE Ints add(Ints a, Ints b) { return hn::Add(a, b); }
  static HWY_INLINE Ints sum(Ints moments, int count) {
    return hn::Sub(hn::And(moments, hn::Set(Longs(), (1 << 13) - 1)), hn::Set(Longs(), 128 * count));
  }
  static HWY_INLINE Ints spread(Ints moments, int count) {
    const auto squares = hn::BitCast(Longs(), hn::ShiftRight<13>(hn::BitCast(hn::RebindToUnsigned<Longs>(), moments)));
    const auto s = sum(moments, count);
    return hn::Sub(hn::Mul(squares, hn::Set(Longs(), count)), hn::Mul(s, s));
  }
  static constexpr int constant(int) { return 0; }
};

/// Mask::mean() of values less 128 as float, to be cut off. The half added keeps exact quotients clear of rounding.
HWY_INLINE hn::Vec<Floats> mean(Ints sum, int count) {
  const Longs d;
  const Floats f;
  const auto numerator = hn::Add(hn::Add(sum, sum), hn::Set(d, 2 * 128 * count + count));
  return hn::Mul(hn::Add(hn::ConvertTo(f, numerator), hn::Set(f, 0.5f)),
                 hn::Set(f, 1.0f / static_cast<float>(2 * count)));
}

/// Sums over 1, 2, ... `lengths` pixels of one row. Column 0 lies `radius` before the strip.
template <int lengths>
struct RunRow {
  alignas(64) std::int32_t of[lengths][strip_pitch];
};

/// `width` pixels, at least a vector of them, from `source` on.
template <class Moments, int lengths>
HWY_INLINE void make_runs(const std::uint8_t* HWY_RESTRICT source, int width, RunRow<lengths>& row) {
  const Longs d;
  const hn::Rebind<std::uint8_t, Longs> bytes;
  const int step = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < width; i += step) {
    const int x = std::min(i, width - step);  // what lies behind may not belong to the picture
    const auto v = hn::Sub(hn::PromoteTo(d, hn::LoadU(bytes, source + x)), hn::Set(d, 128));
    hn::StoreU(Moments::of_pixel(v), d, row.of[0] + x);
  }
  for (int x = 0; x < width; x += step) {
    auto sum = hn::Load(d, row.of[0] + x);
    for (int length = 1; length < lengths; ++length) {
      sum = Moments::add(sum, hn::LoadU(d, row.of[0] + x + length));
      hn::Store(sum, d, row.of[length] + x);
    }
  }
}

// ---- Nagao and Matsuyama
// -----------------------------------------------------------------------------------------------

/// Moments of one mask, from row dy on, for the pixels at column x of the strip; `rows` is the pixel's row.
template <class Moments, int radius, int mask, int dy, class Rows>
HWY_INLINE Ints moments_of(const Rows* rows, int x) {
  constexpr Range all = rows_of(Method::nagao, mask, radius), columns = columns_of(Method::nagao, mask, radius, dy);
  const auto run = hn::LoadU(Longs(), rows[dy].of[columns.last - columns.first] + x + radius + columns.first);
  if constexpr (dy == all.last)
    return run;
  else
    return Moments::add(run, moments_of<Moments, radius, mask, dy + 1>(rows, x));
}
template <class Moments, int radius, int mask, class Rows>
HWY_INLINE Ints moments_of(const Rows* rows, int x) {
  constexpr Range all = rows_of(Method::nagao, mask, radius);
  return moments_of<Moments, radius, mask, all.first>(rows, x);
}

/// The square around the pixel, which may have more pixels than Moments can add: row by row.
template <class Moments, int radius, class Rows>
HWY_INLINE void centre_square(const Rows* rows, int x, Ints& sum, Ints& spread) {
  const Longs d;
  constexpr int half = (radius + 1) / 2, side = 2 * half + 1, count = side * side;
  if constexpr (count <= Moments::most) {
    const auto moments = moments_of<Moments, radius, 0>(rows, x);
    sum = Moments::sum(moments, count);
    spread = hn::Add(Moments::spread(moments, count), hn::Set(d, Moments::constant(count)));
  } else {
    static_assert(std::is_same_v<Moments, Few>);
    const auto factors = hn::BitCast(Words(), hn::Set(d, count | 2 * count << 16));
    sum = hn::Zero(d);
    spread = hn::Set(d, Moments::constant(count));
    for (int dy = -half; dy <= half; ++dy) {
      const auto run = hn::LoadU(d, rows[dy].of[side - 1] + x + radius - half);
      sum = Few::add(sum, run);
      spread = dot_words(hn::BitCast(Words(), run), factors, spread);
    }
    sum = Few::sum(sum, count);  // the upper halves may have overflown
    spread = hn::Sub(spread, hn::Mul(sum, sum));
  }
}

/// The best of masks `mask` to 8, after those before; the first of equals.
template <class Moments, int radius, int mask, class Rows>
HWY_INLINE void compare_masks(const Rows* rows, int x, Ints& best, Ints& best_spread) {
  constexpr int count = pixels_of(Method::nagao, 1, radius);
  const auto moments = moments_of<Moments, radius, mask>(rows, x);
  const auto spread = Moments::spread(moments, count);
  if constexpr (mask == 1) {
    best = moments;
    best_spread = spread;
  } else {
    best = hn::IfThenElse(hn::Gt(best_spread, spread), moments, best);
    best_spread = hn::Min(best_spread, spread);
  }
  if constexpr (mask < 8) compare_masks<Moments, radius, mask + 1>(rows, x, best, best_spread);
}

template <class Moments, int radius, class Rows>
HWY_INLINE void nagao_row(const Rows* rows, int width, std::uint8_t* HWY_RESTRICT result) {
  const Longs d;
  const hn::RebindToUnsigned<Longs> du;
  const hn::Rebind<std::uint8_t, Longs> bytes;
  constexpr int count = pixels_of(Method::nagao, 1, radius), of_square = pixels_of(Method::nagao, 0, radius);
  for (int x = 0; x < width; x += static_cast<int>(hn::Lanes(d))) {
    Ints best, spread, square, square_spread;
    compare_masks<Moments, radius, 1>(rows, x, best, spread);
    centre_square<Moments, radius>(rows, x, square, square_spread);
    // The square comes first and has another size: see Mask::varies_less_than().
    spread = hn::Mul(hn::Add(spread, hn::Set(d, Moments::constant(count))), hn::Set(d, of_square * of_square));
    square_spread = hn::Mul(square_spread, hn::Set(d, count * count));
    const auto less = hn::Gt(hn::BitCast(du, square_spread), hn::BitCast(du, spread));
    const auto value = hn::IfThenElse(hn::RebindMask(Floats(), hn::RebindMask(d, less)),
                                      mean(Moments::sum(best, count), count), mean(square, of_square));
    hn::StoreU(hn::DemoteTo(bytes, hn::ConvertTo(d, value)), bytes, result + x);
  }
}

template <int radius>
void nagao_strip(const std::uint8_t* source, std::ptrdiff_t pitch, std::uint8_t* result, std::ptrdiff_t result_pitch,
                 int width, int height) {
  using Moments = std::conditional_t<pixels_of(Method::nagao, 1, radius) <= Few::most, Few, Many>;
  RunRow<2 * ((radius + 1) / 2) + 1> rows[band_height + 2 * radius];
  for (int row = 0; row < height + 2 * radius; ++row) {
    make_runs<Moments>(source + (row - radius) * pitch - radius, width + 2 * radius, rows[row]);
    if (const int y = row - 2 * radius; y >= 0)
      nagao_row<Moments, radius>(rows + y + radius, width, result + y * result_pitch);
  }
}

// ---- Kuwahara
// ----------------------------------------------------------------------------------------------------------

/// Squares whose left upper corners are in one row. Column 0 lies `radius` before the strip.
struct SquareRow {
  alignas(64) std::int32_t spread[strip_pitch], mean[strip_pitch];
};

template <int radius>
void kuwahara_strip(const std::uint8_t* source, std::ptrdiff_t pitch, std::uint8_t* result, std::ptrdiff_t result_pitch,
                    int width, int height) {
  const Longs d;
  const hn::Rebind<std::uint8_t, Longs> bytes;
  constexpr int side = radius + 1, count = side * side;
  const int step = static_cast<int>(hn::Lanes(d));
  RunRow<side> rows[band_height + 2 * radius];
  SquareRow squares[band_height + radius];
  for (int row = 0; row < height + 2 * radius; ++row) {
    make_runs<Many>(source + (row - radius) * pitch - radius, width + 2 * radius, rows[row]);
    if (row < radius) continue;
    SquareRow& lower = squares[row - radius];
    for (int x = 0; x < width + radius; x += step) {
      auto moments = hn::Load(d, rows[row].of[radius] + x);
      for (int i = 1; i < side; ++i)
        moments = hn::Add(moments, hn::Load(d, rows[row - i].of[radius] + x));
      hn::Store(Many::spread(moments, count), d, lower.spread + x);
      hn::Store(hn::ConvertTo(d, mean(Many::sum(moments, count), count)), d, lower.mean + x);
    }
    if (row < 2 * radius) continue;
    const SquareRow& upper = squares[row - 2 * radius];
    for (int x = 0; x < width; x += step) {
      auto spread = hn::Load(d, upper.spread + x), best = hn::Load(d, upper.mean + x);
      const auto compare = [&](const SquareRow& square, int at) HWY_ATTR {
        const auto other = hn::LoadU(d, square.spread + at);
        best = hn::IfThenElse(hn::Gt(spread, other), hn::LoadU(d, square.mean + at), best);
        spread = hn::Min(spread, other);
      };
      compare(upper, x + radius);
      compare(lower, x);
      compare(lower, x + radius);
      hn::StoreU(hn::DemoteTo(bytes, best), bytes, result + (row - 2 * radius) * result_pitch + x);
    }
  }
}

// ---- Both
// --------------------------------------------------------------------------------------------------------------

template <int radius>
void filter_bytes_of_size(Method method, const std::uint8_t* source, std::ptrdiff_t pitch, std::uint8_t* result,
                          std::ptrdiff_t result_pitch, int width, int height) {
  const auto filter_strip = method == Method::nagao ? nagao_strip<radius> : kuwahara_strip<radius>;
  for (int x = 0; x < width; x += strip_width)
    filter_strip(source + x, pitch, result + x, result_pitch, std::min(strip_width, width - x), height);
}

/// `source` is the value of the tile's first pixel; `radius` more lie around the tile. The height is at most
/// band_height.
void filter_bytes(const Plan& plan, const std::uint8_t* source, std::ptrdiff_t pitch, std::uint8_t* result,
                  std::ptrdiff_t result_pitch, int width, int height) {
  switch (plan.radius()) {
    case 1:
      return filter_bytes_of_size<1>(plan.method, source, pitch, result, result_pitch, width, height);
    case 2:
      return filter_bytes_of_size<2>(plan.method, source, pitch, result, result_pitch, width, height);
    case 3:
      return filter_bytes_of_size<3>(plan.method, source, pitch, result, result_pitch, width, height);
    default:
      return filter_bytes_of_size<4>(plan.method, source, pitch, result, result_pitch, width, height);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::rotating_mask
HWY_AFTER_NAMESPACE();
#endif

#endif
