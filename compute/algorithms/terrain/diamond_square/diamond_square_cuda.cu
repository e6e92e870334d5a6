// Diamond-square on the GPU: the choice of the variant, the two kernels of the source document (a diamond step and a
// square step) in two forms, and the interpolation between known points. The default variant is in
// diamond_square_fused.cu. Compare with diamond_square_serial.cpp.

#include <algorithm>

#include "compute/algorithms/terrain/diamond_square/diamond_square_cuda.h"
#include "compute/cuda/check.h"
#include "compute/cuda/store.cuh"

namespace threadscape {
namespace diamond_square {
namespace {

constexpr int block_width = 32, block_height = 8;

dim3 grid_for(int width, int height) {
  return dim3((width + block_width - 1) / block_width, (height + block_height - 1) / block_height);
}

template <class Height>
using Grid = ImageView<Height, Space::device>;

/// The points of one level within the grid of a finer level, `step` points apart.
template <class Height>
struct LevelGrid {
  Grid<Height> grid;
  int step;
  __device__ Height& operator()(int x, int y) const { return grid(x * step, y * step); }
};

template <class Height>
__global__ void place_start(Start<Height> start, LevelGrid<Height> at) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x <= start.cells && y <= start.cells) at(x, y) = start.at(x, y);
}

// ---- variant `branch`: a thread for every point of the level, most of which have no work

template <class Height>
__global__ void diamond_step_branch(const __grid_constant__ Plan plan, int level, LevelGrid<Height> at) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  const int cells = cells_of(level);
  if (x > cells || y > cells) return;
  if (x % 2 == 1 && y % 2 == 1) at(x, y) = diamond_cell<Height>(plan, level, x, y, at);
}

template <class Height>
__global__ void square_step_branch(const __grid_constant__ Plan plan, int level, LevelGrid<Height> at) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  const int cells = cells_of(level);
  if (x > cells || y > cells) return;
  if (x % 2 != y % 2) at(x, y) = square_cell<Height>(plan, level, x, y, at);
}

// ---- variant `branchless`: a thread for every new point, whose neighbours are selected by arithmetic

template <class Height>
__global__ void diamond_step_branchless(const __grid_constant__ Plan plan, int level, LevelGrid<Height> at) {
  const int x = 2 * (blockIdx.x * block_width + threadIdx.x) + 1, y = 2 * (blockIdx.y * block_height + threadIdx.y) + 1;
  const int cells = cells_of(level);
  if (x < cells && y < cells) at(x, y) = diamond_cell<Height>(plan, level, x, y, at);
}

template <class Height>
__global__ void square_step_branchless(const __grid_constant__ Plan plan, int level, LevelGrid<Height> at) {
  const int y = blockIdx.y * block_height + threadIdx.y;
  const int x = 2 * (blockIdx.x * block_width + threadIdx.x) + 1 - (y & 1);
  const int cells = cells_of(level);
  if (x > cells || y > cells) return;
  // Indices beyond the rim wrap around to the other side; with Edges::three these heights are read but not counted.
  using Sum = SumOf<Height>;
  const int last = cells - 1, wrap = plan.edges == Edges::wrap;
  const auto neighbour = [&](int nx, int ny) {
    const int outside = (nx < 0) | (ny < 0) | (nx > cells) | (ny > cells);
    nx += (nx < 0) * cells - (nx > cells) * cells;
    ny += (ny < 0) * cells - (ny > cells) * cells;
    const Sum height = static_cast<Sum>(at(nx, ny));
    return outside & (wrap ^ 1) ? Sum(0) : height;
  };
  const Sum across = neighbour(x - 1, y) + neighbour(x + 1, y), down = neighbour(x, y - 1) + neighbour(x, y + 1);
  const int rim = ((x == 0) | (y == 0) | (x == cells) | (y == cells)) & (wrap ^ 1);
  const int mask = wrap ? last : -1;
  at(x, y) = new_height<Height>(plan, level, across + down, 4 - rim, random_u16(plan.seed, level, x & mask, y & mask));
}

// ---- interpolation

