// Seams of lowest cost on the GPU. The variant `per_row` is the readable one: a launch per row, costs in global memory.
// In the default a block goes down 64 rows, with one column per thread and its cost in a register:
//
//             64 columns      128 columns       64 columns
//  row y0   | h h h h h h h |  exact  ...     | h h h h h h h |     one thread per column, 8 warps
//  row y0+1 |   h h h h h h |  exact  ...     | h h h h h h   |     h: halo, still exact
//   ...     |     h h h h h |  exact  ...     | h h h h h     |     blank: wrong, parents lie outside of the block
//  row y0+63|               |  exact  ...     |               |
//
// Costs of neighbours come by shuffles, and at the ends of warps through shared memory, with one barrier per row. The
// next eight rows are loaded while eight rows are computed. A column at the end of the block lacks a parent, and the
// error spreads by one column per row, so the 128 columns in the middle are exact after 64 rows. Half of the work is
// done twice, but there is one launch per 64 rows. A warp per tile with eight columns per thread would need no
// barrier, but issues only one instruction every four cycles, which is slower.

#include "compute/algorithms/seams/seam_carving/cuda/seam_carving_cells.h"
#include "compute/gpu/check.h"

namespace threadscape::seam_carving {
namespace {

constexpr unsigned all_lanes = 0xffffffffu;
constexpr int block_columns = 256, warps = block_columns / 32;
constexpr int tile_columns = block_columns - 2 * tile_rows;  // Columns that are exact after tile_rows rows.
constexpr int rows_ahead = 8;                                // Rows that are loaded while as many are computed.
static_assert(tile_rows % word_columns == 0 && tile_rows % rows_ahead == 0);

/// The values that a column needs from `rows_ahead` rows, in registers.
template <bool forward, bool masked>
struct ColumnRows {
  float value[rows_ahead], left[rows_ahead], right[rows_ahead];
  std::uint8_t mark[rows_ahead];

