#pragma once
// What the CUDA variants share: where their grids lie in scratch memory, and where they start.

#include "compute/algorithms/terrain/diamond_square/diamond_square.h"

namespace threadscape::diamond_square {

inline constexpr int coarse_levels = 6;  ///< that one block grows in its shared memory: 65 x 65 points
inline constexpr int most_fused = 4;     ///< levels of one launch of tiles

/// Points from one row of a grid in scratch memory to the next.
constexpr std::size_t grid_pitch(int level) {
  return (static_cast<std::size_t>(cells_of(level)) + 1 + 63) / 64 * 64;
}
template <class Height>
constexpr std::size_t grid_bytes(int level) {
  return DeviceScratch::padded(grid_pitch(level) * (static_cast<std::size_t>(cells_of(level)) + 1) * sizeof(Height));
}

/// The level that a launch of tiles reaches from `level`: the last launches take as many as they can.
constexpr int next_stage(int level, int grown) {
  const int rest = (grown - level) % most_fused;
  return level + (rest == 0 ? most_fused : rest);
}

/// The grid to start from, on the device: four corners, or a map.
template <class Height>
struct Start {
  Height corners[4] = {};
  const Height* map = nullptr;  ///< densely; null = the corners
  int cells = 1;

  TS_HD Height at(int x, int y) const {
    if (map) return map[static_cast<std::ptrdiff_t>(y) * (cells + 1) + x];
    return y == 0 ? (x == 0 ? corners[0] : corners[1]) : x == 0 ? corners[2] : corners[3];
  }
};

/// The variants; both leave the result in run.out.
template <class Height>
void run_fused(const Plan& plan, const Start<Height>& start, const DeviceRun& run);
template <class Height>
void run_steps(const Plan& plan, const Start<Height>& start, bool branchless, const DeviceRun& run);

/// Straight slopes between the points of `grid`, which is of level plan.grown, into run.out.
template <class Height>
void interpolate(const Plan& plan, ImageView<const Height, Space::device> grid, const DeviceRun& run);

template <class Height>
ImageView<Height, Space::device> take_grid(DeviceScratch& scratch, int level) {
  const int side = cells_of(level) + 1;
  Height* data = scratch.take<Height>(grid_bytes<Height>(level) / sizeof(Height)).data();
  return {data, side, side, static_cast<std::ptrdiff_t>(grid_pitch(level))};
}

}  // namespace threadscape::diamond_square