/// The heights of level plan.grown at any point, from the grid of the last complete level. After a diamond step, every
/// thread computes the cell that it needs by itself.
template <class Height>
struct LastLevel {
  const Plan& plan;
  const Grid<const Height>& grid;
  __device__ Height operator()(int x, int y) const {
    return plan.ends_with_diamonds ? after_diamond_step<Height>(plan, x, y, grid) : grid(x, y);
  }
};

template <class Height, class Store>
__global__ void interpolate_points(const __grid_constant__ Plan plan, Grid<const Height> grid, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x > cells_of(plan.n) || y > cells_of(plan.n)) return;
  const int bits = plan.n - plan.grown, last = cells_of(plan.grown) - 1;
  const int left = min(x >> bits, last), top = min(y >> bits, last);
  const LastLevel<Height> at{plan, grid};
  store.store(x, y,
              between(at(left, top), at(left + 1, top), at(left, top + 1), at(left + 1, top + 1), x - (left << bits),
                      y - (top << bits), bits));
}

}  // namespace

template <class Height>
void interpolate(const Plan& plan, Grid<const Height> grid, const DeviceRun& run) {
  const int side = cells_of(plan.n) + 1;
  cuda::dispatch_store<Height>(run.out, [&](auto store) {
    interpolate_points<<<grid_for(side, side), dim3(block_width, block_height), 0, run.stream>>>(plan, grid, store);
    TS_CUDA_LAUNCHED();
  });
}

template <class Height>
void run_steps(const Plan& plan, const Start<Height>& start, bool branchless, const DeviceRun& run) {
  const int last = plan.complete();
  const bool in_place = run.out.surface == 0 && last == plan.n;
  const Grid<Height> grid = in_place ? run.out.linear.template image<Height>() : take_grid<Height>(*run.scratch, last);
  const dim3 block(block_width, block_height);
  const auto points = [&](int level) { return LevelGrid<Height>{grid, cells_of(last) / cells_of(level)}; };

  const int start_side = start.cells + 1;
  place_start<<<grid_for(start_side, start_side), block, 0, run.stream>>>(start, points(plan.first));
  TS_CUDA_LAUNCHED();
  for (int level = plan.first + 1; level <= last; ++level) {
    const int side = cells_of(level) + 1, half = cells_of(level) / 2;
    if (branchless) {
      diamond_step_branchless<<<grid_for(half, half), block, 0, run.stream>>>(plan, level, points(level));
      square_step_branchless<<<grid_for(half + 1, side), block, 0, run.stream>>>(plan, level, points(level));
    } else {
      diamond_step_branch<<<grid_for(side, side), block, 0, run.stream>>>(plan, level, points(level));
      square_step_branch<<<grid_for(side, side), block, 0, run.stream>>>(plan, level, points(level));
    }
    TS_CUDA_LAUNCHED();
  }
  if (!in_place) interpolate<Height>(plan, grid, run);
}

template void interpolate<float>(const Plan&, Grid<const float>, const DeviceRun&);
template void interpolate<std::uint8_t>(const Plan&, Grid<const std::uint8_t>, const DeviceRun&);

}  // namespace diamond_square

void DiamondSquare::cuda(const Params& params, const DeviceRun& run) {
  using namespace diamond_square;  // NOLINT: its functions are what this is about
  const Plan plan = DiamondSquare::plan(params, run.seed);
  with_height(params.mode, [&]<class Height>(Height) {
    Start<Height> start;
    start.cells = cells_of(plan.first);
    const std::vector<Height> map = start_grid<Height>(params, plan);
    if (params.seed_grid.empty()) {
      std::copy(map.begin(), map.end(), start.corners);
    } else {
      // The call returns only when the map has been read, since its memory is pageable.
      Height* copy = run.scratch->take<Height>(map.size()).data();
      TS_CUDA_CHECK(cudaMemcpyAsync(copy, map.data(), map.size() * sizeof(Height), cudaMemcpyHostToDevice, run.stream));
      start.map = copy;
    }
    if (run.variant == 0)  // in the order of cuda_variants
      run_fused<Height>(plan, start, run);
    else
      run_steps<Height>(plan, start, run.variant == 2, run);
  });
}

}  // namespace threadscape
