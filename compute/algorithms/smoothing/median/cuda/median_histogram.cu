// Percentiles of bytes with large windows on the GPU. A block walks down a strip of the picture. Every column of the
// strip has a histogram in shared memory, of its values in the rows of the window, with four levels: level l counts the
// values by their first 2 (l + 1) bits. A thread searches the result of its pixel from the first level to the last: at
// each level it sums one word of each column of its window, and so finds two bits of the result.
//
//   level   words per column   a word counts the values with ...   by ...
//   0       1                  any value                           bits 7 and 6
//   1       4                  equal bits 7 and 6                  bits 5 and 4
//   2       16                 equal bits 7 to 4                   bits 3 and 2
//   3       64                 equal bits 7 to 2                   bits 1 and 0
//
// A word has fields for the first three of its four bins; the fourth count is never needed. Words of neighbouring
// columns are neighbours in shared memory, so that neither updates nor searches have bank conflicts. Four neighbouring
// columns have a histogram together, so that a large window reads a word for most fours instead of a word per column.
// Compare with median_histogram_openmp.cpp.

#include "compute/algorithms/smoothing/median/cuda/median_cuda.h"
#include "compute/gpu/check.h"
#include "compute/gpu/device.h"
#include "compute/gpu/store.cuh"

namespace threadscape::median {
namespace {

constexpr int levels = 4, words_per_column = 85;  ///< Words of all levels.
constexpr int max_columns = 512;                  ///< Columns of a strip, each of which has a thread.

/// How a word holds counts: `bits` of a field, and whether the fields have room for the counts of a whole window. A
/// window of at most 17 columns is summed column by column (`group` = 1), larger ones by groups.
template <int bits_, bool fits_, int group_>
struct Layout {
  static constexpr int bits = bits_, group = group_;
  static constexpr bool fits = fits_;
  static constexpr std::uint32_t field = (1u << bits) - 1;
};

/// The sum of packed words, each with three counts.
template <class L>
struct Sum {
  std::uint32_t all = 0;   ///< The sum of all fields, modulo 2^32.
  std::uint32_t even = 0;  ///< The sum of the first and the third field, which have room for large sums.

  __device__ void add(std::uint32_t word) {
    all += word;
    if constexpr (!L::fits) even += word & (L::field | L::field << 2 * L::bits);
  }
  /// The bin of the value of this rank among the values counted; `rank` becomes that among the values of the bin.
  __device__ int find(int& rank) const {
    int up_to[3];  // The values in the first bin, the first two, and the first three.
    if constexpr (L::fits) {
      const std::uint32_t sums = all * (1u | 1u << L::bits | 1u << 2 * L::bits);
      for (int i = 0; i < 3; ++i)
        up_to[i] = static_cast<int>(sums >> L::bits * i & L::field);
    } else {
      up_to[0] = static_cast<int>(even & ((1u << 2 * L::bits) - 1));
      up_to[1] = up_to[0] + static_cast<int>((all - even) >> L::bits & 0x1fff);
      up_to[2] = up_to[1] + static_cast<int>(even >> 2 * L::bits);
    }
    const bool first = rank >= up_to[0], second = rank >= up_to[1], third = rank >= up_to[2];
    rank -= third ? up_to[2] : second ? up_to[1] : first ? up_to[0] : 0;
    return first + second + third;
  }
};

/// The histograms of a strip in shared memory. A thread updates the column of its number.
template <class L>
struct Histograms {
  std::uint32_t* words;
  int columns;  ///< Also the threads of the block.

  [[nodiscard]] static __host__ __device__ constexpr int words_of(int columns) {
    return words_per_column * (columns + (L::group > 1 ? columns / L::group : 0));
  }
  [[nodiscard]] static __device__ constexpr int words_before(int level) { return ((1 << 2 * level) - 1) / 3; }
  [[nodiscard]] __device__ int column_word(int level, int word, int column) const {
    return (words_before(level) + word) * columns + column;
  }
  /// Words that differ in their last two bits lie in different banks, because threads of one group often search them.
  [[nodiscard]] __device__ int group_word(int level, int word, int index) const {
    const int groups = columns / L::group, first = words_per_column * columns + words_before(level) * groups;
    return level == 0 ? first + index : first + word / 4 * (4 * groups) + word % 4 + 4 * index;
  }
  [[nodiscard]] static __device__ std::uint32_t one(std::uint32_t value, int level) {
    return 1u << L::bits * (value >> (6 - 2 * level) & 3);
  }

