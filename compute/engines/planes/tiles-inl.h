// Tiles of a picture for filters with SIMD on the CPU. (Google Highway, compiled once per instruction set: no #pragma
// once.)
//
// A filter is written for planes of plain numbers with a halo around the tile, so that it needs no tests for the
// border, and for widths that are multiples of tile_step. filter_band() gives it that: inside a grey picture the filter
// works in place; at the borders, and for colour, it works on a small copy with the border filled in and the channels
// apart:
//
//   copied        in place                                      copied
//   +-----------+---------------------------------------------+-----------+
//   | tile_step | multiples of tile_step, at most `max_width` |  the rest |    rows of a band of a grey picture
//   +-----------+---------------------------------------------+-----------+
//
//   one row of one plane of the copy (TileInput), tile_pitch values:
//   |  tile_left, the halo at its end  |  tile_width, the tile  |  64, halo and padding  |

#if defined(THREADSCAPE_TILES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_TILES_INL_H_
#undef THREADSCAPE_TILES_INL_H_
#else
#define THREADSCAPE_TILES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "compute/engines/planes/bands.h"
#include "compute/engines/planes/plane_tile.h"
#include "compute/engines/planes/planes.h"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace threadscape {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Sizes are in values of a plane. Filters may load up to radius + 1 values beyond either side of a tile, which a row of
// the copy holds as well.
inline constexpr int tile_step = 64;        ///< Bytes of the longest vector, so that any vector divides a tile.
inline constexpr int tile_width = 512;      ///< The rows of a 9x9 window of this width stay in the first-level cache.
inline constexpr int max_band_radius = 4;   ///< Largest radius of filter_band().
inline constexpr int max_tile_radius = 32;  ///< Largest radius of load_planes().
inline constexpr int tile_left = 64;        ///< Values before the tile, which keep rows of the copy aligned.
inline constexpr int tile_pitch = tile_left + tile_width + 64;

/// A copy of a tile with its halo, plane by plane.
template <class Value, int planes>
struct TileInput {
  alignas(64) Value values[planes][band_height + 2 * max_band_radius][tile_pitch];
};
/// The results of a tile, plane by plane.
template <class Value, int planes>
struct TileOutput {
  alignas(64) Value values[planes][band_height][tile_width];
};

/// Writes the values of `count` pixels of a row to one array per plane.
template <class P, class Value>
HWY_INLINE void split_pixels(const typename P::Pixel* pixels, int count, Value* const* to) {
  int i = 0;
  if constexpr (P::count == 3 && std::is_same_v<Value, typename P::Value>) {
    const hn::ScalableTag<Value> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for (; i + lanes <= count; i += lanes) {
      hn::Vec<decltype(d)> r, g, b, a;
      hn::LoadInterleaved4(d, &pixels[i].r, r, g, b, a);
      hn::StoreU(r, d, to[0] + i);
      hn::StoreU(g, d, to[1] + i);
      hn::StoreU(b, d, to[2] + i);
    }
  }
  for (int plane = 0; plane < P::count; ++plane) {
    Value* HWY_RESTRICT values = to[plane];
    const typename P::Pixel* HWY_RESTRICT from = pixels;
    for (int j = i; j < count; ++j)
      values[j] = static_cast<Value>(P::get(from[j], plane));
  }
}

/// Makes `count` pixels of a row from one array per plane; alpha, which belongs to no plane, comes from `input`.
template <class P>
HWY_INLINE void join_pixels(const typename P::Value* const* from, const typename P::Pixel* input, int count,
                            typename P::Pixel* to) {
  int i = 0;
  if constexpr (std::is_same_v<typename P::Pixel, typename P::Value>) {
    std::memcpy(to, from[0], static_cast<std::size_t>(count) * sizeof(*to));
    return;
  } else {
    const hn::ScalableTag<typename P::Value> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    constexpr int green = P::count == 3 ? 1 : 0, blue = P::count == 3 ? 2 : 0;
    for (; i + lanes <= count; i += lanes) {
      hn::Vec<decltype(d)> r, g, b, a;
      hn::LoadInterleaved4(d, &input[i].r, r, g, b, a);
      hn::StoreInterleaved4(hn::LoadU(d, from[0] + i), hn::LoadU(d, from[green] + i), hn::LoadU(d, from[blue] + i), a,
                            d, &to[i].r);
    }
    for (; i < count; ++i) {
      typename P::Pixel pixel = input[i];
      for (int plane = 0; plane < P::count; ++plane)
        P::set(pixel, plane, from[plane][i]);
      to[i] = pixel;
    }
  }
}

