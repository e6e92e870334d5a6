// Diamond-square on the GPU: the choice of the variant, and the interpolation between known points. The default variant
// is in diamond_square_fused.cu, and those with a launch for each step are in diamond_square_steps.cu.

#include <algorithm>

#include "compute/algorithms/terrain/diamond_square/diamond_square_cuda.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape {
namespace diamond_square {
namespace {

constexpr int block_width = 32, block_height = 8;

dim3 grid_for(int width, int height) {
  return dim3((width + block_width - 1) / block_width, (height + block_height - 1) / block_height);
}

template <class Height>
using Grid = ImageView<Height, Space::device>;

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

template void interpolate<float>(const Plan&, Grid<const float>, const DeviceRun&);
template void interpolate<std::uint8_t>(const Plan&, Grid<const std::uint8_t>, const DeviceRun&);

}  // namespace diamond_square

void DiamondSquare::cuda(const Params& params, const DeviceRun& run) {
  using namespace diamond_square;  // NOLINT: its functions are what this is about
  Plan plan = DiamondSquare::plan(params, run.seed);
  std::uint16_t* numbers = nullptr;
  if (plan.random != Random::philox || run.variant == step_numbers)
    plan.numbers = numbers = run.scratch->take<std::uint16_t>(points_of(plan.grown)).data();
  if (numbers && run.variant != step_numbers) make_all_numbers(plan, numbers, run.stream);
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
      run_steps<Height>(plan, start, numbers, run);
  });
}

}  // namespace threadscape
