#pragma once
// The grids of the CUDA variants in scratch memory, the grid to start from, and the functions of the variants.

#include "compute/algorithms/terrain/diamond_square/diamond_square.h"
#include "compute/algorithms/terrain/diamond_square/diamond_square_launch.h"

namespace threadscape::diamond_square {

inline constexpr int coarse_levels = 6;  ///< Levels that one block computes in shared memory: up to 65 x 65 points.
inline constexpr int step_numbers = 5;   ///< The variant that makes the random numbers of each step before it.
inline constexpr int max_fused = 4;      ///< Maximum number of levels that a launch of tiles computes.

/// Distance in points between neighbouring rows of a grid in scratch memory.
constexpr std::size_t grid_pitch(int level) {
  return (static_cast<std::size_t>(cells_of(level)) + 1 + 63) / 64 * 64;
}
template <class Height>
constexpr std::size_t grid_bytes(int level) {
  return DeviceScratch::padded(grid_pitch(level) * (static_cast<std::size_t>(cells_of(level)) + 1) * sizeof(Height));
}

/// The last level of the launch of tiles that starts from `level`. The first launch takes the remainder, so that all
/// others compute max_fused levels.
constexpr int next_stage(int level, int grown) {
  const int rest = (grown - level) % max_fused;
  return level + (rest == 0 ? max_fused : rest);
}

/// The grid to start from, as an argument of kernels: four corners, or a map in device memory.
template <class Height>
struct Start {
  Height corners[4] = {};
  const Height* map = nullptr;  ///< The map without padding; null for the corners.
  int cells = 1;

  TS_HD Height at(int x, int y) const {
    if (map) return map[static_cast<std::ptrdiff_t>(y) * (cells + 1) + x];
    return y == 0 ? (x == 0 ? corners[0] : corners[1]) : x == 0 ? corners[2] : corners[3];
  }
};

/// Fills the table of random numbers for all levels that are computed, in one batch, by XORWOW.
void make_all_numbers(const Plan& plan, std::uint16_t* numbers, CudaStream stream);
/// Fills the part of the table that one step takes its numbers from.
void make_numbers_of(const Plan& plan, Step step, int level, std::uint16_t* numbers, CudaStream stream);

/// The variant `fused`, and those with a launch for each step. Both write the result to run.out. `numbers` is the table
/// that the variant step_numbers fills, plan.numbers.
template <class Height>
void run_fused(const Plan& plan, const Start<Height>& start, const DeviceRun& run);
template <class Height>
void run_steps(const Plan& plan, const Start<Height>& start, std::uint16_t* numbers, const DeviceRun& run);

/// Computes the last diamond step of a growth that ends with one from `grid`, which is that of level plan.complete(),
/// interpolates bilinearly between the points, and writes run.out.
template <class Height>
void interpolate(const Plan& plan, ImageView<const Height, Space::device> grid, const DeviceRun& run);

/// Takes a grid for a level from scratch memory.
template <class Height>
ImageView<Height, Space::device> take_grid(DeviceScratch& scratch, int level) {
  const int side = cells_of(level) + 1;
  Height* data = scratch.take<Height>(grid_bytes<Height>(level) / sizeof(Height)).data();
  return {data, side, side, static_cast<std::ptrdiff_t>(grid_pitch(level))};
}

}  // namespace threadscape::diamond_square
