// Convolution with all cores and SIMD: masks up to 9x9. There are three methods to sum a window, from fast to general
// (enum Method); all of them compute two rows at a time, so that each row of the picture is loaded once for two rows of
// results.
//
// Sums of even and of odd pixels are in vectors of their own, since a dot product of neighbouring lanes (dot-inl.h)
// makes one sum of two pixels. A row t0 t1 t2 of a 3x3 mask, for the windows that start at column x:
//
//   load at x       p0 p1 | p2 p3 | p4 p5 | ...    times  t0 t1 | t0 t1 | ...    even: pixels 0, 2, 4, ...
//   load at x + 2   p2 p3 | p4 p5 | p6 p7 | ...    times  t2 0  | t2 0  | ...    the rest of the same sums
//   load at x + 1   p1 p2 | p3 p4 | p5 p6 | ...    times  t0 t1 | t0 t1 | ...    odd: pixels 1, 3, 5, ...

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/filters/convolution/openmp/convolution_openmp.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/algorithms/filters/convolution/openmp/convolution_simd.h"
#include "compute/engines/planes/dot-inl.h"
#include "compute/engines/planes/finish-inl.h"
#include "compute/engines/planes/tiles.h"
#include "compute/engines/separable/separable.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::convolution {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // a processor without SIMD, or a compiler that cannot emulate it

void convolve(const SimdPlan& p, const HostRun& run, int y0, int y1) {
  convolve_rows(p.plan, run, y0, y1);
}

#else

using namespace threadscape::HWY_NAMESPACE;  // NOLINT: the namespace of this instruction set

// ---- From sums to pixels

/// finish_whole() on lanes of 16 bits: n / divisor is ((n * reciprocal) >> 16) >> shift, see reciprocal_of().
struct FinishWords {
  hn::Vec<D16> offset, half;
  hn::Vec<hn::RebindToUnsigned<D16>> reciprocal;
  int shift;
  bool divides, absolute;

  explicit FinishWords(const SimdPlan& p)
      : offset(hn::Set(D16(), static_cast<std::int16_t>(p.plan.whole.offset))),
        half(hn::Set(D16(), static_cast<std::int16_t>(p.plan.whole.divisor / 2))),
        reciprocal(hn::Set(hn::RebindToUnsigned<D16>(), p.reciprocal)),
        shift(p.reciprocal_shift),
        divides(p.plan.whole.divisor > 1),
        absolute(p.plan.whole.absolute) {}

  HWY_INLINE hn::Vec<D16> operator()(hn::Vec<D16> sum) const {
    const D16 d;
    auto n = hn::Add(sum, offset);
    if (absolute) n = hn::Abs(n);
    n = hn::Max(hn::Add(n, half), hn::Zero(d));
    if (divides)
      n = hn::BitCast(d,
                      hn::ShiftRightSame(hn::MulHigh(hn::BitCast(hn::RebindToUnsigned<D16>(), n), reciprocal), shift));
    return hn::Min(n, hn::Set(d, 255));
  }
};

// ---- Method::bytes: unsigned bytes times signed bytes, sums in 16 bits

/// Adds one row of the picture to the sums of one or two rows of results (`first`, `second`). `taps` is the row of the
/// mask for the first of them; for the second it is the row of the mask before.
template <int size, bool first, bool second>
HWY_INLINE void add_row(const std::uint8_t* HWY_RESTRICT row, const std::int32_t* HWY_RESTRICT taps,
                        hn::Vec<D16>& even0, hn::Vec<D16>& odd0, hn::Vec<D16>& even1, hn::Vec<D16>& odd1) {
  constexpr int pairs = (size + 1) / 2;
  for (int i = 0; i < pairs; ++i) {
    const auto even = hn::LoadU(D8(), row + 2 * i);
    const auto odd = hn::LoadU(D8(), row + 2 * i + 1);
    if constexpr (first) {
      const auto tap = hn::BitCast(D16(), hn::Set(D32(), taps[i]));
      even0 = hn::Add(even0, dot_u8i8(even, tap));
      odd0 = hn::Add(odd0, dot_u8i8(odd, tap));
    }
    if constexpr (second) {
      const auto tap = hn::BitCast(D16(), hn::Set(D32(), taps[i - pairs]));
      even1 = hn::Add(even1, dot_u8i8(even, tap));
      odd1 = hn::Add(odd1, dot_u8i8(odd, tap));
    }
  }
}

