#pragma once
// The launches of the CUDA variants that have one for each diamond step and each square step: the number of their
// threads, and the cell of the level that each thread computes. The kernels and the diagrams use the same functions.
//
//   all_cells   A thread for every cell of the whole matrix. Most of them have no work in any one step.
//   branch      A thread for every point of the level's own grid.
//   new_cells   A thread for every new cell, with the blocks and the coordinates of the source document, equations 4 to
//               12. In the square step an even row of threads computes an odd row of cells, and an odd row of threads
//               an odd column.
//   branchless  A thread for every new cell. In the square step each row of threads computes a row of cells.
//
// The square step of level 2; a cell is named by the thread (x, y) that computes it, and K is known:
//
//   new_cells    K  01 K  03 K         branchless    K  00 K  10 K
//                00 K  10 K  20                      01 K  11 K  21
//                K  11 K  13 K                       K  02 K  12 K
//                02 K  12 K  22                      03 K  13 K  23
//                K  21 K  23 K                       K  04 K  14 K

#include <cstdint>

#include "compute/algorithms/terrain/diamond_square/diamond_square_math.h"

namespace threadscape::diamond_square {

/// The variants with a launch for each step, in the order of cuda_variants.
enum class Form : std::uint8_t { branch = 1, branchless, all_cells, new_cells };
enum class Step : std::uint8_t { diamond, square };

/// The size of a launch in threads of a block and in blocks.
struct Launch {
  int block_width = 1, block_height = 1, blocks_x = 1, blocks_y = 1;
};

/// A cell of a level's grid, and whether a thread has it to compute.
struct Cell {
  int x = 0, y = 0;
  bool is_work = false;
};

/// A launch of blocks of this size with at least width x height threads.
TS_HD constexpr Launch launch_over(int width, int height, int block_width, int block_height) {
  return {block_width, block_height, (width + block_width - 1) / block_width,
          (height + block_height - 1) / block_height};
}

/// The launch for a step of `level` in a matrix whose points are those of level `last`.
TS_HD constexpr Launch launch_of(Form form, Step step, int level, int last) {
  const int cells = cells_of(level), half = cells / 2;
  const bool diamond = step == Step::diamond;
  switch (form) {
    case Form::all_cells:
      return launch_over(cells_of(last) + 1, cells_of(last) + 1, 32, 8);
    case Form::branch:
      return launch_over(cells + 1, cells + 1, 32, 8);
    case Form::branchless:
      return diamond ? launch_over(half, half, 32, 8) : launch_over(half + 1, cells + 1, 32, 8);
    default:
      return diamond ? launch_over(half, half, half < 16 ? half : 16, half < 16 ? half : 16)
                     : launch_over(half + 1, cells, half < 8 ? half + 1 : 9, cells < 16 ? cells : 16);
  }
}

/// The cell that the thread with these coordinates in the launch computes.
TS_HD constexpr Cell cell_of(Form form, Step step, int level, int last, int thread_x, int thread_y) {
  const int cells = cells_of(level), half = cells / 2;
  const bool diamond = step == Step::diamond;
  int x = thread_x, y = thread_y;
  switch (form) {
    case Form::all_cells: {
      const int apart = cells_of(last - level);  // The points of the level are that many cells of the matrix apart.
      if (x % apart != 0 || y % apart != 0) return {};
      x /= apart;
      y /= apart;
      [[fallthrough]];
    }
    case Form::branch:
      if (x > cells || y > cells) return {};
      return {x, y, diamond ? x % 2 == 1 && y % 2 == 1 : x % 2 != y % 2};
    case Form::branchless:
      if (diamond) return {2 * x + 1, 2 * y + 1, x < half && y < half};
      x = 2 * x + 1 - (y & 1);
      return {x, y, x <= cells && y <= cells};
    default: {
      if (diamond) return {2 * x + 1, 2 * y + 1, x < half && y < half};
      const int even = y % 2 == 0, odd = y % 2 != 0;  // Products with conditions take the place of branches.
      return {2 * x * even + y * odd, (y + 1) * even + 2 * x * odd, x <= half && y < cells};
    }
  }
}

}  // namespace threadscape::diamond_square
