// Diamond-square on the GPU, the default variant: one block computes the coarse levels in its shared memory; then every
// launch computes up to four levels in tiles. A tile loads the coarse points under it with a halo of one point, and
// computes the cells that it needs of its neighbours itself, so tiles are independent. Device memory holds one grid per
// launch; the last launch writes the result.
//
// One Philox block serves eight cells of a row, so a work item of a thread is eight cells of one kind. The lanes of a
// warp take neighbouring rows: since the pitches of the lattices are odd, their accesses fall into different banks.
//
//   tile of a level, in shared memory:  known(i, j)     = point (2 i,     2 j)           K a K a K
//   four lattices, one per kind         across(i, j)    = point (2 i + 1, 2 j)           d D d D d
//                                       down(i, j)      = point (2 i,     2 j + 1)       K a K a K
//                                       diamonds(i, j)  = point (2 i + 1, 2 j + 1)
//
//   work item:   lane 0    row j     cells i .. i + 7        8 random numbers from one Philox block
//                lane 1    row j + 1 cells i .. i + 7

#include <algorithm>

#include "compute/algorithms/terrain/diamond_square/diamond_square_cuda.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::diamond_square {
namespace {

template <class Height>
using Grid = ImageView<Height, Space::device>;

// ---- coarse levels: one block

constexpr int coarse_threads = 1024;

template <class Height>
__global__ void __launch_bounds__(coarse_threads)
    grow_coarse(const __grid_constant__ Plan plan, Start<Height> start, int last, cuda::EitherStore<Height> store) {
  constexpr int side = (1 << coarse_levels) + 1;
  __shared__ Height heights[side * side];
  const int end = cells_of(last) + 1;
  const auto for_points = [&](int width, int height, const auto& f) {
    for (int i = threadIdx.x; i < width * height; i += coarse_threads)
      f(i % width, i / width);
    __syncthreads();
  };

  const int start_step = cells_of(last - plan.first);
  for_points(start.cells + 1, start.cells + 1,
             [&](int x, int y) { heights[y * start_step * side + x * start_step] = start.at(x, y); });
  for (int level = plan.first + 1; level <= last; ++level) {
    const int cells = cells_of(level), step = cells_of(last - level);
    const auto at = [&](int x, int y) -> Height& { return heights[y * step * side + x * step]; };
    for_points(cells / 2, cells / 2, [&](int i, int j) {
      const int x = 2 * i + 1, y = 2 * j + 1;
      at(x, y) = diamond_cell<Height>(plan, level, x, y, at);
    });
    for_points(cells / 2 + 1, cells + 1, [&](int i, int y) {
      const int x = 2 * i + 1 - y % 2;
      if (x <= cells) at(x, y) = square_cell<Height>(plan, level, x, y, at);
    });
  }
  for_points(end, end, [&](int x, int y) { store.store(x, y, heights[y * side + x]); });
}

// ---- finer levels: tiles

constexpr int tile_threads = 256;
constexpr int tile_width = 128, tile_height = 64;  // Size of a tile in points of the last level.
constexpr int group = 8;                           // cells of one Philox block

/// The points of one kind of one level in shared memory. Indices start at -1.
template <class Height, int width, int height>
struct Lattice {
  static constexpr int pitch = width | 1;
  Height points[height * pitch];
  __device__ Height& operator()(int i, int j) { return points[(j + 1) * pitch + i + 1]; }
};

/// The points of a level in a tile, with those around it that the next level needs. known[0] and known[1] alternate
/// between levels.
template <class Height>
struct Tile {
  // Lattice indices (i, j) are the following points of the level.
  Lattice<Height, tile_width / 2 + 3, tile_height / 2 + 3> known[2];  // (2 i, 2 j)
  Lattice<Height, tile_width / 2 + 1, tile_height / 2 + 1> diamonds;  // (2 i + 1, 2 j + 1)
  Lattice<Height, tile_width / 2 + 1, tile_height / 2 + 1> across;    // (2 i + 1, 2 j): square cells of even rows
  Lattice<Height, tile_width / 2 + 1, tile_height / 2 + 1> down;      // (2 i, 2 j + 1): square cells of odd rows
};

/// The origin of a tile in the grid of a level.
struct Place {
  int level, x0, y0;
};

/// Calls f(i, j, random) for the cells (2 i + odd_x, 2 j + odd_y) of the tile with i0 <= i < i1 and j0 <= j < j1;
/// `random` is the random number of the cell, from the plan's table if `stored` is true.
template <bool stored, class F>
__device__ void for_cells(const Plan& plan, const Place& place, int odd_x, int odd_y, int i0, int i1, int j0, int j1,
                          const F& f) {
  const int first_group = i0 < 0 ? -1 : 0, groups = (i1 + group - 1) / group - first_group, rows = j1 - j0;
  const int cells = cells_of(place.level);
  for (int item = threadIdx.x; item < groups * rows; item += tile_threads) {
    const int j = j0 + item % rows, i = (first_group + item / rows) * group;
    int x = place.x0 + 2 * i, y = place.y0 + 2 * j + odd_y;
    if (plan.edges == Edges::wrap) {
      x &= cells - 1;
      y &= cells - 1;
    } else if (x + 2 * group <= 0 || x > cells || y < 0 || y > cells) {
      continue;  // The whole group is outside of the terrain.
    }
    if constexpr (stored) {
#pragma unroll
      for (int k = 0; k < group; ++k) {
        const int cell_x = x + odd_x + 2 * k;  // Cells outside of the terrain have no number and are not used.
        const std::uint32_t random = cell_x <= cells ? plan.numbers[number_of(place.level, cell_x, y)] : 0;
        if (i + k >= i0 && i + k < i1) f(i + k, j, random);
      }
    } else {
      const PhiloxBlock block = random_block(plan.seed, place.level, x >> 4, y, odd_x);
#pragma unroll
      for (int k = 0; k < group; ++k)
        if (i + k >= i0 && i + k < i1) f(i + k, j, random_u16_of(block, k));
    }
  }
}

/// Computes all new points of a level with width x height points in the tile, and those around it that the next level
/// needs, which the last level does not.
template <class Height, bool last, bool stored>
__device__ void grow_level(const Plan& plan, const Place& place, int width, int height,
                           Lattice<Height, tile_width / 2 + 3, tile_height / 2 + 3>& known, Tile<Height>& tile) {
  using Sum = SumOf<Height>;
  const int level = place.level, columns = width / 2 + (last ? 0 : 1), rows = height / 2 + (last ? 0 : 1);
  const int begin = last ? 0 : -1;
  const auto sum = [](Height a, Height b) { return static_cast<Sum>(a) + static_cast<Sum>(b); };

  for_cells<stored>(plan, place, 1, 1, -1, columns, -1, rows, [&](int i, int j, std::uint32_t random) {
    const Sum total = sum(known(i, j), known(i + 1, j)) + sum(known(i, j + 1), known(i + 1, j + 1));
    tile.diamonds(i, j) = new_height<Height>(plan, level, total, 4, random);
  });
  __syncthreads();

  // With Edges::three the cells in the first and the last row and column of the terrain have three neighbours.
  const bool three = plan.edges == Edges::three;
  const int cells = cells_of(level);
  for_cells<stored>(plan, place, 1, 0, begin, columns, 0, rows, [&](int i, int j, std::uint32_t random) {
    const bool top = three && place.y0 + 2 * j == 0, bottom = three && place.y0 + 2 * j == cells;
    const Sum above = top ? Sum(0) : static_cast<Sum>(tile.diamonds(i, j - 1));
    const Sum below = bottom ? Sum(0) : static_cast<Sum>(tile.diamonds(i, j));
    const Sum total = sum(known(i, j), known(i + 1, j)) + (above + below);
    tile.across(i, j) = new_height<Height>(plan, level, total, top || bottom ? 3 : 4, random);
  });
  for_cells<stored>(plan, place, 0, 1, 0, columns, begin, rows, [&](int i, int j, std::uint32_t random) {
    const bool first = three && place.x0 + 2 * i == 0, end = three && place.x0 + 2 * i == cells;
    const Sum left = first ? Sum(0) : static_cast<Sum>(tile.diamonds(i - 1, j));
    const Sum right = end ? Sum(0) : static_cast<Sum>(tile.diamonds(i, j));
    const Sum total = (left + right) + sum(known(i, j), known(i, j + 1));
    tile.down(i, j) = new_height<Height>(plan, level, total, first || end ? 3 : 4, random);
  });
  __syncthreads();
}

/// Point (x, y) of the level in the tile.
template <class Height, class Known>
__device__ Height point(Known& known, Tile<Height>& tile, int x, int y) {
  const int i = x >> 1, j = y >> 1;
  return x & 1 ? (y & 1 ? tile.diamonds(i, j) : tile.across(i, j)) : (y & 1 ? tile.down(i, j) : known(i, j));
}

/// Grows the rows of tiles from `first` on, one for each row of blocks.
template <class Height, bool stored>
__global__ void __launch_bounds__(tile_threads)
    grow_tiles(const __grid_constant__ Plan plan, Grid<const Height> coarse, int from, int to, int first,
               cuda::EitherStore<Height> store) {
  extern __shared__ __align__(16) unsigned char shared[];
  Tile<Height>& tile = *reinterpret_cast<Tile<Height>*>(shared);
  int width = tile_width >> (to - from), height = tile_height >> (to - from);
  const int tile_row = first + static_cast<int>(blockIdx.y);

  // The coarse points 0..width x 0..height of the tile are loaded with a halo of one point.
  const int coarse_cells = cells_of(from);
  for (int i = threadIdx.x; i < (width + 3) * (height + 3); i += tile_threads) {
    const int x = i % (width + 3) - 1, y = i / (width + 3) - 1;
    int from_x = blockIdx.x * width + x, from_y = tile_row * height + y;
    if (plan.edges == Edges::wrap) {
      from_x &= coarse_cells - 1;
      from_y &= coarse_cells - 1;
    } else {  // Points outside of the terrain are not used.
      from_x = min(max(from_x, 0), coarse_cells);
      from_y = min(max(from_y, 0), coarse_cells);
    }
    tile.known[0](x, y) = coarse(from_x, from_y);
  }
  __syncthreads();

  int now = 0;
  for (int level = from + 1; level < to; ++level, now ^= 1) {
    width *= 2;
    height *= 2;
    const Place place{level, static_cast<int>(blockIdx.x) * width, tile_row * height};
    grow_level<Height, false, stored>(plan, place, width, height, tile.known[now], tile);
    for (int i = threadIdx.x; i < (width + 3) * (height + 3); i += tile_threads) {
      const int x = i % (width + 3) - 1, y = i / (width + 3) - 1;
      tile.known[now ^ 1](x, y) = point<Height>(tile.known[now], tile, x, y);
    }
    __syncthreads();
  }
  const Place place{to, static_cast<int>(blockIdx.x) * tile_width, tile_row * tile_height};
  grow_level<Height, true, stored>(plan, place, tile_width, tile_height, tile.known[now], tile);

  // A warp writes 128 bytes or more of a row at once.
  constexpr int run_length = sizeof(Height) == 1 ? 4 : 2;
  using Wide = std::conditional_t<sizeof(Height) == 1, std::uint32_t, uint2>;
  struct Run {
    Height heights[run_length];
  };
  const int cells = cells_of(to);
  for (int i = threadIdx.x; i < tile_width / run_length * tile_height; i += tile_threads) {
    const int x = i % (tile_width / run_length) * run_length, y = i / (tile_width / run_length);
    const int to_x = place.x0 + x, to_y = place.y0 + y;
    if (to_x > cells || to_y > cells) continue;
    Run run;
#pragma unroll
    for (int k = 0; k < run_length; k += 2) {
      const int column = (x + k) / 2, row = y / 2;
      run.heights[k] = y & 1 ? tile.down(column, row) : tile.known[now](column, row);
      run.heights[k + 1] = y & 1 ? tile.diamonds(column, row) : tile.across(column, row);
    }
    if (to_x < cells && store.wide()) {
      store.store_wide(to_x, to_y, __builtin_bit_cast(Wide, run));
    } else {
#pragma unroll
      for (int k = 0; k < run_length; ++k)
        if (to_x + k <= cells) store.store(to_x + k, to_y, run.heights[k]);
    }
  }
}

template <class Height>
cuda::EitherStore<Height> store_to(Grid<Height> grid) {
  DeviceSink sink;
  sink.shape = {Kind::heightfield, PixelTraits<Height>::element, 1, grid.width, grid.height, 1};
  sink.linear = {reinterpret_cast<std::byte*>(grid.data), sink.shape,
                 static_cast<std::size_t>(grid.pitch) * sizeof(Height)};
  return cuda::EitherStore<Height>(sink);
}

}  // namespace

