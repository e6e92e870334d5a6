// A chain on the GPU: every step's kernels follow those of the step before on the same stream, and the pictures in
// between stay in device memory; small ones never leave the second-level cache. Only the last step writes to the sink.

#include "compute/chain/chain.h"
#include "compute/cuda/check.h"
#include "compute/cuda/store.cuh"

namespace threadscape {
namespace chain {
namespace {

constexpr int block_width = 32, block_height = 8;

template <class Pixel, class Store>
__global__ void copy_pixels(ImageView<const Pixel, Space::device> in, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x < in.width && y < in.height) store.store(x, y, in(x, y));
}

/// Without a step the result is the input.
template <class Pixel>
void copy_as(const DeviceRun& run) {
  if (!holds<Pixel>(run.in.shape)) return;
  const auto in = run.in.image<Pixel>();
  const dim3 block(block_width, block_height);
  const dim3 grid((in.width + block_width - 1) / block_width, (in.height + block_height - 1) / block_height);
  cuda::dispatch_store<Pixel>(run.out, [&](auto store) {
    copy_pixels<Pixel><<<grid, block, 0, run.stream>>>(in, store);
    TS_CUDA_LAUNCHED();
  });
}

template <class... Pixels>
void copy_as_any(const DeviceRun& run) {
  (copy_as<Pixels>(run), ...);
}

}  // namespace
}  // namespace chain

void Chain::cuda(const Params& params, const DeviceRun& run) {
  const std::size_t bytes = chain::buffer_bytes(params, run.in.shape);
  std::byte* const buffers[2]{run.scratch->take<std::byte>(bytes).data(), run.scratch->take<std::byte>(bytes).data()};
  const std::size_t mark = run.scratch->mark();
  DeviceRun step_run = run;
  step_run.variant = 0;
  int done = 0;
  const int count = chain::for_each_step(
      params, run.in.shape, run.seed,
      [&](const Step& step, std::uint64_t seed, const Shape&, const Shape& result, bool is_last) {
        run.scratch->rewind(mark);
        step_run.seed = seed;
        const DeviceOut between{buffers[done % 2], result, row_bytes(result, chain::row_alignment)};
        step_run.out = is_last ? run.out : DeviceSink{.linear = between, .surface = 0, .shape = result};
        step.algorithm->cuda(step.params, step_run);
        step_run.in = between;
        ++done;
      });
  if (count == 0) chain::copy_as_any<std::uint8_t, Rgba8, std::uint16_t, Rgba16, float, Rgba32f>(run);
}

}  // namespace threadscape
