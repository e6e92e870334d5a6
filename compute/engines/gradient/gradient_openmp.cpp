// Gradient filters with all cores and SIMD. For strengths in 8-bit pictures (Plan::plain()) a thread goes down a column
// of its tile that is one vector wide. The weighted sums and the differences along each row are computed once, and
// three neighbouring rows of them give both gradients.
//
// Bytes become 16-bit lanes by splitting them into even and odd ones. Loads at x - 1 and x + 1, split, hold the left,
// the right and the own value of all pixels from x on:
//
//   load at x - 1   even bytes   x - 1   x + 1   x + 3   ...      left neighbours of even pixels
//                   odd bytes    x       x + 2   x + 4   ...      even pixels; left neighbours of odd pixels
//   load at x + 1   even bytes   x + 1   x + 3   x + 5   ...      odd pixels; right neighbours of even pixels
//                   odd bytes    x + 2   x + 4   x + 6   ...      right neighbours of odd pixels

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/engines/gradient/gradient_openmp.cpp"
#include <hwy/foreach_target.h>
// clang-format off: must come after foreach_target.h
#include <hwy/highway.h>
// clang-format on

#include "compute/core/run.h"
#include "compute/engines/gradient/gradient.h"
#include "compute/engines/planes/dot-inl.h"
#include "compute/engines/planes/tiles.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::gradient {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // a processor without SIMD, or a compiler that cannot emulate it

void find_edges(const Plan& plan, const HostRun& run, int y0, int y1) {
  find_edges_of_rows(plan, run, y0, y1);
}

#else

using namespace threadscape::HWY_NAMESPACE;  // NOLINT: the namespace of this instruction set

/// factor * v on lanes, without a multiplication for 1 and 2.
template <int factor, class V>
HWY_INLINE V times(V v) {
  if constexpr (factor == 1) return v;
  if constexpr (factor == 2) return hn::Add(v, v);
  return hn::Mul(v, hn::Set(hn::DFromV<V>(), factor));
}

/// Sums and differences along one row, for even and for odd pixels: `smooth` is side * left + centre * own + side *
/// right, and `slope` is right - left.
template <class M>
struct Row {
  hn::Vec<D16> smooth_even, smooth_odd, slope_even, slope_odd;

  HWY_INLINE explicit Row(const std::uint8_t* HWY_RESTRICT at) {
    const D16 d;
    const hn::RebindToUnsigned<D16> du;
    const auto low = hn::Set(d, 0xff);
    const auto before = hn::BitCast(d, hn::LoadU(D8(), at - 1));
    const auto after = hn::BitCast(d, hn::LoadU(D8(), at + 1));
    const auto a = hn::And(before, low);                                        // x - 1, x + 1, ...
    const auto b = hn::BitCast(d, hn::ShiftRight<8>(hn::BitCast(du, before)));  // x,     x + 2, ...
    const auto c = hn::And(after, low);                                         // x + 1, x + 3, ...
    const auto e = hn::BitCast(d, hn::ShiftRight<8>(hn::BitCast(du, after)));   // x + 2, x + 4, ...
    if constexpr (M::side == 1 && M::centre == 2) {
      const auto middle = hn::Add(b, c);
      smooth_even = hn::Add(hn::Add(a, b), middle);  // (x - 1) + x + x + (x + 1), x even
      smooth_odd = hn::Add(middle, hn::Add(c, e));
    } else {
      smooth_even = hn::Add(times<M::side>(hn::Add(a, c)), times<M::centre>(b));
      smooth_odd = hn::Add(times<M::side>(hn::Add(b, e)), times<M::centre>(c));
    }
    slope_even = hn::Sub(c, a);
    slope_odd = hn::Sub(e, b);
  }
};

/// strength() by Norm::l1.
HWY_INLINE hn::Vec<D16> strength_l1(hn::Vec<D16> x, hn::Vec<D16> y) {
  return hn::Min(hn::Add(hn::Abs(x), hn::Abs(y)), hn::Set(D16(), 255));
}