/// Computes two rows of results, `width` pixels each; `source` is the first pixel of the first row.
template <int size>
HWY_INLINE void convolve_bytes(const SimdPlan& p, const std::uint8_t* HWY_RESTRICT source, std::ptrdiff_t pitch,
                               std::uint8_t* HWY_RESTRICT result, std::ptrdiff_t result_pitch, int width) {
  constexpr int radius = size / 2, pairs = (size + 1) / 2;
  const FinishWords finish(p);
  const int step = static_cast<int>(hn::Lanes(D8()));
  for (int x = 0; x < width; x += step) {
    auto even0 = hn::Zero(D16()), odd0 = even0, even1 = even0, odd1 = even0;
    const std::uint8_t* row = source + x - radius - radius * pitch;
    const std::int32_t* taps = p.tap_pairs;
    add_row<size, true, false>(row, taps, even0, odd0, even1, odd1);
    for (int ky = 1; ky < size; ++ky) {
      row += pitch;
      taps += pairs;
      add_row<size, true, true>(row, taps, even0, odd0, even1, odd1);
    }
    hn::StoreU(zip_i16(finish(even0), finish(odd0)), D8(), result + x);
    add_row<size, false, true>(row + pitch, taps + pairs, even0, odd0, even1, odd1);
    hn::StoreU(zip_i16(finish(even1), finish(odd1)), D8(), result + result_pitch + x);
  }
}

// ---- Method::words: pixels widened to 16 bits, sums in 32 bits

/// add_row() of Method::bytes with sums in 32 bits.
template <int size, bool first, bool second>
HWY_INLINE void add_row(const std::uint8_t* HWY_RESTRICT row, const std::int32_t* HWY_RESTRICT taps,
                        hn::Vec<D32>& even0, hn::Vec<D32>& odd0, hn::Vec<D32>& even1, hn::Vec<D32>& odd1) {
  constexpr int pairs = (size + 1) / 2;
  const hn::Half<D8> half;
  for (int i = 0; i < pairs; ++i) {
    const auto even = hn::PromoteTo(D16(), hn::LoadU(half, row + 2 * i));
    const auto odd = hn::PromoteTo(D16(), hn::LoadU(half, row + 2 * i + 1));
    if constexpr (first) {
      const auto tap = hn::BitCast(D16(), hn::Set(D32(), taps[i]));
      even0 = dot_i16(even, tap, even0);
      odd0 = dot_i16(odd, tap, odd0);
    }
    if constexpr (second) {
      const auto tap = hn::BitCast(D16(), hn::Set(D32(), taps[i - pairs]));
      even1 = dot_i16(even, tap, even1);
      odd1 = dot_i16(odd, tap, odd1);
    }
  }
}