  __device__ void load(const DeviceSearch& search, int x, int y, int end) {
    if (x < 0 || x >= search.width) return;
    const auto at = search.at(x, y);
    const float* const values = search.value + at;
    const Mark* const marks = masked ? search.marks + at : nullptr;
    const int beside = x > 0 ? -1 : 0;
#pragma unroll
    for (int r = 0; r < rows_ahead; ++r) {
      if (y + r >= end) continue;
      const int row = r * search.pitch;
      value[r] = values[row];
      if constexpr (forward) {
        left[r] = values[row + beside];
        right[r] = values[row + 1];  // Beyond the last column the plane repeats it.
      }
      if constexpr (masked) mark[r] = static_cast<std::uint8_t>(marks[row]);
    }
  }
};

/// Costs at the ends of warps, for the neighbouring warps. Even and odd rows alternate, so one barrier per row is
/// enough.
struct WarpEdgeCosts {
  Cost first[2][warps], last[2][warps];
};

/// Computes the rows y0..y1-1, at most tile_rows.
template <bool forward, bool masked>
__global__ void __launch_bounds__(block_columns) cost_tiles(DeviceSearch search, int strips, int y0, int y1) {
  __shared__ WarpEdgeCosts ends;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  const int x = static_cast<int>(blockIdx.x) * tile_columns - tile_rows + thread;
  const bool inside = x >= 0 && x < search.width;
  const bool is_exact = thread >= tile_rows && thread < block_columns - tile_rows;
  const bool is_first = is_strip_begin(x, search.width, strips), is_last = is_strip_begin(x + 1, search.width, strips);
  const int line = y0 / tile_rows;

  ColumnRows<forward, masked> now = {}, next = {};
  now.load(search, x, y0, y1);
  Cost cost{0, 0.0f};
  float up = 0.0f;
  if (y0 > 0 && inside) {
    cost.sum = search.costs_of(line - 1)[x];
    if constexpr (masked) cost.rank = search.ranks_of(line - 1)[x];
    if constexpr (forward) up = search.value[search.at(x, y0 - 1)];
  }
  const bool writes = lane % word_columns == 0 && is_exact && inside;
  for (int y = y0; y < y1; y += rows_ahead) {
    next.load(search, x, y + rows_ahead, y1);
    std::uint16_t* const parents = writes ? search.parents + search.at(x, y) / word_columns : nullptr;
#pragma unroll
    for (int r = 0; r < rows_ahead; ++r) {
      if (y + r >= y1) break;
      if (lane == 0) ends.first[r % 2][warp] = cost;
      if (lane == 31) ends.last[r % 2][warp] = cost;
      __syncthreads();
      Cost left{masked ? __shfl_up_sync(all_lanes, cost.rank, 1) : 0, __shfl_up_sync(all_lanes, cost.sum, 1)};
      Cost right{masked ? __shfl_down_sync(all_lanes, cost.rank, 1) : 0, __shfl_down_sync(all_lanes, cost.sum, 1)};
      if (lane == 0 && warp > 0) left = ends.last[r % 2][warp - 1];
      if (lane == 31 && warp + 1 < warps) right = ends.first[r % 2][warp + 1];
      if (is_first) left = infinite_cost();
      if (is_last) right = infinite_cost();
      const int rank = masked ? rank_of(static_cast<Mark>(now.mark[r])) : 0;
      unsigned parent = 1;
      if (r == 0 && y == 0) {
        cost = {rank, forward ? abs_difference(now.right[r], now.left[r]) : now.value[r]};
      } else {
        parent = next_cost<forward, masked>(cost, left, right, now.value[r], {now.left[r], now.right[r], up}, rank);
      }
      const unsigned low = __ballot_sync(all_lanes, parent & 1u), high = __ballot_sync(all_lanes, parent >> 1);
      if (writes)
        parents[r * (search.pitch / word_columns)] =
            static_cast<std::uint16_t>((low >> lane & 0xffu) | (high >> lane & 0xffu) << 8);
      up = now.value[r];
    }
    now = next;
  }
  if (!is_exact || !inside) return;
  search.costs_of(line)[x] = cost.sum;
  if constexpr (masked) search.ranks_of(line)[x] = cost.rank;
}

/// Computes row y with one thread per word of eight columns.
template <bool forward, bool masked>
__global__ void cost_row(DeviceSearch search, int strips, int y) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * word_columns;
  if (x >= search.width) return;
  const float* const row = search.value + search.at(0, y);
  WordValues values;
  values.left = row[x > 0 ? x - 1 : 0];
  values.right = row[x + word_columns];
  WordMarks marks;
  if constexpr (masked) {
    const uint2 bytes = *reinterpret_cast<const uint2*>(search.marks + search.at(x, y));
    marks = {bytes.x, bytes.y};
  }
  WordCosts cells;
  float up[word_columns] = {};
  const float* const costs = search.costs_of(y + 1);
  const int* const ranks = search.ranks_of(y + 1);
  for (int i = 0; i < word_columns; ++i) {
    values.own[i] = row[x + i];
    if (y == 0) continue;
    cells.sum[i] = costs[x + i];
    if constexpr (masked) cells.rank[i] = ranks[x + i];
    if constexpr (forward) up[i] = search.value[search.at(x + i, y - 1)];
  }
  if (y == 0) {
    first_row_costs<forward, masked>(cells, values, marks);
  } else {
    const Cost before{masked && x > 0 ? ranks[x - 1] : 0, x > 0 ? costs[x - 1] : 0.0f};
    const Cost after{masked ? ranks[x + word_columns] : 0, costs[x + word_columns]};
    search.parents[search.at(x, y) / word_columns] = static_cast<std::uint16_t>(next_row_costs<forward, masked>(
        cells, before, after, values, up, marks, strip_begin_bits(x, search.width, strips)));
  }
  for (int i = 0; i < word_columns; ++i) {
    search.costs_of(y)[x + i] = cells.sum[i];
    if constexpr (masked) search.ranks_of(y)[x + i] = cells.rank[i];
  }
}

constexpr int walk_threads = 128;

/// Follows the parents through all tiles of rows at once, one thread per column and tile.
__global__ void __launch_bounds__(walk_threads) jump_tiles(DeviceSearch search) {
  const int x = static_cast<int>(blockIdx.x * walk_threads + threadIdx.x), tile = static_cast<int>(blockIdx.y);
  if (x >= search.width) return;
  const int y0 = tile * tile_rows, y1 = min(y0 + tile_rows, search.height);
  search.jumps[static_cast<std::int64_t>(tile) * search.pitch + x] =
      static_cast<std::uint16_t>(walk_up(search, x, y0, y1));
}

constexpr int find_threads = 1024;
static_assert(SeamCarving::max_side <= find_threads * tile_rows, "a thread fills in a tile");

struct Candidate {
  Cost cost = infinite_cost();
  int x = 0x7fffffff;
  __device__ bool better(const Candidate& other) const {
    return cost < other.cost || (!(other.cost < cost) && x < other.x);
  }
};

/// The leftmost column of lowest cost of a strip. All threads of the block call this, and all get the result.
__device__ int min_cost_column(const float* costs, const int* ranks, int begin, int end) {
  __shared__ Candidate warp_best[find_threads / 32];
  Candidate best;
  for (int x = begin + static_cast<int>(threadIdx.x); x < end; x += find_threads) {
    const Candidate other{{ranks ? ranks[x] : 0, costs[x]}, x};
    if (other.better(best)) best = other;
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    const Candidate other{
        {__shfl_xor_sync(all_lanes, best.cost.rank, offset), __shfl_xor_sync(all_lanes, best.cost.sum, offset)},
        __shfl_xor_sync(all_lanes, best.x, offset)};
    if (other.better(best)) best = other;
  }
  if (threadIdx.x % 32 == 0) warp_best[threadIdx.x / 32] = best;
  __syncthreads();
  for (const Candidate& other : warp_best)
    if (other.better(best)) best = other;
  return best.x;
}

/// Finds the seam of each strip, one block per strip. `line` is the last line of costs.
__global__ void __launch_bounds__(find_threads) find_seams(DeviceSearch search, int strips, int line) {
  __shared__ int bottoms[find_threads];
  const int strip = static_cast<int>(blockIdx.x);
  int x = min_cost_column(search.costs_of(line), search.marks ? search.ranks_of(line) : nullptr,
                          strip_begin(strip, strips, search.width), strip_begin(strip + 1, strips, search.width));
  const int tiles = (search.height + tile_rows - 1) / tile_rows, own = static_cast<int>(threadIdx.x);
  if (own == 0)
    for (int tile = tiles - 1; tile >= 0; --tile) {
      bottoms[tile] = x;
      x = search.jumps[static_cast<std::int64_t>(tile) * search.pitch + x];
    }
  __syncthreads();
  if (own >= tiles) return;
  int* const seam = search.seams + static_cast<std::int64_t>(strip) * search.height;
  x = bottoms[own];
  for (int y = min((own + 1) * tile_rows, search.height) - 1;; --y) {
    seam[y] = x;
    if (y == own * tile_rows) break;
    x += parent_side(search, x, y);
  }
}

template <class F>
void with_search_kind(const DeviceSearch& search, F&& f) {
  const bool forward = search.energy == Energy::forward, masked = search.marks != nullptr;
  if (forward && masked)
    f(std::true_type{}, std::true_type{});
  else if (forward)
    f(std::true_type{}, std::false_type{});
  else if (masked)
    f(std::false_type{}, std::true_type{});
  else
    f(std::false_type{}, std::false_type{});
}

}  // namespace

