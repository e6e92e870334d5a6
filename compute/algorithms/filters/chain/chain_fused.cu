// The fused kernel: several 3x3 filters one after another on a tile in shared memory. chain_fused.h says what it
// teaches.
//
// A block loads its tile with a halo of as many pixels as there are stages, and every stage filters from one buffer in
// shared memory to the other. The outermost pixels that a stage cannot compute are lost, one on every side, so that
// after the last stage the tile without a halo is left:
//
//   +---------------------+   loaded: halo of 3 pixels
//   | +-----------------+ |   after stage 1: halo of 2
//   | | +-------------+ | |   after stage 2: halo of 1
//   | | |    tile     | | |   after stage 3
//
// Colours lie in shared memory plane by plane. A lane computes a patch of 16 x 2 pixels of one plane; the pixels to the
// left and right of it come from the neighbouring lanes by shuffles. The first and the last lane of a row hold nothing
// but halo:
//
//   lane      0                  1                  ...       lanes - 1
//   columns   -16 .. -1 (halo)   0 .. 15 (results)            width .. width + 15 (halo)
//
// Outside of the picture every stage finds the border that it asks for, made from what the stage before put inside.

#include "compute/algorithms/filters/chain/chain_fused.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::chain {
namespace {

constexpr int block_threads = 256;
constexpr int lane_words = 4, lane_pixels = 4 * lane_words, lane_rows = 2;
constexpr unsigned all_lanes = 0xffffffffu;

/// The tile of a block: width x height pixels of results. Two buffers with the halo of eight stages fit into 48 KB.
template <class Pixel>
struct Tile {
  static constexpr bool grey = sizeof(Pixel) == 1;
  static constexpr int planes = grey ? 1 : 3;
  static constexpr int lanes = grey ? 32 : 16;  ///< Number of lanes that lie side by side in a row.
  static constexpr int width = (lanes - 2) * lane_pixels, height = grey ? 32 : 16;
  static constexpr int row_words = lanes * lane_words, columns = 4 * row_words;
  static constexpr int group = 16 / static_cast<int>(sizeof(Pixel));  ///< Pixels of one 16-byte load or store.

  static constexpr int rows(int stages) { return height + 2 * stages; }
  static constexpr int words(int stages) { return planes * rows(stages) * row_words; }
};

/// A tile of the picture in one of the two buffers in shared memory; (left, top) is the position of its first pixel in
/// the picture.
template <class Pixel>
struct Buffer {
  using T = Tile<Pixel>;
  std::uint32_t* words;
  int left, top, rows;

