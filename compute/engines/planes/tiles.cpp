#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/engines/planes/tiles.cpp"
#include <hwy/foreach_target.h>
// clang-format off: must come after foreach_target.h
#include <hwy/highway.h>
// clang-format on

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>

#include "compute/engines/planes/planes.h"
#include "compute/engines/planes/tiles.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Writes the values of `count` pixels of a row to one array per plane.
template <class P, class Value>
HWY_INLINE void split_pixels(const typename P::Pixel* pixels, int count, Value* const* to) {
  int i = 0;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (P::count == 3 && std::is_same_v<Value, typename P::Value>) {
    const hn::ScalableTag<Value> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    Value *const red = to[0], *const green = to[1], *const blue = to[2];
    for (; i + lanes <= count; i += lanes) {
      hn::Vec<decltype(d)> r, g, b, a;
      hn::LoadInterleaved4(d, &pixels[i].r, r, g, b, a);
      hn::StoreU(r, d, red + i);
      hn::StoreU(g, d, green + i);
      hn::StoreU(b, d, blue + i);
    }
  }
#endif
  for (int plane = 0; plane < P::count; ++plane) {
    Value* HWY_RESTRICT values = to[plane];
    const typename P::Pixel* HWY_RESTRICT from = pixels;
    for (int j = i; j < count; ++j)
      values[j] = static_cast<Value>(P::get(from[j], plane));
  }
}

/// Makes `count` pixels of a row from one array per plane; alpha comes from `input`.
template <class P>
HWY_INLINE void join_pixels(const typename P::Value* const* from, const typename P::Pixel* input, int count,
                            typename P::Pixel* to) {
  if constexpr (std::is_same_v<typename P::Pixel, typename P::Value>) {
    std::memcpy(to, from[0], static_cast<std::size_t>(count) * sizeof(*to));
  } else {
    int i = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::ScalableTag<typename P::Value> d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const typename P::Value *const red = from[0], *const green = from[P::count / 2], *const blue = from[P::count - 1];
    for (; i + lanes <= count; i += lanes) {
      hn::Vec<decltype(d)> r, g, b, a;
      hn::LoadInterleaved4(d, &input[i].r, r, g, b, a);
      hn::StoreInterleaved4(hn::LoadU(d, red + i), hn::LoadU(d, green + i), hn::LoadU(d, blue + i), a, d, &to[i].r);
    }
#endif
    for (; i < count; ++i) {
      typename P::Pixel pixel = input[i];
      for (int plane = 0; plane < P::count; ++plane)
        P::set(pixel, plane, from[plane][i]);
      to[i] = pixel;
    }
  }
}

