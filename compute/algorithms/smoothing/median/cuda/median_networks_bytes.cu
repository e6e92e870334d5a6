// Medians of bytes from 5x5 to 9x9 on the GPU by sorting networks (3x3: median_tiled.h). A register holds the values of
// two pixels, 16 bits each (u16x2), and one instruction compares two such pairs. Compare with
// median_networks_openmp.cpp.

#include "compute/algorithms/smoothing/median/cuda/median_networks.cuh"

namespace threadscape::median {
namespace {

/// Two values (u16x2), each in the upper byte of its 16 bits. The lower bytes are any bytes of the picture: they only
/// order equal values.
struct Pair {
  std::uint32_t u16x2;
};
__device__ __forceinline__ Pair lesser(Pair a, Pair b) {
  return {__vminu2(a.u16x2, b.u16x2)};
}
__device__ __forceinline__ Pair greater(Pair a, Pair b) {
  return {__vmaxu2(a.u16x2, b.u16x2)};
}
#define TS_NETWORK __device__ __forceinline__
#include "compute/algorithms/smoothing/median/median_network-inl.h"
#undef TS_NETWORK

/// A thread's patch, 2 * width x height pixels. The two pixels of a pair lie `width` pixels apart.
template <int k>
struct BytePatch {
  static constexpr int width = NetworkTile<k>::width, height = NetworkTile<k>::height, radius = k / 2;
  static constexpr int words = 2 * width / 4;  ///< Words of results per row.
  static constexpr int tile_words =
      network_block_width * words + 2;  ///< Words per row of the tile, one more on either side.
  static constexpr int tile_rows = network_block_height * height + 2 * radius;
};

/// The values of one plane of four neighbouring pixels from column x on, any of which may lie outside of the picture.
template <class Pixel, class View>
__device__ std::uint32_t load_word(const View& in, int x, int y, int plane, const Plan& plan, bool aligned) {
  const PlaneChoice choice{plan.channels};
  const int row = near_index(y, in.height, plan.border);
  if (row < 0) return 0;
  if (aligned && x >= 0 && x + 4 <= in.width) {
    if constexpr (sizeof(Pixel) == 1) {
      return load_words<1>(in.row(row) + x).word[0];
    } else {
      const WordGroup<4> pixels = load_words<4>(in.row(row) + x);
      if (plan.channels == Channels::luma) return split_pixels<Planes<Pixel, Channels::luma>>(pixels).plane[0];
      const std::uint32_t pick = static_cast<std::uint32_t>(plane | (4 + plane) << 4);
      return pick_bytes(pick_bytes(pixels.word[0], pixels.word[1], pick),
                        pick_bytes(pixels.word[2], pixels.word[3], pick), 0x5410);
    }
  }
  std::uint32_t word = 0;
#pragma unroll 1
  for (int i = 0; i < 4; ++i) {
    const int column = near_index(x + i, in.width, plan.border);
    if (column >= 0) word |= static_cast<std::uint32_t>(value_of_plane(in(column, row), plane, choice)) << 8 * i;
  }
  return word;
}

/// The source of the network: the pairs of a thread's patch from the words in shared memory.
template <int k>
struct PairSource {
  const std::uint32_t (*tile)[BytePatch<k>::tile_words];
  int first_word, first_row;