  __device__ std::uint32_t* row(int plane, int r) const { return words + (plane * rows + r) * T::row_words; }
  /// The value of one plane in row r of the buffer, at column x of the picture.
  __device__ unsigned char& pixel(int plane, int r, int x) const {
    return reinterpret_cast<unsigned char*>(row(plane, r))[x - left];
  }
  __device__ bool has_column(int x) const { return x >= left && x < left + T::columns; }
  __device__ bool has_row(int y) const { return y >= top && y < top + rows; }
};

template <class Pixel>
using Picture = ImageView<const Pixel, Space::device>;

/// 16 bytes of row y from column x on, read one pixel after the other. Pixels outside of the picture are zeros, or with
/// `wrap` those of the repeated picture. It is called, not inlined, as is all code for the edge of the picture, so that
/// it takes no registers from the rest of the kernel.
template <class Pixel>
__device__ TS_NOINLINE WordGroup<4> gather_group(Picture<Pixel> in, int x, int y, bool wrap) {
  WordGroup<4> words{};
  if (wrap) y = border_index(y, in.height, Border::wrap);
  if (y < 0 || y >= in.height) return words;
#pragma unroll 1
  for (int i = 0; i < Tile<Pixel>::group; ++i) {
    const int column = wrap ? border_index(x + i, in.width, Border::wrap) : x + i;
    if (column < 0 || column >= in.width) continue;
    if constexpr (sizeof(Pixel) == 1)
      words.word[i / 4] |= static_cast<std::uint32_t>(in(column, y)) << 8 * (i % 4);
    else
      words.word[i] = __builtin_bit_cast(std::uint32_t, in(column, y));
  }
  return words;
}
/// Loads 16 bytes of a row from pixel (x, y) on, with a single load if they are inside the picture. `aligned` says that
/// rows start at multiples of 16 bytes.
template <class Pixel>
__device__ WordGroup<4> load_group(const Picture<Pixel>& in, int x, int y, bool aligned, bool wrap) {
  if (aligned && x >= 0 && x + Tile<Pixel>::group <= in.width && y >= 0 && y < in.height)
    return load_words<4>(in.row(y) + x);
  return gather_group(in, x, y, wrap);
}

/// Copies the picture to the whole buffer, planes apart, by all threads of the block. The caller synchronises.
template <class Pixel>
__device__ void load_tile(const Picture<Pixel>& in, const Buffer<Pixel>& to, bool aligned, bool wrap) {
  using T = Tile<Pixel>;
  constexpr int groups = T::columns / T::group;
  for (int i = threadIdx.x; i < to.rows * groups; i += block_threads) {
    const int r = i / groups, at = i % groups;
    const WordGroup<4> bytes = load_group(in, to.left + at * T::group, to.top + r, aligned, wrap);
    if constexpr (T::grey) {
      reinterpret_cast<WordGroup<4>*>(to.row(0, r))[at] = bytes;
    } else {
      const WordGroup<4> planes = transpose(bytes);
      for (int plane = 0; plane < T::planes; ++plane)
        to.row(plane, r)[at] = planes.word[plane];
    }
  }
}

/// Applies a stage to all rows of `from` but the first and the last `rim`. The caller synchronises.
template <class Pixel>
__device__ void run_stage(const Stage& stage, const Buffer<Pixel>& from, const Buffer<Pixel>& to, int rim) {
  using T = Tile<Pixel>;
  using Patch = PackedPatch<Planes<std::uint8_t, Channels::each>, lane_words, lane_rows, Stage::radius>;
  const int lane = static_cast<int>(threadIdx.x) % T::lanes;
  const int pairs = (from.rows - 2 * rim) / lane_rows, parts = T::planes * pairs;
  // Whole warps take part in every round, because of the shuffles.
#pragma unroll 1
  for (int first = 0; first < parts; first += block_threads / T::lanes) {
    const int part = first + static_cast<int>(threadIdx.x) / T::lanes;
    const bool exists = part < parts;
    const int plane = exists && !T::grey ? part / pairs : 0;
    const int r0 = rim + (exists ? part - plane * pairs : 0) * lane_rows;
    Patch patch;
#pragma unroll
    for (int r = 0; r < Patch::all_rows; ++r) {
      const auto own = reinterpret_cast<const WordGroup<4>*>(from.row(plane, r0 + r - Stage::radius))[lane];
#pragma unroll
      for (int w = 0; w < lane_words; ++w)
        patch.word[0][r][w + 1] = own.word[w];
      patch.word[0][r][0] = __shfl_up_sync(all_lanes, own.word[lane_words - 1], 1, T::lanes);
      patch.word[0][r][lane_words + 1] = __shfl_down_sync(all_lanes, own.word[0], 1, T::lanes);
    }
    stage.filter.visit([&](const auto& filter) {
      filter.results_of(patch, [&](int r, const std::uint32_t(&result)[1][lane_words]) {
        if (exists)
          reinterpret_cast<WordGroup<4>*>(to.row(plane, r0 + r))[lane] = {
              {result[0][0], result[0][1], result[0][2], result[0][3]}};
      });
    });
  }
}

// The next two functions are for tiles at the edge of the picture alone. They are called, not inlined, so that they
// take no registers from the other tiles.

/// For Border::valid: copies the outermost pixels of the picture, as far as the tile holds them, from the buffer that
/// the stage has read to the one that it has written.
template <class Pixel>
__device__ TS_NOINLINE void keep_rim(Picture<Pixel> in, Buffer<Pixel> from, Buffer<Pixel> to) {
  using T = Tile<Pixel>;
  for (int i = threadIdx.x; i < T::planes * to.rows * 2; i += block_threads) {
    const int plane = i / 2 / to.rows, r = i / 2 % to.rows, x = i % 2 == 0 ? 0 : in.width - 1;
    if (to.has_column(x)) to.pixel(plane, r, x) = from.pixel(plane, r, x);
  }
  for (int i = threadIdx.x; i < T::planes * T::row_words * 2; i += block_threads) {
    const int plane = i / 2 / T::row_words, w = i / 2 % T::row_words, y = i % 2 == 0 ? 0 : in.height - 1;
    if (to.has_row(y)) to.row(plane, y - to.top)[w] = from.row(plane, y - to.top)[w];
  }
  __syncthreads();
}

/// Fills the buffer with the border of the picture, `reach` pixels wide, as far as it lies in the tile. The pixels that
/// it is made from lie in the tile as well, because the halo of a tile reaches no further out than into the picture.
template <class Pixel>
__device__ TS_NOINLINE void surround(Picture<Pixel> in, Buffer<Pixel> buffer, Border border, int reach) {
  using T = Tile<Pixel>;
  for (int i = threadIdx.x; i < T::planes * buffer.rows * 2 * reach; i += block_threads) {
    const int row = i / (2 * reach), k = i % (2 * reach), plane = row / buffer.rows, r = row % buffer.rows;
    const int x = k < reach ? k - reach : in.width + k - reach, from = border_index(x, in.width, border);
    if (buffer.has_column(x)) buffer.pixel(plane, r, x) = from < 0 ? 0 : buffer.pixel(plane, r, from);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < T::planes * 2 * reach * T::row_words; i += block_threads) {
    const int w = i % T::row_words, k = i / T::row_words % (2 * reach), plane = i / T::row_words / (2 * reach);
    const int y = k < reach ? k - reach : in.height + k - reach, from = border_index(y, in.height, border);
    if (buffer.has_row(y))
      buffer.row(plane, y - buffer.top)[w] = from < 0 ? 0 : buffer.row(plane, from - buffer.top)[w];
  }
  __syncthreads();
}

/// Writes the tile without its halo; `rim` is the number of rows above and below it. Alpha comes from the input.
template <class Pixel>
__device__ void store_tile(const Picture<Pixel>& in, const Buffer<Pixel>& from, int rim, bool aligned,
                           const cuda::EitherStore<Pixel>& store) {
  using T = Tile<Pixel>;
  constexpr int groups = T::width / T::group;
  for (int i = threadIdx.x; i < T::height * groups; i += block_threads) {
    // `first` is the index of the first word in the row.
    const int r = i / groups, at = i % groups, first = (lane_pixels + at * T::group) / 4;
    const int x = from.left + lane_pixels + at * T::group, y = from.top + rim + r;
    if (x >= in.width || y >= in.height) continue;
    WordGroup<4> pixels;
    if constexpr (T::grey) {
      pixels = *reinterpret_cast<const WordGroup<4>*>(from.row(0, rim + r) + first);
    } else {
      const std::uint32_t alpha = transpose(load_group(in, x, y, aligned, false)).word[3];
      pixels =
          transpose({from.row(0, rim + r)[first], from.row(1, rim + r)[first], from.row(2, rim + r)[first], alpha});
    }
    if (store.wide() && x + T::group <= in.width) {
      store.store_wide(x, y, pixels);
      continue;
    }
#pragma unroll 1
    for (int k = 0; k < T::group && x + k < in.width; ++k)
      if constexpr (T::grey)
        store.store(x + k, y, from.pixel(0, rim + r, x + k));
      else
        store.store(x + k, y, __builtin_bit_cast(Pixel, pixels.word[k]));
  }
}

template <class Pixel>
__global__ void __launch_bounds__(block_threads, 3)
    filter_fused(Picture<Pixel> in, const __grid_constant__ Stages stages, bool aligned,
                 cuda::EitherStore<Pixel> store) {
  using T = Tile<Pixel>;
  extern __shared__ uint4 shared_memory[];
  auto* const words = reinterpret_cast<std::uint32_t*>(shared_memory);
  const int count = stages.count, rows = T::rows(count);
  const int left = static_cast<int>(blockIdx.x) * T::width - lane_pixels;
  const int top = static_cast<int>(blockIdx.y) * T::height - count;
  Buffer<Pixel> from{words, left, top, rows}, to{words + T::words(count), left, top, rows};
  const bool edge = left < 0 || top < 0 || left + T::columns > in.width || top + rows > in.height;

  const bool wrap = stages.stage[0].border == Border::wrap;
  load_tile(in, from, aligned, wrap);
  __syncthreads();
  if (edge && !wrap) surround(in, from, stages.stage[0].border, count);
#pragma unroll 1
  for (int s = 0; s < count; ++s) {
    const Stage& stage = stages.stage[s];
    run_stage(stage, from, to, s + 1);
    __syncthreads();
    if (edge && stage.border == Border::valid) keep_rim(in, from, to);
    // If the next stage wraps, so did all before it, and what they computed around the picture is its repetition.
    if (edge && s + 1 < count && stages.stage[s + 1].border != Border::wrap)
      surround(in, to, stages.stage[s + 1].border, count - s - 1);
    const Buffer<Pixel> done = to;
    to = from;
    from = done;
  }
  store_tile(in, from, count, aligned, store);
}

template <class Pixel>
void launch_fused_as(const Stages& stages, const DeviceRun& run) {
  using T = Tile<Pixel>;
  const auto in = run.in.image<Pixel>();
  const dim3 grid((in.width + T::width - 1) / T::width, (in.height + T::height - 1) / T::height);
  const std::size_t bytes = 2 * sizeof(std::uint32_t) * static_cast<std::size_t>(T::words(stages.count));
  static_assert(8 * T::words(max_stages) <= 48 * 1024, "more has to be asked for");
  filter_fused<Pixel><<<grid, block_threads, bytes, run.stream>>>(in, stages, cuda::rows_aligned(run.in),
                                                                  cuda::EitherStore<Pixel>(run.out));
  TS_CUDA_LAUNCHED();
}

}  // namespace

void launch_fused(const Stages& stages, const DeviceRun& run) {
  if (run.in.shape.channels == 1)
    launch_fused_as<std::uint8_t>(stages, run);
  else
    launch_fused_as<Rgba8>(stages, run);
}

}  // namespace threadscape::chain