/// strength() by Norm::l2. Squares are exact and the root is correctly rounded where the result is below 255.
HWY_INLINE hn::Vec<D16> strength_l2(hn::Vec<D16> x, hn::Vec<D16> y) {
  const D32 d;
  const DF32 f;
  const auto root = [&](hn::Vec<D32> gx, hn::Vec<D32> gy) HWY_ATTR {
    const auto a = hn::ConvertTo(f, gx), b = hn::ConvertTo(f, gy);
    const auto norm = hn::Sqrt(hn::Add(hn::Mul(a, a), hn::Mul(b, b)));
    return hn::ConvertTo(d, hn::Min(hn::Add(norm, hn::Set(f, 0.5f)), hn::Set(f, 255.0f)));
  };
  const auto lx = hn::BitCast(d, x), ly = hn::BitCast(d, y);
  const auto low = root(hn::ShiftRight<16>(hn::ShiftLeft<16>(lx)), hn::ShiftRight<16>(hn::ShiftLeft<16>(ly)));
  const auto high = root(hn::ShiftRight<16>(lx), hn::ShiftRight<16>(ly));
  return hn::BitCast(D16(), hn::Or(low, hn::ShiftLeft<16>(high)));
}

/// The filter for strengths in 8-bit pictures, see filter_band().
template <class M, Norm norm>
void find_edges_of_tile(const Plan&, const std::uint8_t* HWY_RESTRICT source, std::ptrdiff_t pitch,
                        std::uint8_t* HWY_RESTRICT result, std::ptrdiff_t result_pitch, int width, int height) {
  const auto strength = [](hn::Vec<D16> x, hn::Vec<D16> y) HWY_ATTR {
    if constexpr (norm == Norm::l1)
      return strength_l1(x, y);
    else
      return strength_l2(x, y);
  };
  const int step = static_cast<int>(hn::Lanes(D8()));
  for (int x = 0; x < width; x += step) {
    Row<M> above(source + x - pitch), centre(source + x);
    // Sobel's gx is (slope_above + slope_centre) + (slope_centre + slope_below): the second sum is the first one of the
    // next row, so it is kept.
    auto pair_even = hn::Add(above.slope_even, centre.slope_even),
         pair_odd = hn::Add(above.slope_odd, centre.slope_odd);
    for (int y = 0; y < height; ++y) {
      const Row<M> below(source + x + (y + 1) * pitch);
      hn::Vec<D16> x_even, x_odd;
      if constexpr (std::is_same_v<M, SobelMask>) {
        const auto next_even = hn::Add(centre.slope_even, below.slope_even);
        const auto next_odd = hn::Add(centre.slope_odd, below.slope_odd);
        x_even = hn::Add(pair_even, next_even);
        x_odd = hn::Add(pair_odd, next_odd);
        pair_even = next_even;
        pair_odd = next_odd;
      } else {
        x_even =
            hn::Add(times<M::side>(hn::Add(above.slope_even, below.slope_even)), times<M::centre>(centre.slope_even));
        x_odd = hn::Add(times<M::side>(hn::Add(above.slope_odd, below.slope_odd)), times<M::centre>(centre.slope_odd));
      }
      const auto even = strength(x_even, hn::Sub(below.smooth_even, above.smooth_even));
      const auto odd = strength(x_odd, hn::Sub(below.smooth_odd, above.smooth_odd));
      hn::StoreU(zip_i16(even, odd), D8(), result + x + y * result_pitch);
      above = centre;
      centre = below;
    }
  }
}

// ---- All other results and float pictures: edge_of() on vectors of 16-bit integers or floats

HWY_INLINE hn::Vec<D16> load(D16 d, const std::uint8_t* from) {
  return hn::PromoteTo(d, hn::LoadU(hn::Half<D8>(), from));
}
HWY_INLINE hn::Vec<DF32> load(DF32 d, const float* from) {
  return hn::LoadU(d, from);
}
HWY_INLINE void store(D16, hn::Vec<D16> value, std::uint8_t* to) {  // saturates
  hn::StoreU(hn::DemoteTo(hn::Half<D8>(), value), hn::Half<D8>(), to);
}
HWY_INLINE void store(DF32 d, hn::Vec<DF32> value, float* to) {
  hn::StoreU(value, d, to);
}
HWY_INLINE hn::Vec<D16> root(hn::Vec<D16> x, hn::Vec<D16> y) {
  return strength_l2(x, y);
}
HWY_INLINE hn::Vec<DF32> root(hn::Vec<DF32> x, hn::Vec<DF32> y) {
  return hn::Sqrt(hn::Add(hn::Mul(x, x), hn::Mul(y, y)));
}

/// The filter for any plan, see filter_band().
template <class D, class Value>
void find_any_edges(const Plan& plan, const Value* HWY_RESTRICT source, std::ptrdiff_t pitch,
                    Value* HWY_RESTRICT result, std::ptrdiff_t result_pitch, int width, int height) {
  const D d;
  using V = hn::Vec<D>;
  using Lane = hn::TFromD<D>;
  const V zero = hn::Zero(d), side = hn::Set(d, static_cast<Lane>(plan.side)),
          centre = hn::Set(d, static_cast<Lane>(plan.centre));
  constexpr bool real = std::is_same_v<Lane, float>;
  const V offset = hn::Set(d, real ? static_cast<Lane>(float_offset) : static_cast<Lane>(128));
  const bool compass = plan.directions == Directions::eight || plan.output == Result::direction;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; x += static_cast<int>(hn::Lanes(d))) {
      const Value* at = source + x + y * pitch;
      const V d0 = hn::Sub(load(d, at + 1), load(d, at - 1));
      const V d1 = hn::Sub(load(d, at + pitch + 1), load(d, at - pitch - 1));
      const V d2 = hn::Sub(load(d, at + pitch), load(d, at - pitch));
      const V d3 = hn::Sub(load(d, at + pitch - 1), load(d, at - pitch + 1));
      const auto weigh = [&](V middle, V beside)
                             HWY_ATTR { return hn::Add(hn::Mul(centre, middle), hn::Mul(side, beside)); };
      const V right = weigh(d0, hn::Sub(d1, d3)), down = weigh(d2, hn::Add(d3, d1));
      V value = plan.norm == Norm::x    ? right
                : plan.norm == Norm::y  ? down
                : plan.norm == Norm::l1 ? hn::Add(hn::Abs(right), hn::Abs(down))
                                        : root(right, down);
      if (compass) {
        const V responses[4]{right, weigh(d1, hn::Add(d2, d0)), down, weigh(d3, hn::Sub(d2, d0))};
        V largest = zero, level = zero;
        for (int i = 0; i < 8; ++i) {
          const V answer = i < 4 ? responses[i] : hn::Sub(zero, responses[i - 4]);
          const auto more = hn::Gt(answer, largest);
          largest = hn::IfThenElse(more, answer, largest);
          level = hn::IfThenElse(more, hn::Set(d, static_cast<Lane>(direction_level<Value>(i))), level);
        }
        if (plan.directions == Directions::eight) value = largest;
        if (plan.output == Result::direction) {
          store(d, level, result + x + y * result_pitch);
          continue;
        }
      }
      if (plan.output == Result::absolute) value = hn::Abs(value);
      if (plan.output == Result::clamp) value = hn::IfThenElseZero(hn::Gt(value, zero), value);
      if (plan.output == Result::offset) value = hn::Add(value, offset);
      store(d, value, result + x + y * result_pitch);
    }
}

/// Filters a band by find_tile(plan, ...), a filter for tiles of one plane.
template <class Value, class FindTile>
void find_edges_of_band(const Plan& plan, const HostRun& run, int y0, int y1, FindTile find_tile) {
  const TileFilter<Value, Value> filter = [&](const Value* source, std::ptrdiff_t pitch, Value* result,
                                              std::ptrdiff_t result_pitch, int width, int height) {
    find_tile(plan, source, pitch, result, result_pitch, width, height);
  };
  filter_band(PlaneRows(run, plan.channels), y0, y1, radius, plan.border, filter);
}

template <class M>
auto plain_filter(Norm norm) {
  return norm == Norm::l1 ? find_edges_of_tile<M, Norm::l1> : find_edges_of_tile<M, Norm::l2>;
}

void find_edges(const Plan& plan, const HostRun& run, int y0, int y1) {
  if (run.in.shape.element == Element::f32)
    return find_edges_of_band<float>(plan, run, y0, y1, find_any_edges<DF32, float>);
  find_edges_of_band<std::uint8_t>(plan, run, y0, y1,
                                   !plan.plain()                        ? find_any_edges<D16, std::uint8_t>
                                   : plan.centre == SobelMask::centre   ? plain_filter<SobelMask>(plan.norm)
                                   : plan.centre == PrewittMask::centre ? plain_filter<PrewittMask>(plan.norm)
                                                                        : plain_filter<ScharrMask>(plan.norm));
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::gradient
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::gradient {

HWY_EXPORT(find_edges);

void openmp(const Plan& plan, const HostRun& run) {
  check(plan);
  for_each_band(run, static_cast<int>(run.in.shape.height), [&](int y0, int y1) {
    HWY_DYNAMIC_DISPATCH(find_edges)(plan, run, y0, y1);
  });
}

}  // namespace threadscape::gradient
#endif
