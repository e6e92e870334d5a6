#pragma once
// The hierarchical depth test: blocks of pixels know the depth of the farthest surface in them. A triangle whose
// nearest point in a block is not in front of that loses every test there, so that none of its fragments is made
// (Greene, Kass, Miller: Hierarchical Z-buffer visibility, SIGGRAPH 1993). The picture is that of the other tests.

#include "compute/algorithms/graphics/rasterize/rasterize_math.h"

namespace threadscape::rasterize {

inline constexpr int depth_block = 8;  ///< Side in pixels of a block on the CPU.

/// Returns true if the plan tests blocks first.
[[nodiscard]] TS_HD inline bool tests_blocks(const Plan& plan) {
  return plan.depth_test == DepthTest::hierarchical && !plan.wireframe && plan.output != Output::overdraw &&
         (plan.visibility == Visibility::z_buffer || plan.visibility == Visibility::painter);
}

/// The smallest key of depth of a triangle in a rectangle of pixels, which need not be covered. Every step of
/// depth_at() rises or falls with x alone and with y alone, so that the smallest value is at a corner, to the bit.
[[nodiscard]] TS_HD inline std::uint32_t nearest_key(const Plan& plan, const ScreenTriangle& t, int x0, int y0, int x1,
                                                     int y1) {
  const auto key = [&](int x, int y) { return depth_key(deciding_depth(t, x, y, plan.visibility), plan.depth_bits); };
  const std::uint32_t a = key(x0, y0), b = key(x1, y0), c = key(x0, y1), d = key(x1, y1);
  const std::uint32_t top = a < b ? a : b, bottom = c < d ? c : d;
  return top < bottom ? top : bottom;
}

/// A rectangle of pixels of a block, and the number of the block.
struct BlockPart {
  int x0, y0, x1, y1;
  int block;
};
/// Calls use(part) for the blocks that the box of a triangle meets in the rows y0 .. y1 - 1. Blocks are counted from
/// row y0, `across` in a row of blocks.
template <class Use>
TS_HD void for_each_block(const ScreenTriangle& t, int y0, int y1, int across, const Use& use) {
  const int first = t.y0 > y0 ? t.y0 : y0, last = t.y1 < y1 - 1 ? t.y1 : y1 - 1;
  if (first > last) return;
  for (int row = (first - y0) / depth_block; row <= (last - y0) / depth_block; ++row)
    for (int column = t.x0 / depth_block; column <= t.x1 / depth_block; ++column) {
      const int left = column * depth_block, top = y0 + row * depth_block;
      const int right = left + depth_block - 1, bottom = top + depth_block - 1;
      use(BlockPart{left > t.x0 ? left : t.x0, top > first ? top : first, right < t.x1 ? right : t.x1,
                    bottom < last ? bottom : last, row * across + column});
    }
}

}  // namespace threadscape::rasterize
