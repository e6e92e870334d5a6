// Slope and normals with all cores and SIMD. The gradients of a chunk of a row are computed first, from heights of any
// type, and then converted to pixels a vector at a time.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/terrain/slope/slope_openmp.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "compute/algorithms/terrain/slope/slope.h"
#include "compute/engines/planes/bands.h"

#ifndef TS_SLOPE_CHUNK
#define TS_SLOPE_CHUNK
namespace threadscape::slope {

inline constexpr int chunk = 256;

/// The gradients of a chunk of neighbouring points, with padding for vectors that read beyond its end.
struct Rises {
  alignas(64) float x[chunk + 64], y[chunk + 64];
};

/// Computes the gradients of the points x0 .. x0 + count - 1 of row y.
template <class Height>
void find_rises(const ImageView<const Height>& heights, int x0, int count, int y, float scale, Rises& rises) {
  const int end = std::min(x0 + count, heights.width - 1);
  int x = x0;
  const auto one_point = [&] {
    const Rise rise = rise_at(heights, x, y, scale);
    rises.x[x - x0] = rise.x;
    rises.y[x - x0] = rise.y;
  };
  if (y > 0 && y + 1 < heights.height) {
    if (x == 0) one_point(), ++x;
    const Height *above = heights.row(y - 1), *row = heights.row(y), *below = heights.row(y + 1);
#pragma omp simd
    for (int i = x; i < end; ++i) {
      rises.x[i - x0] = limited((static_cast<float>(row[i + 1]) - static_cast<float>(row[i - 1])) * 0.5f * scale);
      rises.y[i - x0] = limited((static_cast<float>(below[i]) - static_cast<float>(above[i])) * 0.5f * scale);
    }
    x = std::max(x, end);
  }
  for (; x < x0 + count; ++x)
    one_point();
}

}  // namespace threadscape::slope
#endif

HWY_BEFORE_NAMESPACE();
namespace threadscape::slope {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Writes slope_level() or normal_colour() of `count` points, in bytes per channel.
void draw(const Rises& rises, int count, Map map, std::uint8_t* to) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> ints;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  using V = hn::Vec<decltype(d)>;
  const V one = hn::Set(d, 1.0f);
  const auto level = [&](V v)
                         HWY_ATTR { return hn::DemoteTo(bytes, hn::ConvertTo(ints, hn::Add(v, hn::Set(d, 0.5f)))); };
  for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(d))) {
    const V x = hn::Load(d, rises.x + i), y = hn::Load(d, rises.y + i);
    const V squares = hn::Add(hn::Mul(x, x), hn::Mul(y, y));
    const V length = hn::Sqrt(hn::Add(squares, one));
    if (map == Map::slope) {
      hn::StoreU(level(hn::Mul(hn::Div(hn::Sqrt(squares), length), hn::Set(d, 255.0f))), bytes, to + i);
      continue;
    }
    const auto colour = [&](V v) HWY_ATTR {
      return level(hn::Add(hn::Set(d, 128.0f), hn::Mul(hn::Set(d, 127.0f), hn::Div(v, length))));
    };
    hn::StoreInterleaved4(colour(hn::Neg(x)), colour(y), colour(one), hn::Set(bytes, std::uint8_t{255}), bytes,
                          to + 4 * i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::slope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {
namespace slope {
HWY_EXPORT(draw);
}

void Slope::openmp(const Params& params, const HostRun& run) {
  using namespace slope;  // NOLINT: where HWY_EXPORT put the table
  const std::size_t pixel = run.out.shape.pixel_bytes();
  terrain::with_heights(run.in.shape, [&]<class Height>(Height) {
    const ImageView<const Height> in = run.in.image<Height>();
    for_each_band(run, in.height, [&](int y0, int y1) {
      Rises rises = {};
      alignas(64) std::uint8_t pixels[4 * (chunk + 64)];  // vectors may write beyond the last
      for (int y = y0; y < y1; ++y)
        for (int x = 0; x < in.width; x += chunk) {
          const int count = std::min(chunk, in.width - x);
          find_rises(in, x, count, y, params.scale, rises);
          HWY_DYNAMIC_DISPATCH(draw)(rises, count, params.map, pixels);
          std::memcpy(run.out.data + static_cast<std::size_t>(y) * run.out.pitch + static_cast<std::size_t>(x) * pixel,
                      pixels, static_cast<std::size_t>(count) * pixel);
        }
    });
  });
}

}  // namespace threadscape
#endif