void launch_cost_row(const DeviceSearch& search, int strips, int y, CudaStream stream) {
  constexpr int threads = 64;
  with_search_kind(search, [&](auto forward, auto masked) {
    cost_row<forward(), masked()>
        <<<block_count(search.width, threads * word_columns), threads, 0, stream>>>(search, strips, y);
    TS_CUDA_LAUNCHED();
  });
}

void find_seams_dp(const DeviceSearch& search, int strips, bool per_row, CudaStream stream) {
  int line = search.height - 1;
  if (per_row) {
    for (int y = 0; y < search.height; ++y)
      launch_cost_row(search, strips, y, stream);
  } else {
    line = (search.height - 1) / tile_rows;
    for (int y = 0; y < search.height; y += tile_rows)
      with_search_kind(search, [&](auto forward, auto masked) {
        cost_tiles<forward(), masked()><<<block_count(search.width, tile_columns), block_columns, 0, stream>>>(
            search, strips, y, std::min(y + tile_rows, search.height));
        TS_CUDA_LAUNCHED();
      });
  }
  const dim3 walks(block_count(search.width, walk_threads), block_count(search.height, tile_rows));
  jump_tiles<<<walks, walk_threads, 0, stream>>>(search);
  TS_CUDA_LAUNCHED();
  find_seams<<<static_cast<unsigned>(strips), find_threads, 0, stream>>>(search, strips, line);
  TS_CUDA_LAUNCHED();
}

// ---- Greedy paths.

namespace {

/// Fills the table of neighbours: the cheapest of the three pixels of the next row, for each pixel.
__global__ void find_neighbours(DeviceSearch search, int strips) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = row_of_step(search.start, search.height, static_cast<int>(blockIdx.y));
  if (x >= search.width) return;
  int strip = static_cast<int>(static_cast<long long>(x) * strips / search.width);
  if (strip_begin(strip + 1, strips, search.width) <= x) ++strip;
  search.neighbours[search.at(x, y)] = static_cast<std::int8_t>(
      next_side(search, x, y, strip_begin(strip, strips, search.width), strip_begin(strip + 1, strips, search.width)));
}

