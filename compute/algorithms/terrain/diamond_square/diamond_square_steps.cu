// Diamond-square on the GPU as in the source document: a launch for each diamond step and each square step, in four
// forms, which differ in the cells that their threads get and in how the rim of the terrain is treated.
// diamond_square_launch.h has the cells, and compare diamond_square_serial.cpp.

#include "compute/algorithms/terrain/diamond_square/diamond_square_cuda.h"
#include "compute/gpu/check.h"

namespace threadscape::diamond_square {
namespace {

template <class Height>
using Grid = ImageView<Height, Space::device>;

/// The points of one level within the matrix, `step` points apart.
template <class Height>
struct LevelGrid {
  Grid<Height> grid;
  int step;
  __device__ Height& operator()(int x, int y) const { return grid(x * step, y * step); }
};

template <class Height>
__global__ void place_start(Start<Height> start, LevelGrid<Height> at) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x <= start.cells && y <= start.cells) at(x, y) = start.at(x, y);
}

/// The height of a square cell, with an `if` for each side at which there may be no neighbour.
template <class Height>
__device__ Height square_cell_with_ifs(const Plan& plan, int level, int x, int y, const LevelGrid<Height>& at) {
  using Sum = SumOf<Height>;
  const int cells = cells_of(level);
  const bool wrap = plan.edges == Edges::wrap;
  Sum left = 0, right = 0, above = 0, below = 0;
  int count = 0;
  const auto add = [&](Sum& to, int nx, int ny) {
    to = static_cast<Sum>(at(nx, ny));
    ++count;
  };
  if (x != 0)
    add(left, x - 1, y);
  else if (wrap)
    add(left, cells - 1, y);
  if (x != cells)
    add(right, x + 1, y);
  else if (wrap)
    add(right, 1, y);
  if (y != 0)
    add(above, x, y - 1);
  else if (wrap)
    add(above, x, cells - 1);
  if (y != cells)
    add(below, x, y + 1);
  else if (wrap)
    add(below, x, 1);
  return new_height<Height>(plan, level, (left + right) + (above + below), count,
                            random_of(plan, level, random_index(plan, level, x), random_index(plan, level, y)));
}

/// The height of a square cell, whose neighbours are selected by arithmetic. Indices beyond the rim wrap around to the
/// other side; with Edges::three these heights are read but not counted.
template <class Height>
__device__ Height square_cell_branchless(const Plan& plan, int level, int x, int y, const LevelGrid<Height>& at) {
  using Sum = SumOf<Height>;
  const int cells = cells_of(level), wrap = plan.edges == Edges::wrap;
  const auto neighbour = [&](int nx, int ny) {
    const int outside = (nx < 0) | (ny < 0) | (nx > cells) | (ny > cells);
    nx += (nx < 0) * cells - (nx > cells) * cells;
    ny += (ny < 0) * cells - (ny > cells) * cells;
    const Sum height = static_cast<Sum>(at(nx, ny));
    return outside & (wrap ^ 1) ? Sum(0) : height;
  };
  const Sum across = neighbour(x - 1, y) + neighbour(x + 1, y), down = neighbour(x, y - 1) + neighbour(x, y + 1);
  const int rim = ((x == 0) | (y == 0) | (x == cells) | (y == cells)) & (wrap ^ 1);
  const int mask = wrap ? cells - 1 : -1;
  return new_height<Height>(plan, level, across + down, 4 - rim, random_of(plan, level, x & mask, y & mask));
}

template <Form form, class Height>
__global__ void diamond_step(const __grid_constant__ Plan plan, int level, int last, LevelGrid<Height> at) {
  const Cell cell = cell_of(form, Step::diamond, level, last, blockIdx.x * blockDim.x + threadIdx.x,
                            blockIdx.y * blockDim.y + threadIdx.y);
  if (cell.is_work) at(cell.x, cell.y) = diamond_cell<Height>(plan, level, cell.x, cell.y, at);
}

template <Form form, class Height>
__global__ void square_step(const __grid_constant__ Plan plan, int level, int last, LevelGrid<Height> at) {
  const Cell cell = cell_of(form, Step::square, level, last, blockIdx.x * blockDim.x + threadIdx.x,
                            blockIdx.y * blockDim.y + threadIdx.y);
  if (!cell.is_work) return;
  if constexpr (form == Form::branchless)
    at(cell.x, cell.y) = square_cell_branchless<Height>(plan, level, cell.x, cell.y, at);
  else if constexpr (form == Form::new_cells)
    at(cell.x, cell.y) = square_cell_with_ifs<Height>(plan, level, cell.x, cell.y, at);
  else
    at(cell.x, cell.y) = square_cell<Height>(plan, level, cell.x, cell.y, at);
}

/// Computes all levels. If `numbers` is not null, the random numbers of each step are stored there before it.
template <Form form, class Height>
void grow(const Plan& plan, const Grid<Height>& grid, CudaStream stream, std::uint16_t* numbers = nullptr) {
  const int last = plan.complete();
  for (int level = plan.first + 1; level <= last; ++level) {
    const LevelGrid<Height> at{grid, cells_of(last - level)};
    const Launch d = launch_of(form, Step::diamond, level, last), s = launch_of(form, Step::square, level, last);
    const dim3 d_blocks(d.blocks_x, d.blocks_y), d_block(d.block_width, d.block_height);
    const dim3 s_blocks(s.blocks_x, s.blocks_y), s_block(s.block_width, s.block_height);
    if (numbers) make_numbers_of(plan, Step::diamond, level, numbers, stream);
    diamond_step<form, Height><<<d_blocks, d_block, 0, stream>>>(plan, level, last, at);
    if (numbers) make_numbers_of(plan, Step::square, level, numbers, stream);
    square_step<form, Height><<<s_blocks, s_block, 0, stream>>>(plan, level, last, at);
    TS_CUDA_LAUNCHED();
  }
  if (numbers && plan.ends_with_diamonds) make_numbers_of(plan, Step::diamond, plan.grown, numbers, stream);
}

}  // namespace

template <class Height>
void run_steps(const Plan& plan, const Start<Height>& start, std::uint16_t* numbers, const DeviceRun& run) {
  const int last = plan.complete();
  const bool in_place = run.out.surface == 0 && last == plan.n;
  const Grid<Height> grid = in_place ? run.out.linear.template image<Height>() : take_grid<Height>(*run.scratch, last);

  const Launch s = launch_over(start.cells + 1, start.cells + 1, 32, 8);
  const LevelGrid<Height> at{grid, cells_of(last - plan.first)};
  place_start<<<dim3(s.blocks_x, s.blocks_y), dim3(s.block_width, s.block_height), 0, run.stream>>>(start, at);
  TS_CUDA_LAUNCHED();
  if (run.variant == step_numbers)
    grow<Form::branchless>(plan, grid, run.stream, numbers);
  else if (run.variant == static_cast<int>(Form::all_cells))
    grow<Form::all_cells>(plan, grid, run.stream);
  else if (run.variant == static_cast<int>(Form::new_cells))
    grow<Form::new_cells>(plan, grid, run.stream);
  else if (run.variant == static_cast<int>(Form::branchless))
    grow<Form::branchless>(plan, grid, run.stream);
  else
    grow<Form::branch>(plan, grid, run.stream);
  if (!in_place) interpolate<Height>(plan, grid, run);
}

template void run_steps<float>(const Plan&, const Start<float>&, std::uint16_t*, const DeviceRun&);
template void run_steps<std::uint8_t>(const Plan&, const Start<std::uint8_t>&, std::uint16_t*, const DeviceRun&);

}  // namespace threadscape::diamond_square
