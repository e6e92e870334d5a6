// Preparation of a search on the GPU, and removal of seams from it.

#include <algorithm>

#include "compute/algorithms/seams/seam_carving/cuda/seam_carving_cells.h"
#include "compute/gpu/check.h"

namespace threadscape::seam_carving {
namespace {

constexpr int block_threads = 256;

/// Initialises the planes of a search, one thread per pixel.
__global__ void fill_search(DeviceSearch search) {
  const int x = static_cast<int>(blockIdx.x * block_threads + threadIdx.x), y = static_cast<int>(blockIdx.y);
  if (x >= search.width) return;
  search.columns[search.at(x, y)] = static_cast<std::uint16_t>(x);
  search.order[search.at(x, y)] = 0;
  const auto grey = [&](int dx, int dy) {
    const int column = min(max(x + dx, 0), search.width - 1), row = min(max(y + dy, 0), search.height - 1);
    return search.grey[search.at(column, row)];
  };
  const bool forward = search.energy == Energy::forward;
  search.value[search.at(x, y)] = forward ? grey(0, 0) : energy_of(search.energy, grey);
  // Beyond the last column the plane repeats it.
  if (forward && x == search.width - 1) search.value[search.at(x + 1, y)] = grey(0, 0);
}

constexpr int max_strips = SeamCarving::max_seams_per_pass;
constexpr int columns_per_thread = 4;

/// One block per row. What is right of a seam moves left, chunk by chunk. A chunk is written only where it, or an
/// earlier chunk, has been read, so one barrier between reading and writing is enough.
__global__ void __launch_bounds__(block_threads) compact_rows(DeviceSearch search, int strips, int number) {
  __shared__ int seams[max_strips];
  const int y = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  if (thread < strips) {
    const int x = search.seams[static_cast<std::int64_t>(thread) * search.height + y];
    seams[thread] = x;
    search.order[search.at(search.columns[search.at(x, y)], y)] = static_cast<std::uint16_t>(number + thread);
  }
  __syncthreads();
  float* const value = search.value + search.at(0, y);
  std::uint16_t* const columns = search.columns + search.at(0, y);
  Mark* const marks = search.marks ? search.marks + search.at(0, y) : nullptr;
  for (int part = seams[0] + 1; part < search.width; part += block_threads * columns_per_thread) {
    float kept_value[columns_per_thread];
    std::uint16_t kept_column[columns_per_thread];
    Mark kept_mark[columns_per_thread];
    int to[columns_per_thread];
#pragma unroll
    for (int i = 0; i < columns_per_thread; ++i) {
      const int x = part + i * block_threads + thread;
      to[i] = -1;
      if (x >= search.width) continue;
      bool here = false;
      const int before = strips == 1 ? 1 : seams_before(seams, strips, x, here);
      if (here) continue;
      to[i] = x - before;
      kept_value[i] = value[x];
      kept_column[i] = columns[x];
      if (marks) kept_mark[i] = marks[x];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < columns_per_thread; ++i) {
      if (to[i] < 0) continue;
      value[to[i]] = kept_value[i];
      columns[to[i]] = kept_column[i];
      if (marks) marks[to[i]] = kept_mark[i];
    }
  }
  if (search.energy != Energy::forward) return;
  __syncthreads();
  const int width = search.width - strips;
  if (thread == 0 && width > 0) value[width] = value[width - 1];
}

/// Computes the 2 * energy_reach energies beside each seam of each row anew, one thread per pixel.
__global__ void renew_energies(DeviceSearch search, int strips) {
  const int i = static_cast<int>(blockIdx.x * block_threads + threadIdx.x), y = i / (2 * energy_reach);
  const int strip = static_cast<int>(blockIdx.y);
  if (y >= search.height) return;
  const int gap = search.seams[static_cast<std::int64_t>(strip) * search.height + y] - strip;
  const int x = gap - energy_reach + i % (2 * energy_reach);
  if (x >= 0 && x < search.width) search.value[search.at(x, y)] = energy_at(search, x, y);
}

}  // namespace

void start_search(DeviceSearch& search, CudaStream stream) {
  const dim3 grid(block_count(search.width, block_threads), static_cast<unsigned>(search.height));
  fill_search<<<grid, block_threads, 0, stream>>>(search);
  TS_CUDA_LAUNCHED();
}

void remove_seams(DeviceSearch& search, int strips, int number, CudaStream stream) {
  compact_rows<<<static_cast<unsigned>(search.height), block_threads, 0, stream>>>(search, strips, number);
  TS_CUDA_LAUNCHED();
  search.width -= strips;
  if (search.energy == Energy::forward || search.width == 0) return;
  const dim3 grid(block_count(search.height * 2 * energy_reach, block_threads), static_cast<unsigned>(strips));
  renew_energies<<<grid, block_threads, 0, stream>>>(search, strips);
  TS_CUDA_LAUNCHED();
}

// The variants from this one on follow greedy paths directly, in blocks of 64, 128, 256 and 512 threads.
constexpr int first_direct_variant = 2, min_path_threads = 64;
static_assert(SeamCarving::cuda_variants.size() == first_direct_variant + 4);

void carve(DeviceSearch& search, Path path, int seams_at_once, int first, int last, int variant, CudaStream stream) {
  // Variants in the order of SeamCarving::cuda_variants.
  const bool per_row = variant == 1, direct = variant >= first_direct_variant;
  const int path_threads = direct ? min_path_threads << (variant - first_direct_variant) : min_path_threads;
  for (int done = first; done < last;) {
    const int strips = std::min({seams_at_once, last - done, search.width});
    if (path == Path::dp)
      find_seams_dp(search, strips, per_row, stream);
    else
      find_seams_greedy(search, strips, direct, path_threads, stream);
    remove_seams(search, strips, done + 1, stream);
    done += strips;
  }
}

}  // namespace threadscape::seam_carving