/// Follows one path per thread. Its total goes to costs[0] and ranks[0], at the column where it starts.
template <bool direct>
__global__ void follow_paths(DeviceSearch search, int strips) {
  const int start = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (start >= search.width) return;
  int strip = static_cast<int>(static_cast<long long>(start) * strips / search.width);
  if (strip_begin(strip + 1, strips, search.width) <= start) ++strip;
  const int begin = strip_begin(strip, strips, search.width), end = strip_begin(strip + 1, strips, search.width);
  int x = start;
  const int next = next_row(search.start);
  int y = row_of_step(search.start, search.height, 0);
  Cost total = step_cost(search, x, y, 0, -next);
  for (int i = 1;; ++i) {
    search.paths[search.at(start, y)] = static_cast<std::uint16_t>(x);
    if (i == search.height) break;
    const int side = direct ? next_side(search, x, y, begin, end) : search.neighbours[search.at(x, y)];
    x += side;
    y += next;
    total = total + step_cost(search, x, y, -side, -next);
  }
  search.costs[0][start] = total.sum;
  search.ranks[0][start] = total.rank;
}

/// Makes the best path of each strip its seam, one block per strip.
__global__ void __launch_bounds__(find_threads) choose_paths(DeviceSearch search, int strips) {
  const int strip = static_cast<int>(blockIdx.x);
  const int start = min_cost_column(search.costs[0], search.ranks[0], strip_begin(strip, strips, search.width),
                                    strip_begin(strip + 1, strips, search.width));
  for (int y = static_cast<int>(threadIdx.x); y < search.height; y += find_threads)
    search.seams[static_cast<std::int64_t>(strip) * search.height + y] = search.paths[search.at(start, y)];
}

}  // namespace

void find_seams_greedy(const DeviceSearch& search, int strips, bool direct, int threads, CudaStream stream) {
  const unsigned blocks = block_count(search.width, threads);
  if (direct) {
    follow_paths<true><<<blocks, threads, 0, stream>>>(search, strips);
  } else {
    if (search.height > 1) {
      find_neighbours<<<dim3(blocks, static_cast<unsigned>(search.height - 1)), threads, 0, stream>>>(search, strips);
      TS_CUDA_LAUNCHED();
    }
    follow_paths<false><<<blocks, threads, 0, stream>>>(search, strips);
  }
  TS_CUDA_LAUNCHED();
  choose_paths<<<static_cast<unsigned>(strips), find_threads, 0, stream>>>(search, strips);
  TS_CUDA_LAUNCHED();
}

// ---- Candidates.

namespace {

/// Follows the parents from each column of the last row, whose costs are in `line`. Costs go to costs[0] and ranks[0].
__global__ void follow_parents(DeviceSearch search, int line) {
  const int start = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (start >= search.width) return;
  int x = start;
  for (int y = search.height - 1;; --y) {
    search.paths[search.at(start, y)] = static_cast<std::uint16_t>(x);
    if (y == 0) break;
    x += parent_side(search, x, y);
  }
  search.costs[0][start] = search.costs_of(line)[start];
  search.ranks[0][start] = search.marks ? search.ranks_of(line)[start] : 0;
}

/// Turns the costs of the candidates into relative ones and makes the cheapest one the seam. One block.
__global__ void __launch_bounds__(find_threads) relate_costs(DeviceSearch search) {
  __shared__ float warp_highest[find_threads / 32];
  const int thread = static_cast<int>(threadIdx.x);
  const auto cost_at = [&](int x) { return cost_as_float({search.ranks[0][x], search.costs[0][x]}); };
  const int best = min_cost_column(search.costs[0], search.ranks[0], 0, search.width);
  const float lowest = cost_at(best);
  float highest = lowest;
  for (int x = thread; x < search.width; x += find_threads)
    highest = fmaxf(highest, cost_at(x));
  for (int offset = 16; offset > 0; offset /= 2)
    highest = fmaxf(highest, __shfl_xor_sync(all_lanes, highest, offset));
  if (thread % 32 == 0) warp_highest[thread / 32] = highest;
  __syncthreads();
  for (const float other : warp_highest)
    highest = fmaxf(highest, other);
  for (int x = thread; x < search.width; x += find_threads)
    search.costs[0][x] = relative_cost(cost_at(x), lowest, highest);
  for (int y = thread; y < search.height; y += find_threads)
    search.seams[y] = search.paths[search.at(best, y)];
}

}  // namespace

void find_candidates(const DeviceSearch& search, Path path, CudaStream stream) {
  constexpr int threads = 64;
  const unsigned blocks = block_count(search.width, threads);
  if (path == Path::greedy) {
    follow_paths<true><<<blocks, threads, 0, stream>>>(search, 1);
  } else {
    for (int y = 0; y < search.height; ++y)
      launch_cost_row(search, 1, y, stream);
    follow_parents<<<blocks, threads, 0, stream>>>(search, search.height - 1);
  }
  TS_CUDA_LAUNCHED();
  relate_costs<<<1, find_threads, 0, stream>>>(search);
  TS_CUDA_LAUNCHED();
}

}  // namespace threadscape::seam_carving