template <class Value, class... Elements>
HWY_INLINE void split_area(const HostIn& in, Channels channels, const TileArea& area, const TileValues<Value>& values) {
  with_planes<Elements...>(in.shape, channels, [&](auto planes) HWY_ATTR {
    using P = decltype(planes);
    for (int row = 0; row < area.height; ++row) {
      Value* to[P::count];
      for (int plane = 0; plane < P::count; ++plane)
        to[plane] = values.row(plane, row);
      split_pixels<P>(in.image<typename P::Pixel>().row(area.y + row) + area.x, area.width, to);
    }
  });
}
void split_bytes(const HostIn& in, Channels channels, const TileArea& area, const TileValues<std::uint8_t>& to) {
  split_area<std::uint8_t, std::uint8_t>(in, channels, area, to);
}
void split_floats(const HostIn& in, Channels channels, const TileArea& area, const TileValues<float>& to) {
  split_area<float, std::uint8_t, float>(in, channels, area, to);
}
template <class Value>
HWY_INLINE void join_tile(const HostIn& in, const HostOut& out, Channels channels, const TileArea& tile,
                          const TileValues<const Value>& values) {
  with_planes<Value>(in.shape, channels, [&](auto planes) HWY_ATTR {
    using P = decltype(planes);
    for (int row = 0; row < tile.height; ++row) {
      const Value* from[P::count];
      for (int plane = 0; plane < P::count; ++plane)
        from[plane] = values.row(plane, row);
      join_pixels<P>(from, in.image<typename P::Pixel>().row(tile.y + row) + tile.x, tile.width,
                     out.image<typename P::Pixel>().row(tile.y + row) + tile.x);
    }
  });
}
void join_bytes(const HostIn& in, const HostOut& out, Channels channels, const TileArea& tile,
                const TileValues<const std::uint8_t>& from) {
  join_tile(in, out, channels, tile, from);
}
void join_floats(const HostIn& in, const HostOut& out, Channels channels, const TileArea& tile,
                 const TileValues<const float>& from) {
  join_tile(in, out, channels, tile, from);
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape {

HWY_EXPORT(split_bytes);
HWY_EXPORT(split_floats);
HWY_EXPORT(join_bytes);
HWY_EXPORT(join_floats);

PlaneRows::PlaneRows(const HostRun& run, Channels channels)
    : in_(run.in),
      out_(run.out),
      channels_(channels),
      planes_(run.in.shape.channels == 4 && channels == Channels::each ? max_planes : 1) {}

/// Copies all planes of `area`, which lies inside the picture.
template <class Value>
void PlaneRows::split(const TileArea& area, const TileValues<Value>& to) const {
  if constexpr (std::is_same_v<Value, std::uint8_t>)
    HWY_DYNAMIC_DISPATCH(split_bytes)(in_, channels_, area, to);
  else
    HWY_DYNAMIC_DISPATCH(split_floats)(in_, channels_, area, to);
}

template <class Value>
void PlaneRows::load_tile(const TileArea& tile, int radius, Border border, const TileValues<Value>& to) const {
  const int rows = tile.height + 2 * radius, end = tile.width + radius;
  const int used = (tile.width + tile_step - 1) / tile_step * tile_step + radius + 1;
  const int first = std::max(-radius, -tile.x);  // columns first .. last - 1, from the tile's own, are inside
  const int last = std::min(end, width() - tile.x);
  // The columns, from the tile's own, whose values fill those outside; `nothing` fills in 0. They are set to it because
  // compilers cannot see that only what was written is read.
  constexpr int nothing = std::numeric_limits<int>::min();
  int before[max_tile_radius], after[max_tile_radius];
  const auto is_loaded = [&](int column) { return column >= first && column < last; };
  bool all_loaded = true;
  const auto find_columns = [&](int x0, int x1, int* columns) {
    std::fill_n(columns, max_tile_radius, nothing);
    for (int x = x0; x < x1; ++x)
      if (const int column = border_index(tile.x + x, width(), border); column >= 0) {
        columns[x - x0] = column - tile.x;
        all_loaded = all_loaded && is_loaded(column - tile.x);
      }
  };
  find_columns(-radius, first, before);
  find_columns(last, end, after);
  const auto copy_loaded = [&](int x0, int x1, const int* columns, Value* values) {
    for (int x = x0; x < x1; ++x)
      if (const int column = columns[x - x0]; column == nothing)
        values[x] = Value{0};
      else if (is_loaded(column))
        values[x] = values[column];
  };
  const auto load_others = [&](int x0, int x1, const int* columns, int row, int y) {
    for (int x = x0, count = 1; x < x1; x += count, count = 1) {
      const int column = columns[x - x0];
      if (column == nothing || is_loaded(column)) continue;
      while (x + count < x1 && columns[x + count - x0] == column + count)
        ++count;
      split({tile.x + column, y, count, 1}, to.from(x, row));
    }
  };

  for (int row = 0; row < rows;) {
    const int y = border_index(tile.y + row - radius, height(), border);
    // Rows inside of the picture are loaded at once.
    const int count = y >= 0 && y == tile.y + row - radius ? std::min(rows - row, height() - y) : 1;
    if (y >= 0) split({tile.x + first, y, last - first, count}, to.from(first, row));
    for (int plane = 0; plane < planes_; ++plane) {
      Value* values = to.row(plane, row);
      for (int i = 0; i < count; ++i, values += to.pitch)
        if (y < 0) {
          std::fill(values - radius, values + used, Value{0});
        } else {
          copy_loaded(-radius, first, before, values);
          copy_loaded(last, end, after, values);
          if (end + 1 < used) std::fill(values + end, values + used - 1, Value{0});
          values[used - 1] = Value{0};
        }
    }
    for (int i = 0; i < count && y >= 0 && !all_loaded; ++i) {
      load_others(-radius, first, before, row + i, y + i);
      load_others(last, end, after, row + i, y + i);
    }
    row += count;
  }
}
void PlaneRows::load(const TileArea& tile, int radius, Border border, const TileValues<std::uint8_t>& to) const {
  load_tile(tile, radius, border, to);
}
void PlaneRows::load(const TileArea& tile, int radius, Border border, const TileValues<float>& to) const {
  load_tile(tile, radius, border, to);
}

void PlaneRows::store(const TileArea& tile, const TileValues<const std::uint8_t>& from) const {
  HWY_DYNAMIC_DISPATCH(join_bytes)(in_, out_, channels_, tile, from);
}
void PlaneRows::store(const TileArea& tile, const TileValues<const float>& from) const {
  HWY_DYNAMIC_DISPATCH(join_floats)(in_, out_, channels_, tile, from);
}

void PlaneRows::keep_border(int y0, int y1, int radius) const {
  const std::size_t pixel = in_.shape.pixel_bytes();
  const auto keep = [&](int x, int y, int count) {
    const auto at = static_cast<std::size_t>(x) * pixel, row = static_cast<std::size_t>(y);
    std::memcpy(out_.data + row * out_.pitch + at, in_.data + row * in_.pitch + at,
                static_cast<std::size_t>(count) * pixel);
  };
  for (int y = y0; y < y1; ++y) {
    const bool whole_row = y < radius || y >= height() - radius || width() <= 2 * radius;
    keep(0, y, whole_row ? width() : radius);
    if (!whole_row) keep(width() - radius, y, radius);
  }
}

template <class Source, class Value>
void filter_band(const PlaneRows& rows, int y0, int y1, int radius, Border border,
                 const TileFilter<Source, Value>& filter, int max_width) {
  // Rows of a large window lie a power of two apart in many pictures and would evict each other from the cache.
  constexpr int max_in_place_radius = 2;
  static_assert(band_height % 2 == 0);
  const int height = y1 - y0, even_height = height + height % 2;
  const bool in_place = std::is_same_v<Source, Value> && rows.in_place<Source>() && radius <= max_in_place_radius &&
                        height == even_height && y0 >= radius && y1 + radius <= rows.height();

  alignas(64) Source values[max_planes][band_height + 2 * max_band_radius][tile_pitch];
  alignas(64) Value results[max_planes][band_height][tile_width];
  const TileValues<Source> source{&values[0][0][tile_left], tile_pitch, std::size(values[0]) * tile_pitch};
  const TileValues<Value> result{&results[0][0][0], tile_width, band_height * tile_width};
  for (int x = 0; x < rows.width();) {
    if (in_place && x >= radius + 1) {
      const int reach = (rows.width() - radius - 1 - x) / tile_step * tile_step;
      if (const int width = std::min(reach, max_width); width > 0) {
        const auto in = rows.in().image<Source>();
        const auto out = rows.out().image<Value>();
        filter(in.row(y0) + x, in.pitch, out.row(y0) + x, out.pitch, width, height);
        x += width;
        continue;
      }
    }
    // A narrow first tile, so that all but the two ends of a row can be done in place.
    const int limit = x == 0 && radius <= max_in_place_radius ? tile_step : tile_width;
    TileArea tile{x, y0, std::min(limit, rows.width() - x), even_height};
    rows.load(tile, radius, border, source);
    for (int plane = 0; plane < rows.planes(); ++plane)
      filter(source.row(plane, radius), source.pitch, result.row(plane, 0), result.pitch,
             (tile.width + tile_step - 1) / tile_step * tile_step, tile.height);
    tile.height = height;
    rows.store(tile, {result.first, result.pitch, result.plane_pitch});
    x += tile.width;
  }
  if (border == Border::valid) rows.keep_border(y0, y1, radius);
}
template void filter_band(const PlaneRows&, int, int, int, Border, const TileFilter<std::uint8_t, std::uint8_t>&, int);
template void filter_band(const PlaneRows&, int, int, int, Border, const TileFilter<float, std::uint8_t>&, int);
template void filter_band(const PlaneRows&, int, int, int, Border, const TileFilter<float, float>&, int);

}  // namespace threadscape
#endif
