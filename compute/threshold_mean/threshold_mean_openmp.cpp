// The mean with a threshold, with all cores and SIMD: the lanes of a vector are neighbouring pixels. Sums of columns go
// down the picture: of bytes by adding the row that comes and taking off the row that goes, of floats anew for each
// row, so that their order is that of the reference.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/threshold_mean/threshold_mean_openmp.cpp"
#include <hwy/foreach_target.h>
// clang-format off: must come after foreach_target.h
#include <hwy/highway.h>
// clang-format on

#include "compute/neighbourhood/bands.h"
#include "compute/neighbourhood/plane_tile.h"
#include "compute/threshold_mean/threshold_mean.h"

#ifndef THREADSCAPE_THRESHOLD_MEAN_TILE
#define THREADSCAPE_THRESHOLD_MEAN_TILE
namespace threadscape::threshold_mean {
inline constexpr int tile_width = 512, tile_height = 64;
}
#endif

HWY_BEFORE_NAMESPACE();
namespace threadscape::threshold_mean {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int pitch = tile_width + 2 * largest_radius + 64;  // the last vector may reach beyond the tile

template <class Value>
struct Tile {
  alignas(64) Value values[tile_height + 2 * largest_radius][pitch];
  alignas(64) Sum<Value> columns[pitch];
  alignas(64) Value results[tile_height][tile_width + 64];
};

/// Sums of columns for row y of results.
HWY_INLINE void sum_columns(Tile<std::uint8_t>& tile, int y, int size, int width) {
  const hn::ScalableTag<std::int32_t> d;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  const int step = static_cast<int>(hn::Lanes(d));
  const auto load = [&](int row, int x) HWY_ATTR { return hn::PromoteTo(d, hn::LoadU(bytes, &tile.values[row][x])); };
  for (int x = 0; x < width; x += step) {
    auto sum = hn::Zero(d);
    if (y == 0) {
      for (int row = 0; row < size; ++row)
        sum = hn::Add(sum, load(row, x));
    } else {
      sum = hn::Add(hn::Load(d, tile.columns + x), hn::Sub(load(y + size - 1, x), load(y - 1, x)));
    }
    hn::Store(sum, d, tile.columns + x);
  }
}
HWY_INLINE void sum_columns(Tile<float>& tile, int y, int size, int width) {
  const hn::ScalableTag<float> d;
  const int step = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += step) {
    auto sum = hn::Zero(d);
    for (int row = y; row < y + size; ++row)
      sum = hn::Add(sum, hn::LoadU(d, &tile.values[row][x]));
    hn::Store(sum, d, tile.columns + x);
  }
}

/// chosen() for as many pixels as a vector of sums has lanes.
template <class V>
HWY_INLINE void choose(V sum, const std::uint8_t* old, std::uint8_t* result, const Plan& plan) {
  const hn::ScalableTag<std::int32_t> d;
  const hn::ScalableTag<float> f;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  const auto numerator = hn::ConvertTo(f, hn::Add(sum, hn::Set(d, plan.size * plan.size / 2)));
  const auto mean = hn::ConvertTo(d, hn::Mul(hn::Add(numerator, hn::Set(f, 0.5f)), hn::Set(f, plan.inverse)));
  const auto before = hn::PromoteTo(d, hn::LoadU(bytes, old));
  const auto takes = hn::Gt(hn::Set(d, static_cast<int>(plan.threshold) + 1), hn::Abs(hn::Sub(mean, before)));
  hn::StoreU(hn::DemoteTo(bytes, hn::IfThenElse(takes, mean, before)), bytes, result);
}
template <class V>
HWY_INLINE void choose(V sum, const float* old, float* result, const Plan& plan) {
  const hn::ScalableTag<float> d;
  const auto mean = hn::Div(sum, hn::Set(d, static_cast<float>(plan.size * plan.size)));
  const auto before = hn::LoadU(d, old);
  const auto difference = hn::IfThenElse(hn::Lt(mean, before), hn::Sub(before, mean), hn::Sub(mean, before));
  const auto takes = hn::Le(difference, hn::Set(d, plan.threshold / 255.0f));
  hn::StoreU(hn::IfThenElse(takes, mean, before), d, result);
}

template <class Value>
HWY_INLINE void filter_tile(Tile<Value>& tile, const Plan& plan, int width, int height) {
  const hn::ScalableTag<Sum<Value>> d;
  const int radius = plan.radius(), step = static_cast<int>(hn::Lanes(d));
  for (int y = 0; y < height; ++y) {
    sum_columns(tile, y, plan.size, width + 2 * radius);
    for (int x = 0; x < width; x += step) {
      auto sum = hn::Zero(d);
      for (int i = 0; i < plan.size; ++i)
        sum = hn::Add(sum, hn::LoadU(d, tile.columns + x + i));
      choose(sum, &tile.values[y + radius][x + radius], &tile.results[y][x], plan);
    }
  }
}

void filter_one_tile(const Plan& plan, const HostRun& run, int x, int y, int width, int height) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) HWY_ATTR {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    using Value = typename P::Value;
    const auto same = [](Value value) { return value; };
    const auto in = run.in.image<Pixel>();
    const auto out = run.out.image<Pixel>();
    const TileArea area{x, y, width, height};
    Tile<Value> tile{};  // zeros also where only padding reads
    copy_pixels(in, out, area);
    for (int plane = 0; plane < P::count; ++plane) {
      load_plane<P>(in, area.grown(plan.radius()), plane, plan.border, tile.values[0], pitch, same);
      filter_tile(tile, plan, width, height);
      store_plane<P>(tile.results[0], tile_width + 64, out, area, plane, plan.radius(), plan.border, same);
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::threshold_mean
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {
namespace threshold_mean {
HWY_EXPORT(filter_one_tile);
}

void ThresholdMean::openmp(const Params& params, const HostRun& run) {
  const threshold_mean::Plan plan = ThresholdMean::plan(params);
  using namespace threshold_mean;  // NOLINT: where HWY_EXPORT put the table
  for_each_tile(run, tile_width, tile_height, [&](int x, int y, int width, int height) {
    HWY_DYNAMIC_DISPATCH(filter_one_tile)(plan, run, x, y, width, height);
  });
}

}  // namespace threadscape
#endif