/// convolve_bytes() with sums in 32 bits.
template <int size>
HWY_INLINE void convolve_words(const SimdPlan& p, const std::uint8_t* HWY_RESTRICT source, std::ptrdiff_t pitch,
                               std::uint8_t* HWY_RESTRICT result, std::ptrdiff_t result_pitch, int width) {
  constexpr int radius = size / 2, pairs = (size + 1) / 2;
  const FinishUnits finish(p.plan.unit_finish());
  const hn::Half<D8> half;
  const int step = static_cast<int>(hn::Lanes(half));
  for (int x = 0; x < width; x += step) {
    auto even0 = hn::Zero(D32()), odd0 = even0, even1 = even0, odd1 = even0;
    const std::uint8_t* row = source + x - radius - radius * pitch;
    const std::int32_t* taps = p.tap_pairs;
    add_row<size, true, false>(row, taps, even0, odd0, even1, odd1);
    for (int ky = 1; ky < size; ++ky) {
      row += pitch;
      taps += pairs;
      add_row<size, true, true>(row, taps, even0, odd0, even1, odd1);
    }
    hn::StoreU(zip_i32(finish(even0), finish(odd0)), half, result + x);
    add_row<size, false, true>(row + pitch, taps + pairs, even0, odd0, even1, odd1);
    hn::StoreU(zip_i32(finish(even1), finish(odd1)), half, result + result_pitch + x);
  }
}

// ---- Method::floats: any mask; products and sums in the stated order

/// The sums of four vectors of neighbouring pixels: enough independent sums to hide the latency of an addition.
struct FourSums {
  hn::Vec<DF32> a, b, c, d;

  HWY_INLINE FourSums() : a(hn::Zero(DF32())), b(a), c(a), d(a) {}
  HWY_INLINE void add(float tap, const float* HWY_RESTRICT values) {
    const DF32 f;
    const auto weight = hn::Set(f, tap);
    const std::size_t n = hn::Lanes(f);
    a = hn::Add(a, hn::Mul(weight, hn::LoadU(f, values)));
    b = hn::Add(b, hn::Mul(weight, hn::LoadU(f, values + n)));
    c = hn::Add(c, hn::Mul(weight, hn::LoadU(f, values + 2 * n)));
    d = hn::Add(d, hn::Mul(weight, hn::LoadU(f, values + 3 * n)));
  }
  HWY_INLINE void store(const FinishU8& finish, std::uint8_t* HWY_RESTRICT result) const {
    const hn::Rebind<std::uint8_t, DF32> bytes;
    const std::size_t n = hn::Lanes(bytes);
    hn::StoreU(hn::DemoteTo(bytes, finish(a)), bytes, result);
    hn::StoreU(hn::DemoteTo(bytes, finish(b)), bytes, result + n);
    hn::StoreU(hn::DemoteTo(bytes, finish(c)), bytes, result + 2 * n);
    hn::StoreU(hn::DemoteTo(bytes, finish(d)), bytes, result + 3 * n);
  }
  HWY_INLINE void store(const FinishF32& finish, float* HWY_RESTRICT result) const {
    const DF32 f;
    const std::size_t n = hn::Lanes(f);
    hn::StoreU(finish(a), f, result);
    hn::StoreU(finish(b), f, result + n);
    hn::StoreU(finish(c), f, result + 2 * n);
    hn::StoreU(finish(d), f, result + 3 * n);
  }
};

/// Computes two rows of results, as convolve_bytes() does, from a plane of floats.
template <int size, class Value>
HWY_INLINE void convolve_floats(const SimdPlan& p, const float* HWY_RESTRICT source, std::ptrdiff_t pitch,
                                Value* HWY_RESTRICT result, std::ptrdiff_t result_pitch, int width) {
  constexpr int radius = size / 2;
  const std::conditional_t<std::is_same_v<Value, float>, FinishF32, FinishU8> finish(p.plan.finish);
  const int step = static_cast<int>(4 * hn::Lanes(DF32()));
  for (int x = 0; x < width; x += step) {
    FourSums sums0, sums1;
    const float* row = source + x - radius - radius * pitch;
    const float* taps = p.plan.taps;
    for (int kx = 0; kx < size; ++kx)
      sums0.add(taps[kx], row + kx);
    for (int ky = 1; ky < size; ++ky) {
      row += pitch;
      taps += size;
      for (int kx = 0; kx < size; ++kx) {
        sums0.add(taps[kx], row + kx);
        sums1.add(taps[kx - size], row + kx);
      }
    }
    sums0.store(finish, result + x);
    for (int kx = 0; kx < size; ++kx)
      sums1.add(taps[kx], row + pitch + kx);
    sums1.store(finish, result + result_pitch + x);
  }
}

