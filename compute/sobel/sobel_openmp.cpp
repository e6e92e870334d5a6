// Sobel with all cores and SIMD: down a column of the picture, one vector wide. Each row gives its smoothed and its
// differenced values once; three neighbouring rows of them make the two gradients.
//
// Bytes become 16-bit lanes by splitting them into even and odd ones. Loads at x - 1 and x + 1, split, hold all
// neighbours of all pixels from x on.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/sobel/sobel_openmp.cpp"
#include <hwy/foreach_target.h>
// clang-format off: must come after foreach_target.h
#include <hwy/highway.h>
// clang-format on

#include "compute/neighbourhood/dot-inl.h"
#include "compute/neighbourhood/tiles-inl.h"
#include "compute/sobel/sobel.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::sobel {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // a processor without SIMD, or a compiler that cannot emulate it

void find_edges(const Plan& plan, const HostRun& run, int y0, int y1) {
  find_edges_of_rows(plan, run, y0, y1);
}

#else

using namespace threadscape::HWY_NAMESPACE;  // NOLINT: the namespace of this instruction set

/// Of one row: left + 2 centre + right, and right - left; for even and for odd pixels.
struct Row {
  hn::Vec<Words> smooth_even, smooth_odd, slope_even, slope_odd;

  HWY_INLINE explicit Row(const std::uint8_t* HWY_RESTRICT at) {
    const Words d;
    const hn::RebindToUnsigned<Words> du;
    const auto low = hn::Set(d, 0xff);
    const auto before = hn::BitCast(d, hn::LoadU(Bytes(), at - 1));
    const auto after = hn::BitCast(d, hn::LoadU(Bytes(), at + 1));
    const auto a = hn::And(before, low);                                        // x - 1, x + 1, ...
    const auto b = hn::BitCast(d, hn::ShiftRight<8>(hn::BitCast(du, before)));  // x,     x + 2, ...
    const auto c = hn::And(after, low);                                         // x + 1, x + 3, ...
    const auto e = hn::BitCast(d, hn::ShiftRight<8>(hn::BitCast(du, after)));   // x + 2, x + 4, ...
    const auto middle = hn::Add(b, c);
    smooth_even = hn::Add(hn::Add(a, b), middle);  // b + c stands for b + (x + 1)
    smooth_odd = hn::Add(middle, hn::Add(c, e));
    slope_even = hn::Sub(c, a);
    slope_odd = hn::Sub(e, b);
  }
};

HWY_INLINE hn::Vec<Words> strength_l1(hn::Vec<Words> x, hn::Vec<Words> y) {
  return hn::Min(hn::Add(hn::Abs(x), hn::Abs(y)), hn::Set(Words(), 255));
}

/// strength() with exact squares and a correctly rounded root; sums of squares are below 2^24.
HWY_INLINE hn::Vec<Words> strength_l2(hn::Vec<Words> x, hn::Vec<Words> y) {
  const Longs d;
  const Floats f;
  const auto root = [&](hn::Vec<Longs> gx, hn::Vec<Longs> gy) HWY_ATTR {
    const auto a = hn::ConvertTo(f, gx), b = hn::ConvertTo(f, gy);
    const auto norm = hn::Sqrt(hn::Add(hn::Mul(a, a), hn::Mul(b, b)));
    return hn::ConvertTo(d, hn::Min(hn::Add(norm, hn::Set(f, 0.5f)), hn::Set(f, 255.0f)));
  };
  const auto lx = hn::BitCast(d, x), ly = hn::BitCast(d, y);
  const auto low = root(hn::ShiftRight<16>(hn::ShiftLeft<16>(lx)), hn::ShiftRight<16>(hn::ShiftLeft<16>(ly)));
  const auto high = root(hn::ShiftRight<16>(lx), hn::ShiftRight<16>(ly));
  return hn::BitCast(Words(), hn::Or(low, hn::ShiftLeft<16>(high)));
}

template <Norm norm>
HWY_INLINE void find_edges_of_tile(const std::uint8_t* HWY_RESTRICT source, std::ptrdiff_t pitch,
                                   std::uint8_t* HWY_RESTRICT result, std::ptrdiff_t result_pitch, int width,
                                   int height) {
  const auto strength = [](hn::Vec<Words> x, hn::Vec<Words> y) HWY_ATTR {
    if constexpr (norm == Norm::l1)
      return strength_l1(x, y);
    else
      return strength_l2(x, y);
  };
  const int step = static_cast<int>(hn::Lanes(Bytes()));
  for (int x = 0; x < width; x += step) {
    Row above(source + x - pitch), centre(source + x);
    // Half of gx: slope_above + slope_centre. The other half is the same of the next row, so it is kept for that.
    auto pair_even = hn::Add(above.slope_even, centre.slope_even),
         pair_odd = hn::Add(above.slope_odd, centre.slope_odd);
    for (int y = 0; y < height; ++y) {
      const Row below(source + x + (y + 1) * pitch);
      const auto next_even = hn::Add(centre.slope_even, below.slope_even);
      const auto next_odd = hn::Add(centre.slope_odd, below.slope_odd);
      const auto even = strength(hn::Add(pair_even, next_even), hn::Sub(below.smooth_even, above.smooth_even));
      const auto odd = strength(hn::Add(pair_odd, next_odd), hn::Sub(below.smooth_odd, above.smooth_odd));
      hn::StoreU(zip_words(even, odd), Bytes(), result + x + y * result_pitch);
      pair_even = next_even;
      pair_odd = next_odd;
      above = centre;
      centre = below;
    }
  }
}

void find_edges(const Plan& plan, const HostRun& run, int y0, int y1) {
  with_planes<std::uint8_t>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const auto filter = [&](const std::uint8_t* source, std::ptrdiff_t pitch, std::uint8_t* result,
                            std::ptrdiff_t result_pitch, int width, int height) HWY_ATTR {
      if (plan.norm == Norm::l1)
        find_edges_of_tile<Norm::l1>(source, pitch, result, result_pitch, width, height);
      else
        find_edges_of_tile<Norm::l2>(source, pitch, result, result_pitch, width, height);
    };
    filter_band<P, std::uint8_t>(run.in.image<Pixel>(), run.out.image<Pixel>(), y0, y1, radius, plan.border, filter);
  });
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::sobel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {
namespace sobel {
HWY_EXPORT(find_edges);
}

void Sobel::openmp(const Params& params, const HostRun& run) {
  const sobel::Plan plan = Sobel::plan(params);
  for_each_band(run, static_cast<int>(run.in.shape.height), [&](int y0, int y1) {
    using namespace sobel;  // NOLINT: where HWY_EXPORT put the table
    HWY_DYNAMIC_DISPATCH(find_edges)(plan, run, y0, y1);
  });
}

}  // namespace threadscape
#endif
