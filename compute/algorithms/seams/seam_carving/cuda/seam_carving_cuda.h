#pragma once
// The working memory of the CUDA backend, which is known in builds without CUDA as well, and the steps of a search on
// the device.
//
// One seam takes a handful of launches, and the host waits for none of them:
//   cost_tiles or cost_row   Costs from the top row down. The cheapest parent of each pixel is kept in two bits.
//   jump_tiles               For all tiles of rows at once: which column at the top of a tile each column at its
//                            bottom leads to.
//   find_seams               The minimum of the last row, from there down the list of jumps, then all tiles at once
//                            fill in their rows of the seam.
//   compact_rows             Every row closes its gap, and the seam's number goes into the order map.
//   renew_energies           Energies beside the seam are computed anew.
//
//  row  0 .--------------------.
//         |    tile 0  \       |   jumps[0][x]: column in row 0 of the path that ends at column x of row 63
//      63 |             |      |
//         |-------------|------|
//         |    tile 1  /       |   jumps[1][x]: column in row 63 of the path that ends at column x of row 127
//     127 |           |        |
//         '-----------|--------'

#include <cstdint>

#include "compute/algorithms/seams/seam_carving/seam_carving_plan.h"
#include "generated/cuda_backend.h"

namespace threadscape::seam_carving {

[[nodiscard]] std::size_t device_bytes(const Plan&, const Shape& input);

/// Pixels per word of parents, which one thread of cost_row computes.
inline constexpr int word_columns = 8;
/// Rows of a tile of cost_tiles, one launch. The tile computes as many additional columns on either side.
inline constexpr int tile_rows = 64;

/// Values from one row of a plane to the next: whole words, with room for one column beyond the last.
[[nodiscard]] TS_HD constexpr int device_pitch(int width) {
  return (width + word_columns + 31) / 32 * 32;
}

/// A search in device memory, in the space of its pass. Planes have `pitch` values per row. "Left" means not yet
/// removed.
struct DeviceSearch {
  int width = 0, height = 0, pitch = 0;  ///< `width` is the number of columns that are left.
  Energy energy = Energy::gradient;
  Start start = Start::top;          ///< Where greedy paths start.
  float* grey = nullptr;             ///< Grey values of the whole picture.
  float* value = nullptr;            ///< Energies (or grey values, for forward energy) of the pixels that are left.
  std::uint16_t* columns = nullptr;  ///< Columns of the whole picture that are left.
  Mark* marks = nullptr;             ///< Marks of the pixels that are left, or null.
  /// The result: number of the seam that takes a pixel of the whole picture, 0 = none.
  std::uint16_t* order = nullptr;
  std::uint16_t* parents = nullptr;  ///< One word per eight columns, see seam_carving_cells.h.
  std::uint16_t* jumps = nullptr;    ///< [tile of rows][column], see above.
  float* costs[2] = {};              ///< Costs of two rows, or of the last rows of two tiles.
  int* ranks[2] = {};
  int* seams = nullptr;  ///< [strip][row]: column of the strip's seam.
  /// Greedy: column of the cheapest pixel of the path's next row relative to the own one: -1, 0 or 1.
  std::int8_t* neighbours = nullptr;
  std::uint16_t* paths = nullptr;  ///< Greedy, and candidates: column of each path in each row.

  // No array index: kernels would copy their parameters to local memory to index them at run time.
  [[nodiscard]] TS_HD float* costs_of(int line) const { return line % 2 == 0 ? costs[0] : costs[1]; }
  [[nodiscard]] TS_HD int* ranks_of(int line) const { return line % 2 == 0 ? ranks[0] : ranks[1]; }
  [[nodiscard]] TS_HD std::int64_t at(int x, int y) const { return static_cast<std::int64_t>(y) * pitch + x; }
};

/// All device memory of a run. `Memory` is a DeviceScratch, or something with the same take() that only counts bytes.
struct DevicePlanes {
  DeviceSearch search;
  std::byte* pictures[2] = {};
  Mark* marks[2] = {};
  std::uint32_t* origins[2] = {};
  /// Twice the column in the old line for each pixel of the new picture, + 1 for a duplicate.
  std::uint32_t* places = nullptr;

  template <class Memory>
  DevicePlanes(const Plan& plan, const Shape& input, Memory& memory) {
    const int w = plan.max_width, h = plan.max_height;
    const auto larger = [](std::int64_t a, std::int64_t b) { return static_cast<std::size_t>(a > b ? a : b); };
    const std::int64_t across = device_pitch(w), down = device_pitch(h);
    const std::size_t cells = larger(across * h, down * w), side = larger(across, down), max_pixels = plan.max_pixels();
    const std::size_t tiles = larger(across * (h / tile_rows + 1), down * (w / tile_rows + 1));
    const bool greedy = plan.params.path == Path::greedy;
    const auto take = [&]<class T>(T*& piece, std::size_t count) { piece = memory.template take<T>(count).data(); };
    search.energy = plan.params.energy;
    search.start = plan.params.start;
    take(search.grey, cells);
    take(search.value, cells);
    take(search.columns, cells);
    take(search.order, cells);
    take(search.parents, cells / word_columns);
    take(search.jumps, tiles);
    take(search.seams, side * static_cast<std::size_t>(plan.params.seams_per_pass));
    for (int i = 0; i < 2; ++i) {
      take(search.costs[i], side);
      take(search.ranks[i], side);
      take(pictures[i], plan.keeps_pictures() ? max_pixels * input.pixel_bytes() : 0);
      if (plan.masked()) take(marks[i], max_pixels);
      if (plan.params.output == SeamCarving::Output::order) take(origins[i], max_pixels);
    }
    if (plan.masked()) take(search.marks, cells);
    if (greedy) take(search.neighbours, cells);
    if (greedy || plan.params.output == SeamCarving::Output::candidates) take(search.paths, cells);
    take(places, max_pixels);
  }
};

#if TS_HAS_CUDA
/// Queues the search for the seams first..last-1 (counted from 0), after start_search(). A long search can be cut into
/// several calls.
void carve(DeviceSearch&, Path, int seams_at_once, int first, int last, int variant, CudaStream);
/// Queues what the first seam needs, once grey values and marks are in place.
void start_search(DeviceSearch&, CudaStream);

// The steps of carve() are in seam_carving_path.cu and seam_carving_remove.cu.
void find_seams_dp(const DeviceSearch&, int strips, bool per_row, CudaStream);
/// `direct` does without the table of neighbours; `threads` is the number of threads in a block.
void find_seams_greedy(const DeviceSearch&, int strips, bool direct, int threads, CudaStream);
/// Follows all candidate seams of the picture. Afterwards `paths` holds them, costs[0] their relative costs by the
/// column where they begin, and `seams` the cheapest one.
void find_candidates(const DeviceSearch&, Path, CudaStream);
/// Removes the seams number..number+strips-1 and lowers `width` by their number.
void remove_seams(DeviceSearch&, int strips, int number, CudaStream);
/// Computes the row y of costs into costs_of(y).
void launch_cost_row(const DeviceSearch&, int strips, int y, CudaStream);
#endif

}  // namespace threadscape::seam_carving