/// Copies all planes of the tile and of `radius` pixels around it. Values that only a filter of the padded width reads
/// are 0. Row 0 lies `radius` rows above the tile; row_of(plane, row) is the address for the value of the tile's first
/// column in that row.
template <class P, class Value, class RowOf>
void load_planes(ImageView<const typename P::Pixel> in, const TileArea& tile, int radius, Border border,
                 const RowOf& row_of) {
  const int used = (tile.width + tile_step - 1) / tile_step * tile_step + radius + 1;
  const int first = std::max(-radius, -tile.x);  // columns first .. last - 1, from the tile's own, are inside
  const int last = std::min(tile.width + radius, in.width - tile.x);
  // The columns whose values fill those outside. They are set to 0 because compilers cannot see that only what was
  // written is read.
  int before[max_tile_radius] = {}, after[max_tile_radius] = {};
  for (int x = -radius; x < first; ++x)
    before[x + radius] = border_index(tile.x + x, in.width, border);
  for (int x = last; x < tile.width + radius; ++x)
    after[x - last] = border_index(tile.x + x, in.width, border);
  for (int row = 0; row < tile.height + 2 * radius; ++row) {
    Value* rows[P::count];
    for (int plane = 0; plane < P::count; ++plane)
      rows[plane] = row_of(plane, row);
    const int y = border_index(tile.y + row - radius, in.height, border);
    if (y < 0) {
      for (int plane = 0; plane < P::count; ++plane)
        std::fill(rows[plane] - radius, rows[plane] + used, Value{0});
      continue;
    }
    const auto* pixels = in.row(y);
    Value* inside[P::count];
    for (int plane = 0; plane < P::count; ++plane)
      inside[plane] = rows[plane] + first;
    split_pixels<P, Value>(pixels + tile.x + first, last - first, inside);
    const auto outside = [&](int from, int to, const int* columns) {
      for (int x = from; x < to; ++x)
        for (int plane = 0; plane < P::count; ++plane)
          rows[plane][x] =
              columns[x - from] < 0 ? Value{0} : static_cast<Value>(P::get(pixels[columns[x - from]], plane));
    };
    outside(-radius, first, before);
    outside(last, tile.width + radius, after);
    for (int plane = 0; plane < P::count; ++plane)
      std::fill(rows[plane] + tile.width + radius, rows[plane] + used, Value{0});
  }
}

/// For Border::valid: copies the input pixels of rows y0 .. y1 - 1 whose window reaches out of the picture.
template <class Pixel>
void keep_border(ImageView<const Pixel> in, ImageView<Pixel> out, int y0, int y1, int radius) {
  for (int y = y0; y < y1; ++y) {
    const bool whole_row = y < radius || y >= in.height - radius || in.width <= 2 * radius;
    const int left = whole_row ? in.width : radius;
    std::copy(in.row(y), in.row(y) + left, out.row(y));
    if (!whole_row) std::copy(in.row(y) + in.width - radius, in.row(y) + in.width, out.row(y) + in.width - radius);
  }
}

/// Applies filter(source, source_pitch, result, result_pitch, width, height) to rows y0 .. y1 - 1, tile by tile.
/// `source` points at the value of the tile's first pixel; pitches are in values, and `width` is a multiple of
/// tile_step. Value is the type that the filter reads: that of the plane, or float. `max_width` limits tiles that are
/// filtered in place.
template <class P, class Value, class Filter>
void filter_band(ImageView<const typename P::Pixel> in, ImageView<typename P::Pixel> out, int y0, int y1, int radius,
                 Border border, const Filter& filter, int max_width = tile_width) {
  using Pixel = typename P::Pixel;
  // Rows of a large window lie a power of two apart in many pictures and would evict each other from the cache.
  constexpr int max_in_place_radius = 2;
  const bool rows_inside = y0 >= radius && y1 + radius <= in.height;

  TileInput<Value, P::count> source;
  TileOutput<typename P::Value, P::count> result;
  for (int x = 0; x < in.width;) {
    if constexpr (std::is_same_v<Pixel, Value>) {
      const int reach = (in.width - radius - 1 - x) / tile_step * tile_step;
      if (const int width = std::min(reach, max_width);
          x >= radius + 1 && width > 0 && rows_inside && radius <= max_in_place_radius) {
        filter(in.row(y0) + x, in.pitch, out.row(y0) + x, out.pitch, width, y1 - y0);
        x += width;
        continue;
      }
    }
    // A narrow first tile, so that all but the two ends of a row can be done in place.
    const int limit = x == 0 && radius <= max_in_place_radius ? tile_step : tile_width;
    const TileArea tile{x, y0, std::min(limit, in.width - x), y1 - y0};
    load_planes<P, Value>(in, tile, radius, border,
                          [&](int plane, int row) { return source.values[plane][row] + tile_left; });
    for (int plane = 0; plane < P::count; ++plane)
      filter(source.values[plane][radius] + tile_left, std::ptrdiff_t{tile_pitch}, result.values[plane][0],
             std::ptrdiff_t{tile_width}, (tile.width + tile_step - 1) / tile_step * tile_step, tile.height);
    for (int row = 0; row < tile.height; ++row) {
      const typename P::Value* rows[P::count];
      for (int plane = 0; plane < P::count; ++plane)
        rows[plane] = result.values[plane][row];
      join_pixels<P>(rows, in.row(y0 + row) + x, tile.width, out.row(y0 + row) + x);
    }
    x += tile.width;
  }
  if (border == Border::valid) keep_border(in, out, y0, y1, radius);
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape
HWY_AFTER_NAMESPACE();
#endif

#endif
