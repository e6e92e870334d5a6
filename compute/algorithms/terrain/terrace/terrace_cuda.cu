// Terraces on the GPU, with a thread per height. Compare with terrace_serial.cpp.

#include "compute/algorithms/terrain/terrace/terrace.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape {
namespace terrace {
namespace {

constexpr int block_width = 64, block_height = 4;

template <class Height, class Store>
__global__ void terrace_heights(ImageView<const Height, Space::device> in, Plan terraced, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x < in.width && y < in.height) store.store(x, y, terraced(static_cast<float>(in(x, y))));
}

}  // namespace
}  // namespace terrace

void Terrace::cuda(const Params& params, const DeviceRun& run) {
  const terrace::Plan terraced(params.step, params.flat);
  terrain::with_heights(run.in.shape, [&]<class Height>(Height) {
    const auto in = run.in.image<Height>();
    const dim3 block(terrace::block_width, terrace::block_height);
    const dim3 grid((in.width + block.x - 1) / block.x, (in.height + block.y - 1) / block.y);
    cuda::dispatch_store<float>(run.out, [&](auto store) {
      terrace::terrace_heights<Height><<<grid, block, 0, run.stream>>>(in, terraced, store);
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape
