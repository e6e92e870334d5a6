// Normalise on the GPU in two launches. In the first one every block reduces its rows to a range. In the second one
// every block reduces the ranges of all blocks again, which is cheaper than a launch in between, and maps its rows.
// Compare with normalise_serial.cpp.

#include <algorithm>

#include "compute/algorithms/terrain/normalise/normalise.h"
#include "compute/algorithms/terrain/normalise/normalise_parts.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape {
namespace normalise {
namespace {

template <class Height>
using Heights = ImageView<const Height, Space::device>;

/// Reduces the ranges of all threads of a block, and returns the result to all of them.
__device__ Range block_range(Range range) {
  __shared__ Range warp_ranges[reduce_threads / 32];
  for (int offset = 16; offset > 0; offset /= 2)
    take_in(range,
            Range{__shfl_xor_sync(0xffffffffu, range.min, offset), __shfl_xor_sync(0xffffffffu, range.max, offset)});
  if (threadIdx.x % 32 == 0) warp_ranges[threadIdx.x / 32] = range;
  __syncthreads();
  for (const Range& warp_range : warp_ranges)
    take_in(range, warp_range);
  return range;
}

template <class Height>
__global__ void __launch_bounds__(reduce_threads) find_ranges(Heights<Height> in, Range* ranges) {
  Range range;
  for (int y = blockIdx.x; y < in.height; y += gridDim.x)
    for (int x = threadIdx.x; x < in.width; x += reduce_threads)
      take_in(range, static_cast<float>(in(x, y)));
  range = block_range(range);
  if (threadIdx.x == 0) ranges[blockIdx.x] = range;
}

template <class Height, class Store>
__global__ void __launch_bounds__(reduce_threads)
    stretch_heights(Heights<Height> in, const Range* ranges, int count, float low, float high, Store store) {
  Range range;
  for (int i = threadIdx.x; i < count; i += reduce_threads)
    take_in(range, ranges[i]);
  const Stretch stretch(block_range(range), low, high);
  for (int y = blockIdx.x; y < in.height; y += gridDim.x)
    for (int x = threadIdx.x; x < in.width; x += reduce_threads)
      store.store(x, y, stretch(static_cast<float>(in(x, y))));
}

}  // namespace
}  // namespace normalise

void Normalise::cuda(const Params& params, const DeviceRun& run) {
  using namespace normalise;  // NOLINT: its functions are what this is about
  Range* const ranges = run.scratch->take<Range>(max_blocks).data();
  const int blocks = static_cast<int>(std::min<std::int64_t>(run.in.shape.height, max_blocks));
  terrain::with_heights(run.in.shape, [&]<class Height>(Height) {
    const auto in = run.in.image<Height>();
    find_ranges<Height><<<blocks, reduce_threads, 0, run.stream>>>(in, ranges);
    TS_CUDA_LAUNCHED();
    cuda::dispatch_store<float>(run.out, [&](auto store) {
      stretch_heights<Height>
          <<<blocks, reduce_threads, 0, run.stream>>>(in, ranges, blocks, params.low, params.high, store);
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape
