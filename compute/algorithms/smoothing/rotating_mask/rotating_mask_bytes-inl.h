// The rotating mask for bytes (Google Highway, compiled once per instruction set: no #pragma once).
//
// Every row of a mask is a run of pixels, and masks share runs, so sums of runs are computed once per row of pixels. A
// sum is one 32-bit lane that holds both moments, the sum of the values for the mean and the sum of their squares for
// the variance (Moments16, Moments13). The four squares of Kuwahara are one square with the pixel in each of its four
// corners, so its variance is computed once per position; and the four hexagons of Nagao are two, each with the pixel
// at either end.

#if defined(THREADSCAPE_ROTATING_MASK_BYTES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_ROTATING_MASK_BYTES_INL_H_
#undef THREADSCAPE_ROTATING_MASK_BYTES_INL_H_
#else
#define THREADSCAPE_ROTATING_MASK_BYTES_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "compute/algorithms/smoothing/rotating_mask/rotating_mask_math.h"
#include "compute/engines/planes/dot-inl.h"
#include "compute/engines/planes/tiles.h"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace threadscape::rotating_mask {
namespace HWY_NAMESPACE {

using namespace threadscape::HWY_NAMESPACE;  // NOLINT: the namespace of this instruction set
using Ints = hn::Vec<D32>;

constexpr int strip_width = 128;  ///< Columns of results at a time: their rows of sums stay in the first-level cache.
/// A multiple of the longest vector, so that rows that begin aligned are loaded and stored as such.
constexpr int max_vector_lanes = 64 / static_cast<int>(sizeof(std::int32_t));
constexpr int strip_pitch =
    (strip_width + 2 * max_radius + 2 * tile_step / 4 + max_vector_lanes - 1) / max_vector_lanes * max_vector_lanes;

/// Prefetches row `row` + 3 of the source and of the result: pieces of rows are too short for the hardware prefetcher
/// to find out that the next rows will follow.
HWY_INLINE void announce_row(const std::uint8_t* source, std::ptrdiff_t pitch, const std::uint8_t* result,
                             std::ptrdiff_t result_pitch, int radius, int row, int width, int height) {
  constexpr int ahead = 3;
  if (row + ahead >= height + 2 * radius) return;
  const std::uint8_t* in = source + (row + ahead - radius) * pitch - radius;
  for (int x = 0; x < width + 2 * radius; x += 64)
    hwy::Prefetch(in + x);
  if (row + ahead < 2 * radius) return;
  const std::uint8_t* out = result + (row + ahead - 2 * radius) * result_pitch;
  for (int x = 0; x < width; x += 64)
    hwy::Prefetch(out + x);
}

// Masks are compared by their evenness, which is a constant minus a multiple of Mask::spread.

/// Sums over up to 8 pixels v, of w = 2 v - 255 in the lower 16 bits and of t = (w^2 - 1) / 8 - 4064 in the upper ones.
/// As w is odd, t is a whole number; and 4 spread = count * (sum of w^2) - (sum of w)^2 has no linear term.
struct Moments16 {
  static constexpr int max_pixels = 8;
  static HWY_INLINE Ints of_pixel(Ints v) {
    const D32 d;
    const auto twice = dot_i16(hn::BitCast(D16(), v), hn::BitCast(D16(), hn::Sub(v, hn::Set(d, 255))),
                               hn::Set(d, 127 * 128 - 2 * 4064));  // 2 t = (v - 127) (v - 128) - 2 * 4064
    const auto w = hn::Sub(hn::Add(v, v), hn::Set(d, 255));
    return hn::BitCast(d, hn::OddEven(hn::BitCast(D16(), hn::ShiftLeft<15>(twice)), hn::BitCast(D16(), w)));
  }
  static HWY_INLINE Ints add(Ints a, Ints b) {
    return hn::BitCast(D32(), hn::Add(hn::BitCast(D16(), a), hn::BitCast(D16(), b)));
  }
  /// The factors of both halves in evenness().
  static HWY_INLINE hn::Vec<D16> factors(Ints moments, int count) {
    return hn::OddEven(hn::Set(D16(), static_cast<std::int16_t>(-8 * count)), hn::BitCast(D16(), moments));
  }
  /// (sum of w)^2 - 8 count (sum of t)
  static HWY_INLINE Ints evenness(Ints moments, int count) {
    return dot_i16(hn::BitCast(D16(), moments), factors(moments, count), hn::Zero(D32()));
  }
  /// Makes the constants in the evenness of two masks equal where each evenness is multiplied by the other's count^2:
  /// here they are equal as they are.
  static constexpr std::int32_t offset(int, int) { return 0; }

  /// Mask::mean() as (sum of w + 256 count) / (2 count), computed by a product and a shift as in quotient().
  template <int count>
  static HWY_INLINE Ints mean(Ints moments) {
    constexpr int shift = count < 8 ? 17 : 18, factor = ((1 << shift) + 2 * count - 1) / (2 * count);
    static_assert(factor < 1 << 15 && 512 * count * (2 * factor * count - (1 << shift)) < 1 << shift);
    const D32 d;
    return hn::ShiftRight<shift>(
        dot_i16(hn::BitCast(D16(), moments), hn::BitCast(D16(), hn::Set(d, factor)), hn::Set(d, 256 * count * factor)));
  }
};

/// (sum + count / 2) / count, computed by a product and a shift. It is exact as long as
/// (sum + count / 2) * (factor * count - 2^shift) < 2^shift.
template <int count>
HWY_INLINE Ints quotient(Ints sum) {
  constexpr int shift = count < 8 ? 16 : count <= 16 ? 18 : 19, factor = ((1 << shift) + count - 1) / count;
  static_assert(factor < 1 << 15 && (count * 255 + count / 2) * (factor * count - (1 << shift)) < 1 << shift);
  const D32 d;
  return hn::ShiftRight<shift>(
      dot_i16(hn::BitCast(D16(), sum), hn::BitCast(D16(), hn::Set(d, factor)), hn::Set(d, count / 2 * factor)));
}

/// Sums over up to 25 pixels, of values v in the lower 13 bits and of (v - 128)^2 in the others.
struct Moments13 {
  static constexpr int max_pixels = 25;
  static HWY_INLINE Ints of_pixel(Ints v) {
    const D32 d;
    const auto square =
        dot_i16(hn::BitCast(D16(), v), hn::BitCast(D16(), hn::Sub(v, hn::Set(d, 256))), hn::Set(d, 128 * 128));
    return hn::Add(v, hn::ShiftLeft<13>(square));
  }
  static HWY_INLINE Ints add(Ints a, Ints b) { return hn::Add(a, b); }
  static HWY_INLINE Ints sum(Ints moments) { return hn::And(moments, hn::Set(D32(), (1 << 13) - 1)); }
  /// lower * (lower - 256 count) - count * upper, of the two parts of a lane.
  static HWY_INLINE Ints evenness(Ints moments, int count) {
    const D32 d;
    const auto squares = hn::BitCast(d, hn::ShiftRight<13>(hn::BitCast(hn::RebindToUnsigned<D32>(), moments)));
    const auto s = sum(moments), rest = hn::Sub(s, hn::Set(d, 256 * count));
    return hn::Sub(dot_i16(hn::BitCast(D16(), s), hn::BitCast(D16(), rest), hn::Zero(d)),
                   hn::Mul(squares, hn::Set(d, count)));
  }
  /// Added to evenness * weight, gives 2^31 - 1 - spread * weight. Products below 2^32 keep their order as signed
  /// numbers.
  static constexpr std::int32_t offset(int count, int weight) {
    const auto constant = static_cast<std::uint32_t>(128 * 128 * count * count) * static_cast<std::uint32_t>(weight);
    return static_cast<std::int32_t>(constant + std::numeric_limits<std::int32_t>::max());
  }
  template <int count>
  static HWY_INLINE Ints mean(Ints moments) {
    return quotient<count>(sum(moments));
  }
};

/// Moments of runs of 1, 2, ... `lengths` pixels of one row, by their first pixel. Column 0 lies `radius` before the
/// strip.
template <int lengths>
struct RunRow {
  alignas(64) std::int32_t of[lengths][strip_pitch];
};

/// Fills `row` from `width` pixels from `source` on; `width` is at least the length of a vector.
template <class Moments, int lengths>
HWY_INLINE void make_runs(const std::uint8_t* HWY_RESTRICT source, int width, RunRow<lengths>& row) {
  const D32 d;
  const hn::Rebind<std::uint8_t, D32> bytes;
  const int step = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < width; i += step) {
    const int x = std::min(i, width - step);  // memory behind the last pixel may not belong to the picture
    hn::StoreU(Moments::of_pixel(hn::PromoteTo(d, hn::LoadU(bytes, source + x))), d, row.of[0] + x);
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

/// Moments of the rows dy and below of one mask, for the pixels from column x of the strip on. `rows` points at the row
/// of the pixels.
template <class Moments, int radius, int mask, int dy, class Rows>
HWY_INLINE Ints moments_of(const Rows* rows, int x) {
  constexpr Range all = rows_of(Method::nagao, mask, radius), columns = columns_of(Method::nagao, mask, radius, dy);
  const auto run = hn::LoadU(D32(), rows[dy].of[columns.last - columns.first] + x + radius + columns.first);
  if constexpr (dy == all.last)
    return run;
  else
    return Moments::add(run, moments_of<Moments, radius, mask, dy + 1>(rows, x));
}
/// Moments of all rows of one mask.
template <class Moments, int radius, int mask, class Rows>
HWY_INLINE Ints moments_of(const Rows* rows, int x) {
  constexpr Range all = rows_of(Method::nagao, mask, radius);
  return moments_of<Moments, radius, mask, all.first>(rows, x);
}

/// The evenness of the square around the pixel. It may have more pixels than Moments can add, so it is summed row by
/// row.
template <class Moments, int radius, class Rows>
HWY_INLINE Ints evenness_of_square(const Rows* rows, int x, Ints square) {
  constexpr int half = (radius + 1) / 2, side = 2 * half + 1, count = side * side;
  if constexpr (count <= Moments::max_pixels) {
    return Moments::evenness(square, count);
  } else {
    static_assert(std::is_same_v<Moments, Moments16>);
    const auto factors = Moments16::factors(square, count);  // the lower half is exact; the upper one may overflow
    auto evenness = hn::Zero(D32());
    for (int dy = -half; dy <= half; ++dy) {
      const auto run = hn::LoadU(D32(), rows[dy].of[side - 1] + x + radius - half);
      evenness = dot_i16(hn::BitCast(D16(), run), factors, evenness);
    }
    return evenness;
  }
}

/// Moments and evenness of one hexagon at every position along certain rows, by the column of the left upper corner of
/// its bounding square.
struct Hexagons {
  alignas(64) std::int32_t moments[strip_pitch], evenness[strip_pitch];
};
/// The two shapes: hexagon 6 (to the lower right of the pixel) is hexagon 8 with the pixel at its other end, and
/// hexagon 7 (to the lower left) is hexagon 5.
constexpr int falling = 6, rising = 7;
/// With radius 1 both shapes are the same square of 2 x 2 pixels.
template <int radius>
inline constexpr int kinds_of_hexagon = radius == 1 ? 1 : 2;

template <class Moments, int radius, int mask, class Rows>
HWY_INLINE void make_hexagons(const Rows* rows, int width, Hexagons& hexagons) {
  const D32 d;
  constexpr int corner = mask == rising ? radius : 0;  // column of the pixel in the bounding square
  for (int x = 0; x < width; x += static_cast<int>(hn::Lanes(d))) {
    const auto moments = moments_of<Moments, radius, mask>(rows, x + corner - radius);
    hn::Store(moments, d, hexagons.moments + x);
    hn::Store(Moments::evenness(moments, pixels_of(Method::nagao, mask, radius)), d, hexagons.evenness + x);
  }
}

/// The moments and the evenness of the most even masks so far.
struct Best {
  Ints moments, evenness;

  /// Takes the other mask where it is more even; of equal ones the first stays.
  HWY_INLINE void compare(Ints other, Ints other_evenness) {
    moments = hn::IfThenElse(hn::Gt(other_evenness, evenness), other, moments);
    evenness = hn::Max(evenness, other_evenness);
  }
  HWY_INLINE void compare(const Hexagons& hexagons, int x) {
    compare(hn::LoadU(D32(), hexagons.moments + x), hn::LoadU(D32(), hexagons.evenness + x));
  }
};

/// Compares pentagons `mask` to 4; the first of them, 1, starts the comparison.
template <class Moments, int radius, int mask, class Rows>
HWY_INLINE void compare_pentagons(const Rows* rows, int x, Best& best) {
  const auto moments = moments_of<Moments, radius, mask>(rows, x);
  const auto evenness = Moments::evenness(moments, pixels_of(Method::nagao, mask, radius));
  if constexpr (mask == 1)
    best = {moments, evenness};
  else
    best.compare(moments, evenness);
  if constexpr (mask < 4) compare_pentagons<Moments, radius, mask + 1>(rows, x, best);
}

/// Computes one row of results. The bounding squares of the hexagons `above` end at this row of pixels, those of
/// `below` begin at it; index 0 is the falling shape, the last one the rising shape.
template <class Moments, int radius, class Rows>
HWY_INLINE void nagao_row(const Rows* rows, const Hexagons* above, const Hexagons* below, int width,
                          std::uint8_t* HWY_RESTRICT result) {
  const D32 d;
  const hn::Rebind<std::uint8_t, D32> bytes;
  constexpr int kinds = kinds_of_hexagon<radius>;
  constexpr int count = pixels_of(Method::nagao, 1, radius), of_square = pixels_of(Method::nagao, 0, radius);
  static_assert(count == pixels_of(Method::nagao, falling, radius));
  for (int x = 0; x < width; x += static_cast<int>(hn::Lanes(d))) {
    Best best;
    compare_pentagons<Moments, radius, 1>(rows, x, best);
    best.compare(above[kinds - 1], x + radius);
    best.compare(below[0], x + radius);
    best.compare(below[kinds - 1], x);
    best.compare(above[0], x);
    const auto square = moments_of<Moments, radius, 0>(rows, x);
    // The square comes first and has another size: see Mask::varies_less_than().
    constexpr int weight = of_square * of_square, weight_of_square = count * count;
    const auto evenness =
        hn::Add(hn::Mul(best.evenness, hn::Set(d, weight)), hn::Set(d, Moments::offset(count, weight)));
    const auto square_evenness =
        hn::Add(hn::Mul(evenness_of_square<Moments, radius>(rows, x, square), hn::Set(d, weight_of_square)),
                hn::Set(d, Moments::offset(of_square, weight_of_square)));
    const auto value = hn::IfThenElse(hn::Gt(evenness, square_evenness), Moments::template mean<count>(best.moments),
                                      Moments::template mean<of_square>(square));
    hn::StoreU(hn::DemoteTo(bytes, value), bytes, result + x);
  }
}

template <int radius>
void nagao_strip(const std::uint8_t* source, std::ptrdiff_t pitch, std::uint8_t* result, std::ptrdiff_t result_pitch,
                 int width, int height) {
  using Moments =
      std::conditional_t<pixels_of(Method::nagao, 1, radius) <= Moments16::max_pixels, Moments16, Moments13>;
  RunRow<2 * ((radius + 1) / 2) + 1> rows[band_height + 2 * radius];
  constexpr int kinds = kinds_of_hexagon<radius>;
  Hexagons hexagons[radius + 1][kinds];  // a ring buffer of rows
  for (int row = 0; row < height + 2 * radius; ++row) {
    announce_row(source, pitch, result, result_pitch, radius, row, width, height);
    make_runs<Moments>(source + (row - radius) * pitch - radius, width + 2 * radius, rows[row]);
    if (row < radius) continue;
    Hexagons* const below = hexagons[row % (radius + 1)];
    make_hexagons<Moments, radius, falling>(rows + row - radius, width + radius, below[0]);
    if constexpr (kinds > 1) make_hexagons<Moments, radius, rising>(rows + row - radius, width + radius, below[1]);
    if (const int y = row - 2 * radius; y >= 0)
      nagao_row<Moments, radius>(rows + y + radius, hexagons[(row + 1) % (radius + 1)], below, width,
                                 result + y * result_pitch);
  }
}

// ---- Kuwahara

/// A square as one number, by which squares compare: the spread in the upper 24 bits, the mean in the lower 8, minus
/// 2^31.
template <int count>
struct Square {
  static_assert(count / 2 * ((count + 1) / 2) * 255 * 255 < 1 << 24);

  static HWY_INLINE Ints key(Ints moments) {
    // Subtracts the constant in the evenness, 128^2 count^2, as well.
    constexpr std::uint32_t constant = (std::uint32_t{128 * 128 * count * count} << 8) + (std::uint32_t{1} << 31);
    const auto value = hn::Sub(Moments13::mean<count>(moments), hn::Set(D32(), static_cast<std::int32_t>(constant)));
    return hn::Sub(value, hn::ShiftLeft<8>(Moments13::evenness(moments, count)));
  }
  /// The key of the square that varies less; `a` if both vary equally.
  static HWY_INLINE Ints better(Ints a, Ints b) {
    return hn::IfThenElse(hn::Gt(a, hn::Or(b, hn::Set(D32(), 255))), b, a);
  }
};

template <int radius>
void kuwahara_strip(const std::uint8_t* source, std::ptrdiff_t pitch, std::uint8_t* result, std::ptrdiff_t result_pitch,
                    int width, int height) {
  constexpr int side = radius + 1;
  using Of = Square<side * side>;
  const D32 d;
  const hn::Rebind<std::uint8_t, D32> bytes;
  const int step = static_cast<int>(hn::Lanes(d)), columns = width + 2 * radius;
  // Column 0 lies `radius` before the strip. The rows of pixels and of keys, which are stored by the left upper corner
  // of their square, are ring buffers; `sums` are column sums over the last `side` rows.
  alignas(64) std::int32_t pixels[side][strip_pitch] = {}, keys[side][strip_pitch], sums[strip_pitch] = {};
  for (int row = 0; row < height + 2 * radius; ++row) {
    announce_row(source, pitch, result, result_pitch, radius, row, width, height);
    const std::uint8_t* from = source + (row - radius) * pitch - radius;
    std::int32_t* const newest = pixels[row % side];
    for (int i = 0; i < columns; i += step) {
      const int x = std::min(i, columns - step);  // memory behind the last pixel may not belong to the picture
      const auto pixel = Moments13::of_pixel(hn::PromoteTo(d, hn::LoadU(bytes, from + x)));
      const auto sum = hn::Sub(hn::Add(hn::LoadU(d, sums + x), pixel), hn::LoadU(d, newest + x));
      hn::StoreU(pixel, d, newest + x);
      hn::StoreU(sum, d, sums + x);
    }
    if (row < radius) continue;
    std::int32_t* const lower = keys[row % side];
    for (int x = 0; x < width + radius; x += step) {
      auto moments = hn::Load(d, sums + x);
      for (int i = 1; i < side; ++i)
        moments = hn::Add(moments, hn::LoadU(d, sums + x + i));
      hn::Store(Of::key(moments), d, lower + x);
    }
    if (row < 2 * radius) continue;
    const std::int32_t* const upper = keys[(row - radius) % side];
    for (int x = 0; x < width; x += step) {
      auto best = Of::better(hn::Load(d, upper + x), hn::LoadU(d, upper + x + radius));
      best = Of::better(best, hn::Load(d, lower + x));
      best = Of::better(best, hn::LoadU(d, lower + x + radius));
      const auto mean = hn::And(best, hn::Set(d, 255));
      hn::StoreU(hn::DemoteTo(bytes, mean), bytes, result + (row - 2 * radius) * result_pitch + x);
    }
  }
}

// ---- Both

template <int radius>
void filter_bytes_of_size(Method method, const std::uint8_t* source, std::ptrdiff_t pitch, std::uint8_t* result,
                          std::ptrdiff_t result_pitch, int width, int height) {
  const auto filter_strip = method == Method::nagao ? nagao_strip<radius> : kuwahara_strip<radius>;
  for (int x = 0; x < width; x += strip_width)
    filter_strip(source + x, pitch, result + x, result_pitch, std::min(strip_width, width - x), height);
}

/// Filters a tile of one plane. `source` points at its first pixel; `radius` more pixels lie around the tile on each
/// side. The height is at most band_height.
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
