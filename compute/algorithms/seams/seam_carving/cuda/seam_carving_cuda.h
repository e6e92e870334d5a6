#pragma once
// The working memory of the CUDA backend, known in builds without CUDA as well, and the steps of a search on the
// device.
//
// A seam takes a handful of launches, none of which the host waits for:
//   cost_tiles / cost_row   costs from the top row down; which parent is cheapest is kept as two bits per pixel
//   jump_tiles              through all tiles of rows at once: which column at a tile's top a column at its bottom
//   leads to find_seams              the least cost of the last row, down the jumps, then all tiles fill in their rows
//   at once close_up                every row closes the gap; the seam's number goes into the order map renew_energies
//   beside the seam

#include <cstdint>

#include "compute/algorithms/seams/seam_carving/seam_carving_plan.h"

namespace threadscape::seam_carving {

[[nodiscard]] std::size_t device_bytes(const Plan&, const Shape& input);

/// Columns of a word of sides, of a thread of the cost kernels.
inline constexpr int word_columns = 8;
/// Rows of a launch; a tile computes as many columns more on either side.
inline constexpr int tile_rows = 64;

/// Values from row to row: whole words, with room for one column beyond the last.
[[nodiscard]] TS_HD constexpr int device_pitch(int width) {
  return (width + word_columns + 31) / 32 * 32;
}

/// A search in device memory, in the space of its pass. Planes have `pitch` values per row.
struct DeviceSearch {
  int width = 0, height = 0, pitch = 0;  ///< `width` is what is left
  Energy energy = Energy::gradient;
  float* grey = nullptr;             ///< of the whole picture
  float* value = nullptr;            ///< energies, or grey, of what is left
  std::uint16_t* columns = nullptr;  ///< of the whole picture, that are left
  Mark* marks = nullptr;             ///< of what is left, or null
  std::uint16_t* order = nullptr;    ///< the result
  std::uint16_t* sides = nullptr;    ///< a word per eight columns: parents 0 left, 1 above, 2 right; low bits first
  std::uint16_t* jumps = nullptr;    ///< [tile of rows][column]
  float* costs[2] = {};              ///< of two rows
  int* ranks[2] = {};
  int* seams = nullptr;               ///< [strip][row]
  std::int8_t* neighbours = nullptr;  ///< greedy: -1, 0, 1
  std::uint16_t* paths = nullptr;     ///< greedy: column of each path in each row

  // Not by index: kernels would copy their parameters to find one.
  [[nodiscard]] TS_HD float* costs_of(int line) const { return line % 2 == 0 ? costs[0] : costs[1]; }
  [[nodiscard]] TS_HD int* ranks_of(int line) const { return line % 2 == 0 ? ranks[0] : ranks[1]; }
  [[nodiscard]] TS_HD std::int64_t at(int x, int y) const { return static_cast<std::int64_t>(y) * pitch + x; }
};

/// All device memory of a run. `Memory` is a DeviceScratch, or counts.
struct DevicePlanes {
  DeviceSearch search;
  std::byte* pictures[2] = {};
  Mark* marks[2] = {};
  std::uint32_t* origins[2] = {};
  std::uint32_t* places = nullptr;  ///< of the new picture: twice the column, + 1 for a duplicate

  template <class Memory>
  DevicePlanes(const Plan& plan, const Shape& input, Memory& memory) {
    const int w = plan.largest_width, h = plan.largest_height;
    const auto larger = [](std::int64_t a, std::int64_t b) { return static_cast<std::size_t>(a > b ? a : b); };
    const std::int64_t across = device_pitch(w), down = device_pitch(h);
    const std::size_t cells = larger(across * h, down * w), side = larger(across, down), most = plan.most_pixels();
    const std::size_t tiles = larger(across * (h / tile_rows + 1), down * (w / tile_rows + 1));
    const bool greedy = plan.params.path == Path::greedy;
    const auto take = [&]<class T>(T*& piece, std::size_t count) { piece = memory.template take<T>(count).data(); };
    search.energy = plan.params.energy;
    take(search.grey, cells);
    take(search.value, cells);
    take(search.columns, cells);
    take(search.order, cells);
    take(search.sides, cells / word_columns);
    take(search.jumps, tiles);
    take(search.seams, side * static_cast<std::size_t>(plan.params.seams_per_pass));
    for (int i = 0; i < 2; ++i) {
      take(search.costs[i], side);
      take(search.ranks[i], side);
      take(pictures[i], plan.keeps_pictures() ? most * input.pixel_bytes() : 0);
      if (plan.masked()) take(marks[i], most);
      if (plan.params.output == SeamCarving::Output::order) take(origins[i], most);
    }
    if (plan.masked()) take(search.marks, cells);
    if (greedy) take(search.neighbours, cells);
    if (greedy) take(search.paths, cells);
    take(places, most);
  }
};

#if TS_HAS_CUDA
/// Seams first..last-1 (counted from 0) of a search that start_search() made ready; all of it is queued. A long search
/// can be cut into several calls.
void carve(DeviceSearch&, Path, int at_once, int first, int last, int variant, CudaStream);
/// After grey and marks are there: everything else for the first seam.
void start_search(DeviceSearch&, CudaStream);

// Steps of carve(), seam_carving_path.cu and seam_carving_remove.cu.
void find_seams_dp(const DeviceSearch&, int strips, bool per_row, CudaStream);
void find_seams_greedy(const DeviceSearch&, int strips, bool direct, CudaStream);
/// Seams number..number+strips-1 leave; `width` becomes less by as many.
void remove_seams(DeviceSearch&, int strips, int number, CudaStream);
/// One row of costs into costs_of(y).
void launch_cost_row(const DeviceSearch&, int strips, int y, CudaStream);
#endif

}  // namespace threadscape::seam_carving
