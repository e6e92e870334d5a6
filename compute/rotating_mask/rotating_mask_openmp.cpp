// The rotating mask with all cores and SIMD: the lanes of a vector are neighbouring pixels.
//
// Bytes: a row of a mask is a run of pixels, so its sums are two entries of the row's running sums subtracted. One
// 32-bit number holds both sums of values less 128: the sum of squares, at most 25 * 2^14, above 13 bits for the sum.
// Running sums overflow, but differences do not mind.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/rotating_mask/rotating_mask_openmp.cpp"
#include <hwy/foreach_target.h>
// clang-format off: must come after foreach_target.h
#include <hwy/highway.h>
// clang-format on

#include "compute/neighbourhood/bands.h"
#include "compute/neighbourhood/plane_tile.h"
#include "compute/rotating_mask/rotating_mask.h"

#ifndef THREADSCAPE_ROTATING_MASK_TILE
#define THREADSCAPE_ROTATING_MASK_TILE
namespace threadscape::rotating_mask {

inline constexpr int tile_width = 128, tile_height = 32;
inline constexpr int tile_pitch = tile_width + 2 * largest_radius + 64;  // the last vector may reach beyond the tile

/// A run of pixels that a mask has in one row.
struct Run {
  int dy, first, last;
};
/// All runs of all masks, written out once per tile.
struct Runs {
  Run run[9 * largest_size];
  int end[9];    ///< of each mask's runs
  int count[9];  ///< of its pixels
  int masks;

  explicit Runs(const Plan& plan) : masks(mask_count(plan.method)) {
    int i = 0;
    for (int mask = 0; mask < masks; ++mask) {
      const Range rows = rows_of(plan.method, mask, plan.radius());
      for (int dy = rows.first; dy <= rows.last; ++dy) {
        const Range columns = columns_of(plan.method, mask, plan.radius(), dy);
        run[i++] = {dy, columns.first, columns.last};
      }
      end[mask] = i;
      count[mask] = pixels_of(plan.method, mask, plan.radius());
    }
  }
};

inline constexpr int sum_bits = 13;
/// Value and square of one byte, for the running sums.
inline std::uint32_t moments(std::uint8_t value) {
  const int centred = value - 128;
  return static_cast<std::uint32_t>(centred) + (static_cast<std::uint32_t>(centred * centred) << sum_bits);
}

}  // namespace threadscape::rotating_mask
#endif

