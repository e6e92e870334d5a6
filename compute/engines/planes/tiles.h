#pragma once
// Tiles of a picture for filters with SIMD on the CPU.
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
//   one row of one plane of the copy, tile_pitch values:
//   |  tile_left, the halo at its end  |  tile_width, the tile  |  64, halo and padding  |
//
// The format of the pixels concerns only this code: filters are compiled once for each type of numbers.

#include <cstdint>
#include <functional>

#include "compute/core/border.h"
#include "compute/core/run.h"
#include "compute/engines/planes/bands.h"
#include "compute/engines/planes/plane_tile.h"

namespace threadscape {

// Sizes are in values of a plane. Filters may load up to radius + 1 values beyond either side of a tile, which a row of
// the copy holds as well.
inline constexpr int tile_step = 64;        ///< Bytes of the longest vector, so that any vector divides a tile.
inline constexpr int tile_width = 512;      ///< The rows of a 9x9 window of this width stay in the first-level cache.
inline constexpr int max_planes = 3;        ///< Most planes of a picture.
inline constexpr int max_band_radius = 4;   ///< Largest radius of filter_band().
inline constexpr int max_tile_radius = 32;  ///< Largest radius of PlaneRows::load().
inline constexpr int tile_left = 64;        ///< Values before the tile, which keep rows of the copy aligned.
inline constexpr int tile_pitch = tile_left + tile_width + 64;

/// Where the values of a tile are: that of its first pixel in the first plane, and the distances of rows and of planes.
template <class Value>
struct TileValues {
  Value* first;
  std::ptrdiff_t pitch, plane_pitch;

  [[nodiscard]] Value* row(int plane, int row) const { return first + plane * plane_pitch + row * pitch; }
  /// The values from column x of a row on.
  [[nodiscard]] TileValues from(int x, int row) const { return {first + x + row * pitch, pitch, plane_pitch}; }
};

/// The input and the result of a run as planes of bytes or floats, see planes.h.
class PlaneRows {
 public:
  PlaneRows(const HostRun& run, Channels channels);

  [[nodiscard]] int planes() const { return planes_; }
  [[nodiscard]] int width() const { return static_cast<int>(in_.shape.width); }
  [[nodiscard]] int height() const { return static_cast<int>(in_.shape.height); }
  /// Returns whether the values of the picture are its pixels, so that filters can work in place.
  template <class Value>
  [[nodiscard]] bool in_place() const {
    return holds<Value>(in_.shape);
  }
  [[nodiscard]] const HostIn& in() const { return in_; }
  [[nodiscard]] const HostOut& out() const { return out_; }

  /// Copies all planes of the tile and of `radius` pixels around it, bytes to bytes or to floats. Row 0 lies `radius`
  /// rows above the tile. Values that only a filter of the padded width reads are 0.
  void load(const TileArea& tile, int radius, Border border, const TileValues<std::uint8_t>& to) const;
  void load(const TileArea& tile, int radius, Border border, const TileValues<float>& to) const;
  /// Makes the pixels of the tile from the values of their planes. Alpha, which belongs to no plane, is that of the
  /// input.
  void store(const TileArea& tile, const TileValues<const std::uint8_t>& from) const;
  void store(const TileArea& tile, const TileValues<const float>& from) const;
  /// For Border::valid: copies the input pixels of rows y0 .. y1 - 1 whose window reaches out of the picture.
  void keep_border(int y0, int y1, int radius) const;

 private:
  HostIn in_;
  HostOut out_;
  Channels channels_;
  int planes_;

  template <class Value>
  void split(const TileArea& area, const TileValues<Value>& to) const;
  template <class Value>
  void load_tile(const TileArea& tile, int radius, Border border, const TileValues<Value>& to) const;
};

/// A filter for tiles of one plane. `source` points at the value of the tile's first pixel; pitches are in values,
/// `width` is a multiple of tile_step, and `height` is even and at most band_height.
template <class Source, class Value>
using TileFilter = std::function<void(const Source* source, std::ptrdiff_t pitch, Value* result,
                                      std::ptrdiff_t result_pitch, int width, int height)>;

/// Applies the filter to rows y0 .. y1 - 1, tile by tile; the result of a row below an odd number of rows is dropped.
/// Source is the type of the values that the filter reads: that of the picture, or float. `max_width` limits tiles that
/// are filtered in place.
template <class Source, class Value>
void filter_band(const PlaneRows& rows, int y0, int y1, int radius, Border border,
                 const TileFilter<Source, Value>& filter, int max_width = tile_width);

}  // namespace threadscape
