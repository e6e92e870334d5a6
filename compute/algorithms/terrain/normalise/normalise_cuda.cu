// Normalise on the GPU in two launches: every block leaves the range of its share; then every block takes all of these
// in again, which is cheaper than a launch in between, and stretches. Compare with normalise_serial.cpp.

#include <algorithm>

#include "compute/algorithms/terrain/normalise/normalise.h"
#include "compute/algorithms/terrain/normalise/normalise_parts.h"
#include "compute/cuda/check.h"
#include "compute/cuda/store.cuh"

namespace threadscape {
namespace normalise {
namespace {

template <class Height>
using Heights = ImageView<const Height, Space::device>;

/// The range of a block's threads, for all of them.
__device__ Range block_range(Range range) {
  __shared__ Range of_warps[reduce_threads / 32];
  for (int offset = 16; offset > 0; offset /= 2)
    take_in(range,
            Range{__shfl_xor_sync(0xffffffffu, range.least, offset), __shfl_xor_sync(0xffffffffu, range.most, offset)});
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = range;
  __syncthreads();
  for (const Range& of_warp : of_warps)
    take_in(range, of_warp);
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
  Range* const ranges = run.scratch->take<Range>(most_blocks).data();
  const int blocks = static_cast<int>(std::min<std::int64_t>(run.in.shape.height, most_blocks));
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
