#pragma once
// The scratch memory of a run, as pieces of known sizes.

#include "compute/algorithms/graphics/rasterize/rasterize.h"

namespace threadscape::rasterize {

/// The most vertices and triangles that a mesh of this shape can have. A vertex has a position and a normal.
[[nodiscard]] inline std::size_t most_vertices(const Shape& mesh) {
  return static_cast<std::size_t>(mesh.width) / 6 + 1;
}
[[nodiscard]] inline std::size_t most_triangles(const Shape& mesh) {
  return static_cast<std::size_t>(mesh.width) / 3 + 1;
}

/// The parts of a picture that threads work on with lists of their own, in the methods that need such lists.
inline constexpr int host_slots = 8;
/// Rows that transparent triangles are blended into at a time.
inline constexpr int blend_rows_at_once = 32;

/// The levels of tiles on CUDA. A side of a tile is tile_side << 2 * level pixels, so that the last level covers the
/// largest picture with four tiles. A triangle is in the list of every tile that its bounding box meets on the first
/// level on which these are at most four. So all lists together have at most four elements per triangle.
inline constexpr int tile_side = 16, tile_levels = 6;

/// The tiles of all levels of a picture.
struct TileGrid {
  int across[tile_levels] = {}, first[tile_levels] = {};  ///< Tiles in a row, and the index of the first tile.
  int tiles = 0;
  int down0 = 0;  ///< Rows of tiles on level 0.

  TileGrid(int width, int height) {
    for (int level = 0; level < tile_levels; ++level) {
      const int side = tile_side << (2 * level);
      across[level] = (width + side - 1) / side;
      const int down = (height + side - 1) / side;
      if (level == 0) down0 = down;
      first[level] = tiles;
      tiles += across[level] * down;
    }
  }
};

[[nodiscard]] std::size_t cuda_scratch_bytes(const Rasterize::Params& params, const Shape& input);
[[nodiscard]] std::size_t scratch_bytes(const Rasterize::Params& params, const Shape& input, Backend backend,
                                        int variant);

}  // namespace threadscape::rasterize
