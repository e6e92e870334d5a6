// Triangles sorted into the tiles of several levels, and tiles drawn by blocks in registers: coarse and fine
// rasterisation after Laine and Karras, High-performance software rasterization on GPUs, 2011. Their queues of bounded
// length are replaced by levels of tiles: a triangle is in at most four lists, however large it is.

#include "compute/algorithms/graphics/rasterize/cuda/rasterize_cuda.cuh"
#include "compute/algorithms/graphics/rasterize/rasterize_blocks.h"

namespace threadscape::rasterize {
namespace {

constexpr int list_blocks = 512;
/// Threads of the block that adds up the lengths of the lists.
constexpr int scan_threads = 1024;
/// Triangles of a list that a block prepares at a time, and the most pieces that these can have.
constexpr int batch = 32, batch_pieces = batch * (Polygon::most - 2);
static_assert(block_threads == tile_side * tile_side);

/// The pixels that the pieces of a triangle can cover; empty if x1 < x0.
struct Box {
  int x0 = 1 << 30, y0 = 1 << 30, x1 = -1, y1 = -1;
};

__device__ Box box_of(const DeviceFrame& frame, std::uint32_t triangle) {
  ClipVertex corner[3];
  frame.corners(triangle, corner);
  Box box;
  for_each_piece(corner[0], corner[1], corner[2], frame.plan, [&](const Piece& piece, const Polygon&, bool) {
    box.x0 = min_of(box.x0, piece.screen.x0);
    box.y0 = min_of(box.y0, piece.screen.y0);
    box.x1 = max_of(box.x1, piece.screen.x1);
    box.y1 = max_of(box.y1, piece.screen.y1);
  });
  return box;
}

/// Calls use(tile) for the tiles in whose lists the triangle is.
template <class Use>
__device__ void for_each_tile(const DeviceFrame& frame, const TileGrid& grid, std::uint32_t triangle, const Use& use) {
  const Box box = box_of(frame, triangle);
  if (box.x1 < box.x0) return;
  for (int level = 0; level < tile_levels; ++level) {
    const int shift = 4 + 2 * level;
    const int x0 = box.x0 >> shift, x1 = box.x1 >> shift, y0 = box.y0 >> shift, y1 = box.y1 >> shift;
    if (x1 - x0 > 1 || y1 - y0 > 1) continue;
    for (int y = y0; y <= y1; ++y)
      for (int x = x0; x <= x1; ++x)
        use(grid.first[level] + y * grid.across[level] + x);
    return;
  }
}

__global__ void __launch_bounds__(block_threads) clear_counts(Bins bins) {
  const int i = blockIdx.x * block_threads + threadIdx.x;
  if (i <= bins.grid.tiles) bins.starts[i] = 0;
}

/// Counts the elements of the list of tile i in starts[i + 1].
__global__ void __launch_bounds__(block_threads) count_entries(DeviceFrame frame, Bins bins) {
  const std::uint32_t count = *frame.queue_count;
  for (std::uint32_t i = blockIdx.x * block_threads + threadIdx.x; i < count; i += gridDim.x * block_threads)
    for_each_tile(frame, bins.grid, frame.queue[i], [&](int tile) { atomicAdd(&bins.starts[tile + 1], 1u); });
}

/// Adds up the counts, by one block: each thread sums up a stretch of tiles.
__global__ void __launch_bounds__(scan_threads) sum_counts(Bins bins) {
  __shared__ std::uint32_t sums[scan_threads];
  const int tiles = bins.grid.tiles, stretch = (tiles + scan_threads - 1) / scan_threads;
  const int first = min_of(tiles, static_cast<int>(threadIdx.x) * stretch), end = min_of(tiles, first + stretch);
  std::uint32_t sum = 0;
  for (int i = first; i < end; ++i)
    sum += bins.starts[i + 1];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int distance = 1; distance < scan_threads; distance *= 2) {
    const std::uint32_t before = static_cast<int>(threadIdx.x) >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
  std::uint32_t start = sums[threadIdx.x] - sum;
  for (int i = first; i < end; ++i) {
    bins.ends[i] = start;
    start += bins.starts[i + 1];
    bins.starts[i + 1] = start;
  }
}

__global__ void __launch_bounds__(block_threads) write_entries(DeviceFrame frame, Bins bins) {
  const std::uint32_t count = *frame.queue_count;
  for (std::uint32_t i = blockIdx.x * block_threads + threadIdx.x; i < count; i += gridDim.x * block_threads)
    for_each_tile(frame, bins.grid, frame.queue[i],
                  [&](int tile) { bins.entries[atomicAdd(&bins.ends[tile], 1u)] = frame.queue[i]; });
}

/// The pieces of a batch of triangles that meet the tile of a block.
struct Batch {
  std::uint32_t count;
  std::uint32_t triangle[batch_pieces];
  ScreenTriangle piece[batch_pieces];
};

/// What a batch leaves out: nothing.
struct NoFilter {
  __device__ void begin() const {}
  __device__ bool keeps(const ScreenTriangle&) const { return true; }
};
/// The hierarchical depth test of a tile: leaves out the pieces that are behind its farthest surface everywhere. A
/// piece at the same depth may have a smaller number, and so be visible.
struct DepthFilter {
  const Plan& plan;
  const Visible& best;      ///< The surface of this thread's pixel.
  bool inside;              ///< The pixel is one of the picture.
  std::uint32_t& farthest;  ///< In shared memory.