// ---- A band of the picture

/// The filter of a method for masks of one size.
template <int size, Method method, class Source, class Value>
void convolve_tile(const SimdPlan& p, const Source* source, std::ptrdiff_t pitch, Value* result,
                   std::ptrdiff_t result_pitch, int width, int height) {
  for (int y = 0; y < height; y += 2, source += 2 * pitch, result += 2 * result_pitch)
    if constexpr (method == Method::bytes)
      convolve_bytes<size>(p, source, pitch, result, result_pitch, width);
    else if constexpr (method == Method::words)
      convolve_words<size>(p, source, pitch, result, result_pitch, width);
    else
      convolve_floats<size>(p, source, pitch, result, result_pitch, width);
}

template <Method method, class Source, class Value>
void convolve_band(const SimdPlan& p, const PlaneRows& rows, int y0, int y1) {
  const auto convolve_one = p.plan.size == 3   ? convolve_tile<3, method, Source, Value>
                            : p.plan.size == 5 ? convolve_tile<5, method, Source, Value>
                            : p.plan.size == 7 ? convolve_tile<7, method, Source, Value>
                                               : convolve_tile<9, method, Source, Value>;
  const TileFilter<Source, Value> filter = [&](const Source* source, std::ptrdiff_t pitch, Value* result,
                                               std::ptrdiff_t result_pitch, int width, int height) {
    convolve_one(p, source, pitch, result, result_pitch, width, height);
  };
  filter_band(rows, y0, y1, p.plan.radius, p.plan.border, filter);
}

void convolve(const SimdPlan& p, const HostRun& run, int y0, int y1) {
  const PlaneRows rows(run, p.plan.channels);
  if (run.in.shape.element == Element::f32)
    convolve_band<Method::floats, float, float>(p, rows, y0, y1);
  else if (p.method == Method::floats)
    convolve_band<Method::floats, float, std::uint8_t>(p, rows, y0, y1);
  else if (p.method == Method::words)
    convolve_band<Method::words, std::uint8_t, std::uint8_t>(p, rows, y0, y1);
  else
    convolve_band<Method::bytes, std::uint8_t, std::uint8_t>(p, rows, y0, y1);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::convolution
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::convolution {

HWY_EXPORT(convolve);

namespace {

bool convolve_unrolled(const Plan& plan, const HostRun& run) {
  if (plan.size > max_small_size) return false;
  const SimdPlan p(plan);
  for_each_band(run, static_cast<int>(run.in.shape.height), [&](int y0, int y1) {
    HWY_DYNAMIC_DISPATCH(convolve)(p, run, y0, y1);
  });
  return true;
}

bool convolve_two_passes(const Plan& plan, const HostRun& run) {
  if (!in_two_passes(plan, run.in.shape)) return false;
  separable::openmp(two_passes(plan), without_route(run));
  return true;
}

bool convolve_any_size(const Plan& plan, const HostRun& run) {
  if (plan.size <= max_small_size || rounds_in_two_passes(plan, run.in.shape)) return false;
  openmp_large(plan, run);
  return true;
}

using Launcher = RouteLauncher<Plan, HostRun>;
constexpr std::array launchers{Launcher{route_named("unrolled", Convolution::openmp_routes), convolve_unrolled},
                               Launcher{route_named("two_passes", Convolution::openmp_routes), convolve_two_passes},
                               Launcher{route_named("any_size", Convolution::openmp_routes), convolve_any_size}};

}  // namespace

void openmp(const Plan& plan, const HostRun& run) {
  check(plan);
  take_route(launchers, plan, run);
  if (plan.border == Border::shrink)
    for_each_band(run, static_cast<int>(run.in.shape.height), [&](int y0, int y1) { shrink_edges(plan, run, y0, y1); });
}

}  // namespace threadscape::convolution
#endif
