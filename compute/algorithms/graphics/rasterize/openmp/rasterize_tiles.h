#pragma once
// The fast way on the CPU: triangles are sorted into tiles of 64 x 64 pixels, and the tiles are drawn with SIMD. It
// takes turns, so that its lists have a fixed size: threads prepare triangles until their lists are full, then they
// draw all tiles, and so on until no triangle is left.
//
//   vertices -> screen vertices, once each
//   triangles -> records, and an element in the list of every tile that the record's bounding box meets
//   tiles: keys and numbers of triangles, row by row -> colours

#include <span>

#include "compute/algorithms/graphics/rasterize/rasterize_host.h"

namespace threadscape::rasterize {

inline constexpr int cpu_tile = 64, cpu_tile_pixels = cpu_tile * cpu_tile;
/// Threads that have lists of their own.
inline constexpr int most_workers = 64;

/// A triangle for the inner loops (ScreenTriangle, whose third edge follows from the other two).
struct TileRecord {
  std::int64_t c[3];
  std::int32_t a[2], b[2];
  std::uint16_t x0, y0, x1, y1;
  float z, z_dx, z_dy, z_low, z_high;
  std::uint32_t triangle;
};

/// An element of the list of a tile; `next` is an index, and none_next ends a list.
struct TileEntry {
  std::uint32_t record, next;
};
inline constexpr std::uint32_t none_next = 0xffffffffu;

/// The flag of a vertex whose triangles have to be clipped, or that has no place on the screen.
inline constexpr std::uint8_t needs_clipping = 64;
/// The flag of a vertex whose 1 / w is so large or small that weights of pixels could become infinite.
inline constexpr std::uint8_t untame_weight = 128;
/// The flags that outcode() sets.
inline constexpr std::uint8_t outside_flags = 63;

/// Tiles of a picture.
struct CpuTiles {
  int across = 0, down = 0;
  CpuTiles(int width, int height)
      : across((width + cpu_tile - 1) / cpu_tile), down((height + cpu_tile - 1) / cpu_tile) {}
  [[nodiscard]] int count() const { return across * down; }
};

/// A tile of the visibility buffer: the keys of depth, and the triangles or the numbers of fragments.
struct TileBuffer {
  std::uint32_t key[cpu_tile_pixels];
  std::uint32_t triangle[cpu_tile_pixels];
};
/// The triangle of an empty pixel. Numbers of triangles are compared as signed integers, so none is less than this.
inline constexpr std::uint32_t no_triangle = 0xffffffffu;
/// A pixel of a tile as the visibility buffer holds it.
[[nodiscard]] inline Visible visible_in(const TileBuffer& tile, int x, int y) {
  const int i = y * cpu_tile + x;
  return visible(tile.key[i], tile.triangle[i] == no_triangle ? 0 : tile.triangle[i]);
}

struct TileFrame {
  HostFrame host;
  CpuTiles tiles{1, 1};
  std::span<ScreenVertex> screen;  ///< All vertices.
  std::span<std::uint8_t> flags;   ///< The flags of all vertices: outside_flags, needs_clipping and untame_weight.
  std::span<TileBuffer> buffers;   ///< All tiles, and at least one for each worker.
  std::span<TileRecord> records;   ///< Shared evenly by the workers; so are the entries.
  std::span<TileEntry> entries;
  std::span<std::uint32_t> heads;  ///< The first element of the list of each tile, for each worker.
};

[[nodiscard]] std::size_t tiles_scratch_bytes(const Rasterize::Params& params, const Shape& input);
[[nodiscard]] TileFrame make_tile_frame(const HostRun& run, const Plan& plan);
/// Returns true if the plan can be drawn in tiles: faces, with a depth per pixel or per triangle.
[[nodiscard]] bool drawn_in_tiles(const Plan& plan);
/// Draws the opaque triangles and resolves the picture.
void draw_in_tiles(const HostRun& run, const TileFrame& frame);

/// Vertex stage for the vertices first .. end - 1: clip space, screen and flags.
void transform_vertices_fast(const TileFrame& frame, std::uint32_t first, std::uint32_t end);
/// The elements of the list of a tile, and the records that they name.
struct TileList {
  const TileRecord* records;
  const TileEntry* entries;
  std::uint32_t head;
};
/// Draws a list into a tile, whose first pixel is (x, y).
void draw_list(const Plan& plan, const TileList& list, int x, int y, TileBuffer& tile);
/// Writes the background to the pixels of a tile of a picture.
void resolve_empty_tile(const TileFrame& frame, int x, int y);
/// Writes the pixels of a tile to the output.
void resolve_tile(const TileFrame& frame, int x, int y, const TileBuffer& tile);

}  // namespace threadscape::rasterize