  /// Called by all threads before a batch is filled, behind a barrier.
  __device__ void begin() const {
    if (threadIdx.x == 0) farthest = 0;
    __syncthreads();
    std::uint32_t largest = inside ? static_cast<std::uint32_t>(best >> 32) : 0;
    for (int distance = 16; distance > 0; distance /= 2)
      largest = max(largest, __shfl_xor_sync(0xffffffff, largest, distance));
    if (threadIdx.x % 32 == 0) atomicMax(&farthest, largest);
    __syncthreads();
  }
  __device__ bool keeps(const ScreenTriangle& t) const {
    const int left = blockIdx.x * tile_side, top = blockIdx.y * tile_side;
    return nearest_key(plan, t, max_of(t.x0, left), max_of(t.y0, top), min_of(t.x1, left + tile_side - 1),
                       min_of(t.y1, top + tile_side - 1)) <= farthest;
  }
};

/// Calls use(screen triangle, triangle) in every thread of the block for all pieces that meet its tile.
template <class Use, class Filter = NoFilter>
__device__ void for_each_piece_of_tile(const DeviceFrame& frame, const Bins& bins, Batch& shared, const Use& use,
                                       const Filter& filter = {}) {
  const int left = blockIdx.x * tile_side, top = blockIdx.y * tile_side;
  for (int level = 0; level < tile_levels; ++level) {
    const int shift = 4 + 2 * level;
    const int tile = bins.grid.first[level] + (top >> shift) * bins.grid.across[level] + (left >> shift);
    const std::uint32_t end = bins.ends[tile];
    for (std::uint32_t from = bins.starts[tile]; from < end; from += batch) {
      if (threadIdx.x == 0) shared.count = 0;
      filter.begin();
      __syncthreads();
      if (threadIdx.x < batch && from + threadIdx.x < end) {
        const std::uint32_t triangle = bins.entries[from + threadIdx.x];
        ClipVertex corner[3];
        frame.corners(triangle, corner);
        for_each_piece(corner[0], corner[1], corner[2], frame.plan, [&](const Piece& piece, const Polygon&, bool) {
          const ScreenTriangle& t = piece.screen;
          if (t.x1 < left || t.x0 >= left + tile_side || t.y1 < top || t.y0 >= top + tile_side) return;
          if (!filter.keeps(t)) return;
          const std::uint32_t slot = atomicAdd(&shared.count, 1u);
          shared.triangle[slot] = triangle;
          shared.piece[slot] = t;
        });
      }
      __syncthreads();
      for (std::uint32_t i = 0; i < shared.count; ++i)
        use(shared.piece[i], shared.triangle[i]);
      __syncthreads();
    }
  }
}

__device__ bool in_box(const ScreenTriangle& t, int x, int y) {
  return x >= t.x0 && x <= t.x1 && y >= t.y0 && y <= t.y1;
}

/// Fragments get their colour as in DeviceFrame::put().
template <Colours time, bool hierarchical = false>
__global__ void __launch_bounds__(block_threads) draw_tiles(DeviceFrame frame, Bins bins) {
  constexpr bool late = time != Colours::after;
  __shared__ Batch shared;
  const Plan& plan = frame.plan;
  const int x = blockIdx.x * tile_side + threadIdx.x % tile_side, y = blockIdx.y * tile_side + threadIdx.x / tile_side;
  const bool inside = x < plan.width && y < plan.height;
  const Visible before = inside ? frame.at(x, y) : 0;
  Visible best = before;
  std::uint32_t colour = 0;
  const auto draw = [&](const ScreenTriangle& t, std::uint32_t triangle) {
    if (!inside || !in_box(t, x, y) || !covers(t, x, y)) return;
    const Visible here = visible(depth_key(deciding_depth(t, x, y, plan.visibility), plan.depth_bits), triangle);
    if (plan.output == Output::overdraw) {
      ++best;
      return;
    }
    std::uint32_t word = 0;
    if constexpr (late) word = frame.colour_at<time == Colours::before_with_environment>(triangle, x, y);
    if (here >= best) return;
    best = here;
    colour = word;
  };
  if constexpr (hierarchical) {
    __shared__ std::uint32_t farthest;
    for_each_piece_of_tile(frame, bins, shared, draw, DepthFilter{plan, best, inside, farthest});
  } else {
    for_each_piece_of_tile(frame, bins, shared, draw);
  }
  if (inside) frame.at(x, y) = best;
  if constexpr (late)
    if (best != before) frame.keep_colour(x, y, static_cast<std::uint32_t>(best), colour);
}

/// Returns true if the piece is in front of the opaque surface with this key of depth.
__device__ bool in_front(const Plan& plan, const ScreenTriangle& t, int x, int y, std::uint32_t opaque_key) {
  return depth_key(deciding_depth(t, x, y, plan.visibility), plan.depth_bits) < opaque_key;
}

/// Blends the fragment with this key, which is of the first piece of its triangle that has it.
template <bool environment>
__device__ void blend_layer(const DeviceFrame& frame, std::uint32_t triangle, std::uint64_t key, int x, int y,
                            std::uint32_t opaque_key, Layers& layers) {
  const Plan& plan = frame.plan;
  ClipVertex corner[3];
  frame.corners(triangle, corner);
  bool done = false;
  for_each_piece(corner[0], corner[1], corner[2], plan, [&](const Piece& piece, const Polygon& polygon, bool) {
    const ScreenTriangle& t = piece.screen;
    if (done || !covers(t, x, y) || !in_front(plan, t, x, y, opaque_key)) return;
    if (layer_key(plan, t, triangle, x, y) != key) return;
    done = true;
    add_layer(plan, layers,
              colour_of_fragment<environment>(plan, frame.mesh, triangle, piece, polygon, x, y, frame.lights));
  });
}

/// Depth peeling: each pass over the lists finds the next layer of every pixel of the tile.
template <bool environment>
__global__ void __launch_bounds__(block_threads)
    blend_tiles(DeviceFrame frame, Bins bins, cuda::EitherStore<Rgba8> store) {
  __shared__ Batch shared;
  const Plan& plan = frame.plan;
  const int x = blockIdx.x * tile_side + threadIdx.x % tile_side, y = blockIdx.y * tile_side + threadIdx.x / tile_side;
  const bool inside = x < plan.width && y < plan.height;
  const Visible below = inside ? frame.at(x, y) : 0;
  const auto opaque_key = static_cast<std::uint32_t>(below >> 32);
  Layers layers = no_layers(static_cast<std::uint32_t>(below));
  std::uint64_t last = 0;
  bool changed = false;
  for (bool more = true; more;) {
    std::uint64_t next = no_layer;
    std::uint32_t triangle_of_next = 0;
    for_each_piece_of_tile(frame, bins, shared, [&](const ScreenTriangle& t, std::uint32_t triangle) {
      if (!inside || !in_box(t, x, y) || !covers(t, x, y)) return;
      if (!in_front(plan, t, x, y, opaque_key)) return;
      const std::uint64_t key = layer_key(plan, t, triangle, x, y);
      if (key <= last || key >= next) return;
      next = key;
      triangle_of_next = triangle;
    });
    if (next != no_layer) {
      blend_layer<environment>(frame, triangle_of_next, next, x, y, opaque_key, layers);
      last = next;
      changed = true;
    }
    more = __syncthreads_or(next != no_layer) != 0;
  }
  if (changed) store.store(x, y, __builtin_bit_cast(Rgba8, pixel_of(plan, layers)));
}

}  // namespace

void fill_bins(const DeviceFrame& frame, const Bins& bins, CudaStream stream) {
  const auto blocks = static_cast<unsigned>(bins.grid.tiles / block_threads + 1);
  clear_counts<<<blocks, block_threads, 0, stream>>>(bins);
  TS_CUDA_LAUNCHED();
  count_entries<<<list_blocks, block_threads, 0, stream>>>(frame, bins);
  TS_CUDA_LAUNCHED();
  sum_counts<<<1, scan_threads, 0, stream>>>(bins);
  TS_CUDA_LAUNCHED();
  write_entries<<<list_blocks, block_threads, 0, stream>>>(frame, bins);
  TS_CUDA_LAUNCHED();
}

void draw_bins(const DeviceFrame& frame, const Bins& bins, CudaStream stream) {
  const dim3 tiles(bins.grid.across[0], bins.grid.down0);
  if (tests_blocks(frame.plan))
    draw_tiles<Colours::after, true><<<tiles, block_threads, 0, stream>>>(frame, bins);
  else
    with_colours_code(
        frame, [&](auto time) { draw_tiles<decltype(time)::value><<<tiles, block_threads, 0, stream>>>(frame, bins); });
  TS_CUDA_LAUNCHED();
}

void blend_bins(const DeviceFrame& frame, const Bins& bins, const DeviceSink& out, CudaStream stream) {
  const dim3 tiles(bins.grid.across[0], bins.grid.down0);
  with_environment_code(frame.plan, [&](auto environment) {
    blend_tiles<decltype(environment)::value>
        <<<tiles, block_threads, 0, stream>>>(frame, bins, cuda::EitherStore<Rgba8>(out));
  });
  TS_CUDA_LAUNCHED();
}

}  // namespace threadscape::rasterize