  __device__ __forceinline__ Pair operator()(int x, int y) const {
    const int low = 4 - BytePatch<k>::radius + x, high = low + BytePatch<k>::width;  // bytes of the row
    const std::uint32_t* const words = tile[first_row + y] + first_word;
    const std::uint32_t pick = static_cast<std::uint32_t>(low % 4 * 0x11 + (4 + high % 4) * 0x1100);
    return {pick_bytes(words[low / 4], words[high / 4], pick)};
  }
};
/// The sink of the network: an array in registers.
template <int k>
struct PairSink {
  Pair (*medians)[BytePatch<k>::width];
  __device__ __forceinline__ void operator()(int x, int y, Pair median) const { medians[y][x] = median; }
};

/// The results of four neighbouring pixels, word w of a row of the patch.
template <int k>
__device__ __forceinline__ std::uint32_t result_word(const Pair (&row)[BytePatch<k>::width], int w) {
  const std::uint32_t pick = w == 0 ? 0x51 : 0x73;
  return pick_bytes(pick_bytes(row[0].u16x2, row[1].u16x2, pick), pick_bytes(row[2].u16x2, row[3].u16x2, pick), 0x5410);
}

/// Four neighbouring pixels, one word per plane.
struct PlaneWords {
  std::uint32_t word[3];
};
/// Writes four pixels at (x, y), as far as they lie in the picture.
template <class Pixel, class View, class Store>
__device__ void store_four(const View& in, int x, int y, const Plan& plan, const PlaneWords& planes, bool aligned,
                           const Store& store) {
  if (x >= in.width || y >= in.height) return;
  const int radius = plan.radius();
  const bool whole = aligned && store.wide() && x + 4 <= in.width &&
                     !(plan.border == Border::valid && (window_leaves(x, y, in.width, in.height, radius) ||
                                                        window_leaves(x + 3, y, in.width, in.height, radius)));
  if constexpr (sizeof(Pixel) == 1) {
    const WordGroup<1> pixels{planes.word[0]};
    if (whole)
      store.store_wide(x, y, pixels);
    else
      store_pixels<Pixel>(in, x, y, radius, plan.border, pixels, store);
  } else {
    WordGroup<4> kept{};
    if (whole) {
      kept = load_words<4>(in.row(y) + x);
    } else {
#pragma unroll
      for (int i = 0; i < 4; ++i)
        if (x + i < in.width) kept.word[i] = load_words<1>(&in(x + i, y)).word[0];
    }
    const WordGroup<4> pixels = transpose({planes.word[0], planes.word[1], planes.word[2], transpose(kept).word[3]});
    if (whole)
      store.store_wide(x, y, pixels);
    else
      store_pixels<Pixel>(in, x, y, radius, plan.border, pixels, store);
  }
}

template <class Pixel, int k>
__global__ void __launch_bounds__(network_threads)
    filter_bytes(ImageView<const Pixel, Space::device> in, Plan plan, bool aligned, cuda::EitherStore<Pixel> store) {
  using Patch = BytePatch<k>;
  constexpr bool grey = sizeof(Pixel) == 1;
  constexpr int kept_planes = grey ? 1 : 3;
  __shared__ std::uint32_t tile[Patch::tile_rows][Patch::tile_words];
  __shared__ std::uint32_t results[grey ? 1 : network_threads][kept_planes][Patch::height][Patch::words];

  const int thread = threadIdx.y * network_block_width + threadIdx.x;
  const int first_word = blockIdx.x * network_block_width * Patch::words - 1;
  const int first_row = blockIdx.y * network_block_height * Patch::height - Patch::radius;
  const int x = 4 * (first_word + 1 + threadIdx.x * Patch::words);
  const int y = first_row + Patch::radius + threadIdx.y * Patch::height;
  const int planes = PlaneChoice{plan.channels}.count(grey);
#pragma unroll 1
  for (int plane = 0; plane < planes; ++plane) {
    for (int i = thread; i < Patch::tile_rows * Patch::tile_words; i += network_threads) {
      const int row = i / Patch::tile_words, word = i % Patch::tile_words;
      tile[row][word] = load_word<Pixel>(in, 4 * (first_word + word), first_row + row, plane, plan, aligned);
    }
    __syncthreads();
    Pair medians[Patch::height][Patch::width];
    tile_medians<Pair, k, Patch::width, Patch::height>(PairSource<k>{tile, static_cast<int>(threadIdx.x) * Patch::words,
                                                                     static_cast<int>(threadIdx.y) * Patch::height},
                                                       PairSink<k>{medians});
#pragma unroll
    for (int row = 0; row < Patch::height; ++row) {
#pragma unroll
      for (int w = 0; w < Patch::words; ++w) {
        const std::uint32_t result = result_word<k>(medians[row], w);
        if constexpr (grey)
          store_four<Pixel>(in, x + 4 * w, y + row, plan, {{result, 0, 0}}, aligned, store);
        else
          results[thread][plane][row][w] = result;
      }
    }
    __syncthreads();
  }
  if constexpr (!grey) {
    const int green = planes == 3 ? 1 : 0, blue = planes == 3 ? 2 : 0;
    for (int row = 0; row < Patch::height; ++row)
      for (int w = 0; w < Patch::words; ++w)
        store_four<Pixel>(in, x + 4 * w, y + row, plan,
                          {{results[thread][0][row][w], results[thread][green][row][w], results[thread][blue][row][w]}},
                          aligned, store);
  }
}

template <class Pixel>
void launch(const Plan& plan, const DeviceRun& run) {
  const auto in = run.in.image<Pixel>();
  with_network_size(plan, [&](auto size) {
    constexpr int k = size();
    if constexpr (k > 3) {
      filter_bytes<Pixel, k><<<network_grid<k>(in.width, in.height, 4 * BytePatch<k>::words),
                               dim3(network_block_width, network_block_height), 0, run.stream>>>(
          in, plan, cuda::rows_aligned(run.in), cuda::EitherStore<Pixel>(run.out));
      TS_CUDA_LAUNCHED();
    }
  });
}

}  // namespace

void launch_byte_networks(const Plan& plan, const DeviceRun& run) {
  if (run.in.shape.channels == 1)
    launch<std::uint8_t>(plan, run);
  else
    launch<Rgba8>(plan, run);
}

}  // namespace threadscape::median