  __device__ void clear() const {
    for (int i = threadIdx.x; i < words_of(columns); i += columns)
      words[i] = 0;
  }
  /// Adds a value to the levels behind the first, or removes it if `sign` is -1.
  template <int sign>
  __device__ void count(std::uint32_t value) const {
    std::uint32_t counts[levels];
#pragma unroll
    for (int level = 1; level < levels; ++level)
      counts[level] = words[column_word(level, value >> (8 - 2 * level), threadIdx.x)];
#pragma unroll
    for (int level = 1; level < levels; ++level) {
      const int word = static_cast<int>(value >> (8 - 2 * level));
      const std::uint32_t n = sign < 0 ? 0u - one(value, level) : one(value, level);
      words[column_word(level, word, threadIdx.x)] = counts[level] + n;
      if constexpr (L::group > 1) atomicAdd(words + group_word(level, word, threadIdx.x / L::group), n);
    }
  }
  /// Changes the first level, of which the thread keeps its word in a register.
  __device__ void count_top(std::uint32_t& top, std::uint32_t change) const {
    top += change;
    words[threadIdx.x] = top;
    if constexpr (L::group > 1) atomicAdd(words + group_word(0, 0, threadIdx.x / L::group), change);
  }

  /// The value of the plan's rank in the window whose first column is that of the thread.
  [[nodiscard]] __device__ int search(const Plan& plan) const {
    const int x = threadIdx.x;
    int word = 0, rank = plan.rank;
#pragma unroll
    for (int level = 0; level < levels; ++level) {
      Sum<L> sum;
      const std::uint32_t* const at_column = words + column_word(level, word, x);
      if constexpr (L::group == 1) {
        std::uint32_t packed = 0;
#pragma unroll 4
        for (int i = 0; i < plan.size; ++i)
          packed += at_column[i];
        sum.add(packed);
      } else {
        // The columns before the first whole group, and those behind the last one: three of them, or five.
        const int first_group = (x + L::group - 1) / L::group, before = first_group * L::group - x;
        const int groups = (plan.size - (L::group - 1)) / L::group, singles = plan.size - groups * L::group;
        const auto single = [&](int i) { return at_column[i < before ? i : i + groups * L::group]; };
        std::uint32_t packed = single(0) + single(1) + single(2);
        if (singles > 3) packed += single(3) + single(4);
        sum.add(packed);
        // Four groups of 63 rows fit in fields of ten bits, and one group of 75 rows fits in nine bits.
        constexpr int together = L::bits == 10 ? 4 : 1;
        const std::uint32_t* const at_group = words + group_word(level, word, first_group);
        const int stride = level == 0 ? 1 : 4;
        int i = 0;
        for (; i + 4 <= groups; i += 4) {
          std::uint32_t four[4];
#pragma unroll
          for (int j = 0; j < 4; ++j)
            four[j] = at_group[stride * (i + j)];
          if constexpr (together == 4)
            sum.add(four[0] + four[1] + four[2] + four[3]);
          else
            for (const std::uint32_t counts : four)
              sum.add(counts);
        }
        for (; i < groups; ++i)
          sum.add(at_group[stride * i]);
      }
      word = 4 * word + sum.find(rank);
    }
    return word;
  }
};

/// A block computes `rows` rows of a strip, one plane after the other. `results` keeps the results of all planes but
/// the last, as many bytes for each plane as the picture has pixels; a thread reads there only what it has written.
template <class P, class L>
__global__ void __launch_bounds__(max_columns)
    filter_by_histograms(ImageView<const typename P::Pixel, Space::device> in, Plan plan, int pixels, int rows,
                         std::uint8_t* results, cuda::EitherStore<typename P::Pixel> store) {
  extern __shared__ std::uint32_t shared_words[];
  const Histograms<L> strip{shared_words, static_cast<int>(blockDim.x)};
  const int radius = plan.radius(), x = blockIdx.x * pixels + threadIdx.x;
  const int begin = blockIdx.y * rows, end = min(begin + rows, in.height);
  const bool searches = static_cast<int>(threadIdx.x) < pixels && x < in.width;
  for (int plane = 0; plane < P::count; ++plane) {
    const auto value = [&](int y) -> std::uint32_t { return plane_value<P>(in, x - radius, y, plane, plan.border); };
    strip.clear();
    __syncthreads();
    std::uint32_t top = 0, change = 0;
#pragma unroll 4
    for (int y = begin - radius; y <= begin + radius; ++y) {
      const std::uint32_t added = value(y);
      strip.template count<1>(added);
      change += strip.one(added, 0);
    }
    strip.count_top(top, change);
    for (int y = begin; y < end; ++y) {
      // The values of the next row are loaded while this row is searched.
      const std::uint32_t added = value(y + radius + 1), removed = value(y - radius);
      __syncthreads();
      if (searches) {
        const auto result = static_cast<std::uint8_t>(strip.search(plan));
        const auto kept = [&](int other) -> std::uint8_t& {
          return results[(static_cast<std::size_t>(other) * in.height + y) * in.width + x];
        };
        if (plane + 1 < P::count) {
          kept(plane) = result;
        } else {
          auto pixel = in(x, y);
          if (plan.border != Border::valid || !window_leaves(x, y, in.width, in.height, radius)) {
            for (int other = 0; other < plane; ++other)
              P::set(pixel, other, kept(other));
            P::set(pixel, plane, result);
          }
          store.store(x, y, pixel);
        }
      }
      __syncthreads();
      if (y + 1 < end) {
        strip.template count<-1>(removed);
        strip.template count<1>(added);
        strip.count_top(top, strip.one(added, 0) - strip.one(removed, 0));
      }
    }
  }
}

/// Launches whole waves of blocks: so many rows for each that the blocks fill the GPU once, but at least as many as the
/// window has, since a block begins by counting those.
template <class P, class L>
void launch_strips(const Plan& plan, int most_pixels, std::uint8_t* results, const DeviceRun& run) {
  const auto in = run.in.image<typename P::Pixel>();
  const gpu::DeviceInfo& gpu = run.stream.device->info();
  const int halo = (plan.size - 1 + 31) / 32 * 32;
  const auto bytes_of = [&](int pixels) { return 4 * Histograms<L>::words_of(pixels + halo); };
  int pixels = most_pixels;
  while (pixels > 32 &&
         (bytes_of(pixels) > static_cast<int>(gpu.shared_bytes_per_block_optin) || pixels - 32 >= in.width))
    pixels -= 32;
  const int bytes = bytes_of(pixels), columns = pixels + halo;
  const int resident = std::max(1, std::min(static_cast<int>(gpu.shared_bytes_per_block_optin) / bytes,
                                            gpu.max_threads_per_multiprocessor / columns));
  const int strips = (in.width + pixels - 1) / pixels, parts = std::max(1, gpu.multiprocessors * resident / strips);
  const int rows = std::max((in.height + parts - 1) / parts, plan.size);
  const auto kernel = filter_by_histograms<P, L>;
  TS_CUDA_CHECK(
      cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  const dim3 grid(strips, (in.height + rows - 1) / rows);
  filter_by_histograms<P, L><<<grid, columns, bytes, run.stream>>>(in, plan, pixels, rows, results,
                                                                   cuda::EitherStore<typename P::Pixel>(run.out));
  TS_CUDA_LAUNCHED();
}

}  // namespace

void launch_histograms(const Plan& plan, const DeviceRun& run) {
  const std::size_t bytes = kept_results(plan, run.in.shape);
  std::uint8_t* const results = bytes == 0 ? nullptr : run.scratch->take<std::uint8_t>(bytes).data();
  with_planes<std::uint8_t>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    // Two blocks of a multiprocessor share its memory, but for the largest windows, of which one block has more pixels.
    constexpr int two = 224, one = 416;
    if (plan.size <= 17)
      launch_strips<P, Layout<10, true, 1>>(plan, two, results, run);
    else if (plan.size <= 31)
      launch_strips<P, Layout<10, true, 4>>(plan, two, results, run);
    else if (plan.size <= 63)
      launch_strips<P, Layout<10, false, 4>>(plan, one, results, run);
    else
      launch_strips<P, Layout<9, false, 4>>(plan, one, results, run);
  });
}

}  // namespace threadscape::median