HWY_BEFORE_NAMESPACE();
namespace threadscape::rotating_mask {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Ints = hn::ScalableTag<std::int32_t>;
using Floats = hn::ScalableTag<float>;

template <class Value>
struct Tile {
  alignas(64) Value values[tile_height + 2 * largest_radius][tile_pitch];
  alignas(64) Value results[tile_height][tile_width + 64];
};

/// One row of results. `sums[row][x]` holds the moments of all pixels of the row before x.
HWY_INLINE void filter_row(const Runs& runs, const std::uint32_t (*sums)[tile_pitch], int width, std::uint8_t* result) {
  const Ints d;
  const hn::RebindToUnsigned<Ints> du;
  const Floats f;
  const hn::Rebind<std::uint8_t, Ints> bytes;
  const int step = static_cast<int>(hn::Lanes(d));
  // A centre of other size than the other masks is first; against it, spreads are compared times the other's count^2.
  const bool equal = runs.count[0] == runs.count[1];
  const auto first_factor = static_cast<std::uint32_t>(equal ? 1 : runs.count[0] * runs.count[0]);
  const auto other_factor = static_cast<std::uint32_t>(equal ? 1 : runs.count[1] * runs.count[1]);
  for (int x = 0; x < width; x += step) {
    auto best_spread = hn::Zero(du);
    auto best_mean = hn::Zero(f);
    int i = 0;
    for (int mask = 0; mask < runs.masks; ++mask) {
      auto both = hn::Zero(du);
      for (; i < runs.end[mask]; ++i) {
        const Run& run = runs.run[i];
        const std::uint32_t* row = sums[run.dy] + x;
        both = hn::Add(both, hn::Sub(hn::LoadU(du, row + run.last + 1), hn::LoadU(du, row + run.first)));
      }
      const int count = runs.count[mask];
      const auto sum = hn::ShiftRight<32 - sum_bits>(hn::ShiftLeft<32 - sum_bits>(hn::BitCast(d, both)));
      const auto squares = hn::BitCast(d, hn::ShiftRight<sum_bits>(hn::Sub(both, hn::BitCast(du, sum))));
      const auto spread = hn::BitCast(du, hn::Sub(hn::Mul(squares, hn::Set(d, count)), hn::Mul(sum, sum)));
      const auto scaled = hn::Mul(spread, hn::Set(du, mask == 0 ? other_factor : first_factor));
      // (2 sum + count) / (2 count), cut off; the half added keeps exact quotients clear of rounding.
      const auto numerator = hn::Add(hn::Add(sum, sum), hn::Set(d, 2 * 128 * count + count));
      const auto mean = hn::Mul(hn::Add(hn::ConvertTo(f, numerator), hn::Set(f, 0.5f)),
                                hn::Set(f, 1.0f / static_cast<float>(2 * count)));
      if (mask == 0) {
        best_spread = scaled;
        best_mean = mean;
      } else {
        const auto less = hn::Gt(best_spread, scaled);
        best_spread = hn::Min(best_spread, scaled);
        best_mean = hn::IfThenElse(hn::RebindMask(f, less), mean, best_mean);
      }
    }
    hn::StoreU(hn::DemoteTo(bytes, hn::ConvertTo(d, best_mean)), bytes, result + x);
  }
}

HWY_INLINE void filter_tile(Tile<std::uint8_t>& tile, const Plan& plan, const Runs& runs, int width, int height) {
  const int radius = plan.radius();
  std::uint32_t sums[tile_height + 2 * largest_radius][tile_pitch];
  for (int y = 0; y < height + 2 * radius; ++y) {
    std::uint32_t sum = 0;
    for (int x = 0; x < tile_pitch; ++x) {
      sums[y][x] = sum;
      sum += moments(tile.values[y][x]);
    }
  }
  for (int y = 0; y < height; ++y) {
    // Column x of the results is column x + radius of the tile.
    const auto* rows = reinterpret_cast<const std::uint32_t(*)[tile_pitch]>(&sums[y + radius][radius]);
    filter_row(runs, rows, width, tile.results[y]);
  }
}

HWY_INLINE void filter_tile(Tile<float>& tile, const Plan& plan, const Runs& runs, int width, int height) {
  const Floats d;
  const int radius = plan.radius(), step = static_cast<int>(hn::Lanes(d));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; x += step) {
      const float* const at = &tile.values[y + radius][x + radius];
      const auto centre = hn::LoadU(d, at);
      auto best_spread = hn::Zero(d), best_mean = hn::Zero(d);
      int i = 0;
      for (int mask = 0; mask < runs.masks; ++mask) {
        auto sum = hn::Zero(d), squares = hn::Zero(d);
        for (; i < runs.end[mask]; ++i)
          for (int dx = runs.run[i].first; dx <= runs.run[i].last; ++dx) {
            const auto difference = hn::Sub(hn::LoadU(d, at + runs.run[i].dy * tile_pitch + dx), centre);
            sum = hn::Add(sum, difference);
            squares = hn::Add(squares, hn::Mul(difference, difference));
          }
        const auto count = hn::Set(d, static_cast<float>(runs.count[mask]));
        const auto mean = hn::Div(sum, count);
        const auto spread = hn::Sub(hn::Div(squares, count), hn::Mul(mean, mean));
        if (mask == 0) {
          best_spread = spread;
          best_mean = mean;
        } else {
          const auto less = hn::Lt(spread, best_spread);
          best_spread = hn::IfThenElse(less, spread, best_spread);
          best_mean = hn::IfThenElse(less, mean, best_mean);
        }
      }
      hn::StoreU(hn::Add(centre, best_mean), d, &tile.results[y][x]);
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
    const Runs runs(plan);
    const TileArea area{x, y, width, height};
    Tile<Value> tile{};  // zeros also where only padding reads
    copy_pixels(in, out, area);
    for (int plane = 0; plane < P::count; ++plane) {
      load_plane<P>(in, area.grown(plan.radius()), plane, plan.border, tile.values[0], tile_pitch, same);
      filter_tile(tile, plan, runs, width, height);
      store_plane<P>(tile.results[0], tile_width + 64, out, area, plane, plan.radius(), plan.border, same);
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::rotating_mask
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {
namespace rotating_mask {
HWY_EXPORT(filter_one_tile);
}

void RotatingMask::openmp(const Params& params, const HostRun& run) {
  const rotating_mask::Plan plan = RotatingMask::plan(params);
  using namespace rotating_mask;  // NOLINT: where HWY_EXPORT put the table
  for_each_tile(run, tile_width, tile_height, [&](int x, int y, int width, int height) {
    HWY_DYNAMIC_DISPATCH(filter_one_tile)(plan, run, x, y, width, height);
  });
}

}  // namespace threadscape
#endif
