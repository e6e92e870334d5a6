// The bilateral filter with all cores and SIMD: the lanes of a vector are neighbouring pixels, each of which sums its
// window in the order of the reference. Only the sums of a plane are compiled for each instruction set; pixels are
// loaded and stored by code that is compiled once.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/smoothing/bilateral/bilateral_openmp.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "compute/algorithms/smoothing/bilateral/bilateral.h"
#include "compute/engines/planes/bands.h"
#include "compute/engines/planes/plane_tile.h"

#ifndef THREADSCAPE_BILATERAL_TILE
#define THREADSCAPE_BILATERAL_TILE
namespace threadscape::bilateral {
inline constexpr int tile_width = 128, tile_height = 32;
inline constexpr int tile_pitch = tile_width + 2 * max_radius + 64;  // the last vector may reach beyond the tile

/// The type of a value in a tile. Bytes are held as 32-bit integers, which index the table of range weights.
template <class Value>
using Held = std::conditional_t<std::is_same_v<Value, std::uint8_t>, std::int32_t, float>;

template <class Held>
struct Tile {
  alignas(64) Held values[tile_height + 2 * max_radius][tile_pitch];
  alignas(64) Held results[tile_height][tile_width + 64];
  alignas(64) float alphas[tile_height + 2 * max_radius][tile_pitch];  ///< Set where alpha counts.
};

/// Finds how many neighbours at both ends of each row of the window add nothing, since their spatial weight is 0. A
/// float times 0 may be NaN, so that all floats count.
template <class Held>
void skip_weightless(int radius, const Weights& weights, int* skipped) {
  const float* space = weights.space;
  for (int row = 0; row <= 2 * radius; ++row, space += 2 * radius + 1) {
    skipped[row] = 0;
    if constexpr (std::is_same_v<Held, std::int32_t>)
      while (skipped[row] < radius && space[skipped[row]] == 0.0f)
        ++skipped[row];
  }
}
}  // namespace threadscape::bilateral
#endif

HWY_BEFORE_NAMESPACE();
namespace threadscape::bilateral {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Ints = hn::ScalableTag<std::int32_t>;

/// range_weight() of each lane.
HWY_INLINE hn::Vec<Floats> range_weights(hn::Vec<Ints> values, hn::Vec<Ints> centres, const Plan&, const float* range) {
  return hn::GatherIndex(Floats(), range, hn::Abs(hn::Sub(values, centres)));
}
HWY_INLINE hn::Vec<Floats> range_weights(hn::Vec<Floats> values, hn::Vec<Floats> centres, const Plan& plan,
                                         const float*) {
  const Floats d;
  const Ints di;
  const auto difference = hn::Sub(values, centres);
  const auto t = hn::Mul(hn::Mul(difference, difference), hn::Set(d, plan.range_factor));
  const auto counts = hn::Gt(t, hn::Set(d, -126.0f));
  const auto safe = hn::IfThenElse(counts, t, hn::Zero(d));
  const auto whole = hn::Sub(hn::ConvertTo(di, safe), hn::Set(di, 1));
  const auto x = hn::Mul(hn::Sub(hn::Sub(safe, hn::ConvertTo(d, whole)), hn::Set(d, 0.5f)), hn::Set(d, 0.69314718f));
  auto sum = hn::Set(d, 1.0f / 720);
  for (const float term : {1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f})
    sum = hn::Add(hn::Mul(sum, x), hn::Set(d, term));
  const auto scale = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(whole, hn::Set(di, 127))));
  return hn::IfThenElseZero(counts, hn::Mul(hn::Mul(sum, hn::Set(d, 1.41421356f)), scale));
}

HWY_INLINE hn::Vec<Ints> finish(hn::Vec<Floats> sum, hn::Vec<Floats> weights, hn::Vec<Ints>) {
  const Floats d;
  const auto mean = hn::IfThenZeroElse(hn::Eq(weights, hn::Zero(d)), hn::Div(sum, weights));
  return hn::ConvertTo(Ints(), hn::Add(mean, hn::Set(d, 0.5f)));
}
HWY_INLINE hn::Vec<Floats> finish(hn::Vec<Floats> sum, hn::Vec<Floats> weights, hn::Vec<Floats> centre) {
  return hn::IfThenZeroElse(hn::Eq(weights, hn::Zero(Floats())), hn::Add(centre, hn::Div(sum, weights)));
}

/// summand() on lanes.
HWY_INLINE hn::Vec<Floats> summands(hn::Vec<Ints> value, hn::Vec<Ints>) {
  return hn::ConvertTo(Floats(), value);
}
HWY_INLINE hn::Vec<Floats> summands(hn::Vec<Floats> value, hn::Vec<Floats> centre) {
  return hn::Sub(value, centre);
}