template <class Height>
void run_fused(const Plan& plan, const Start<Height>& start, const DeviceRun& run) {
  const auto store_of = [&](int level, Grid<Height>& grid) {
    if (level == plan.n) return cuda::EitherStore<Height>(run.out);
    grid = take_grid<Height>(*run.scratch, level);
    return store_to(grid);
  };

  Grid<Height> grid;
  const int last = plan.complete();
  int level = plan.first;
  if (level <= coarse_levels) {
    level = std::min(last, coarse_levels);
    const auto store = store_of(level, grid);
    grow_coarse<<<1, coarse_threads, 0, run.stream>>>(plan, start, level, store);
    TS_CUDA_LAUNCHED();
  } else {
    grid = {const_cast<Height*>(start.map), start.cells + 1, start.cells + 1, start.cells + 1};
  }
  constexpr int shared = sizeof(Tile<Height>);
  const auto tiles = plan.numbers ? &grow_tiles<Height, true> : &grow_tiles<Height, false>;
  TS_CUDA_CHECK(
      cudaFuncSetAttribute(reinterpret_cast<const void*>(tiles), cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  while (level < last) {
    const int next = next_stage(level, last), side = cells_of(next) + 1;
    // The last launch has most of the work, and grows the rows alone that are wanted.
    const int first = next == plan.n ? std::min(run.layers.first, side) / tile_height : 0;
    const int end = next == plan.n ? std::min(run.layers.end, side) : side;
    const dim3 blocks((side + tile_width - 1) / tile_width, (end + tile_height - 1) / tile_height - first);
    const Grid<const Height> coarse = grid;
    const auto store = store_of(next, grid);
    if (plan.numbers)
      grow_tiles<Height, true><<<blocks, tile_threads, shared, run.stream>>>(plan, coarse, level, next, first, store);
    else
      grow_tiles<Height, false><<<blocks, tile_threads, shared, run.stream>>>(plan, coarse, level, next, first, store);
    TS_CUDA_LAUNCHED();
    level = next;
  }
  if (last < plan.n || (plan.first == plan.n && plan.n > coarse_levels)) interpolate<Height>(plan, grid, run);
}

template void run_fused<float>(const Plan&, const Start<float>&, const DeviceRun&);
template void run_fused<std::uint8_t>(const Plan&, const Start<std::uint8_t>&, const DeviceRun&);

}  // namespace threadscape::diamond_square
