// A chain on the GPU: the kernels of the steps follow each other on one stream. The intermediate pictures lie in two
// buffers in device memory; pictures that fit into the second-level cache never leave it. Only the last step writes to
// the sink of the run.

#include "compute/algorithms/filters/chain/chain.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape {
namespace chain {
namespace {

constexpr int block_width = 32, block_height = 8;

template <class Pixel, class Store>
__global__ void copy_pixels(ImageView<const Pixel, Space::device> in, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x < in.width && y < in.height) store.store(x, y, in(x, y));
}

/// The result of a chain without a step: copies the input if its pixels have this type.
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

  const auto* preparations = dynamic_cast<const chain::StepPreparations*>(run.preparation);
  DeviceRun step_run = run;
  step_run.variant = 0;
  std::size_t i = 0;
  const auto run_step = [&](const Step& step, std::uint64_t seed, const Shape&, const Shape& result, bool is_last) {
    const DeviceOut between{buffers[i % 2], result, row_bytes(result, chain::row_alignment)};
    step_run.out = is_last ? run.out : DeviceSink{.linear = between, .surface = 0, .shape = result};
    step_run.seed = seed;
    step_run.preparation = preparations != nullptr ? preparations->steps[i].get() : nullptr;
    run.scratch->rewind(mark);
    step.algorithm->cuda(step.params, step_run);
    step_run.in = between;
    ++i;
  };
  if (chain::for_each_step(params, run.in.shape, run.seed, run_step) == 0)
    chain::copy_as_any<std::uint8_t, Rgba8, std::uint16_t, Rgba16, float, Rgba32f>(run);
}

}  // namespace threadscape