template <bool weighted, class Held>
HWY_INLINE void filter_tile(const Plan& plan, const Weights& weights, int width, int height, Tile<Held>& tile) {
  const hn::ScalableTag<Held> d;
  const Floats f;
  const int radius = plan.radius, step = static_cast<int>(hn::Lanes(d));
  int skipped[max_window];
  skip_weightless<Held>(radius, weights, skipped);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; x += step) {
      const auto centre = hn::LoadU(d, &tile.values[y + radius][x + radius]);
      auto sum = hn::Zero(f), total = hn::Zero(f);
      const float* space = weights.space;
      for (int row = 0; row <= 2 * radius; ++row, space += 2 * radius + 1)
        for (int column = skipped[row]; column <= 2 * radius - skipped[row]; ++column) {
          const auto value = hn::LoadU(d, &tile.values[y + row][x + column]);
          auto weight = hn::Mul(hn::Set(f, space[column]), range_weights(value, centre, plan, weights.range));
          if constexpr (weighted) weight = hn::Mul(weight, hn::LoadU(f, &tile.alphas[y + row][x + column]));
          sum = hn::Add(sum, hn::Mul(weight, summands(value, centre)));
          total = hn::Add(total, weight);
        }
      hn::StoreU(finish(sum, total, centre), d, &tile.results[y][x]);
    }
}

// HWY_EXPORT takes functions, not templates.
void filter_bytes(const Plan& plan, const Weights& weights, int width, int height, Tile<std::int32_t>& tile) {
  filter_tile<false>(plan, weights, width, height, tile);
}
void filter_floats(const Plan& plan, const Weights& weights, int width, int height, Tile<float>& tile) {
  filter_tile<false>(plan, weights, width, height, tile);
}
void filter_visible_bytes(const Plan& plan, const Weights& weights, int width, int height, Tile<std::int32_t>& tile) {
  filter_tile<true>(plan, weights, width, height, tile);
}
void filter_visible_floats(const Plan& plan, const Weights& weights, int width, int height, Tile<float>& tile) {
  filter_tile<true>(plan, weights, width, height, tile);
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::bilateral
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {
namespace bilateral {

HWY_EXPORT(filter_bytes);
HWY_EXPORT(filter_floats);
HWY_EXPORT(filter_visible_bytes);
HWY_EXPORT(filter_visible_floats);

namespace {

template <bool weighted>
void filter(const Plan& plan, const Weights& weights, int width, int height, Tile<std::int32_t>& tile) {
  if constexpr (weighted)
    HWY_DYNAMIC_DISPATCH(filter_visible_bytes)(plan, weights, width, height, tile);
  else
    HWY_DYNAMIC_DISPATCH(filter_bytes)(plan, weights, width, height, tile);
}
template <bool weighted>
void filter(const Plan& plan, const Weights& weights, int width, int height, Tile<float>& tile) {
  if constexpr (weighted)
    HWY_DYNAMIC_DISPATCH(filter_visible_floats)(plan, weights, width, height, tile);
  else
    HWY_DYNAMIC_DISPATCH(filter_floats)(plan, weights, width, height, tile);
}

template <class P, bool weighted>
void filter_one_tile(const Plan& plan, const Weights& weights, const HostRun& run, const TileArea& area) {
  using Number = Held<typename P::Value>;
  Tile<Number> tile{};  // Values that only padding reads are zero too.
  if constexpr (weighted) {
    const auto in = run.in.image<typename P::Pixel>();
    const TileArea grown = area.grown(plan.radius);
    for (int row = 0; row < grown.height; ++row)
      for (int column = 0; column < grown.width; ++column)
        tile.alphas[row][column] = alpha_value(in, grown.x + column, grown.y + row, plan.border);
  }
  filter_area<P>(run, area, plan.radius, plan.border,
                 TilePlane<Number, Number>{tile.values[0], tile_pitch, tile.results[0], std::size(tile.results[0])},
                 [&] { filter<weighted>(plan, weights, area.width, area.height, tile); });
}

}  // namespace
}  // namespace bilateral

void Bilateral::openmp(const Params& params, const HostRun& run) {
  const bilateral::Plan one_plan = plan(params);
  const bilateral::Weights all_weights = weights(params);
  with_planes<std::uint8_t, float>(run.in.shape, one_plan.channels, [&](auto planes) {
    using P = decltype(planes);
    bilateral::with_alpha_or_without<typename P::Pixel>(one_plan, [&](auto weighted) {
      for_each_tile(run, bilateral::tile_width, bilateral::tile_height, [&](int x, int y, int width, int height) {
        bilateral::filter_one_tile<P, weighted>(one_plan, all_weights, run, {x, y, width, height});
      });
    });
  });
}

}  // namespace threadscape
#endif
