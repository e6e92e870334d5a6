// A chain on the GPU: kernels follow each other on one stream, either those of one step at a time or one kernel for
// several steps (chain_fused.cu). The intermediate pictures lie in two buffers in device memory; pictures that fit into
// the second-level cache never leave it. Only the last kernel writes to the sink of the run.

#include <algorithm>

#include "compute/algorithms/filters/chain/chain.h"
#include "compute/algorithms/filters/chain/chain_fused.h"
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
  const bool fuse = run.variant == 1;  // in the order of cuda_variants

  std::vector<const Step*> steps;
  std::vector<std::uint64_t> seeds;
  std::vector<Shape> results;
  chain::for_each_step(params, run.in.shape, run.seed,
                       [&](const Step& step, std::uint64_t seed, const Shape&, const Shape& result, bool) {
                         steps.push_back(&step);
                         seeds.push_back(seed);
                         results.push_back(result);
                       });
  if (steps.empty()) return chain::copy_as_any<std::uint8_t, Rgba8, std::uint16_t, Rgba16, float, Rgba32f>(run);

  const auto* preparations = dynamic_cast<const chain::StepPreparations*>(run.preparation);
  DeviceRun step_run = run;
  step_run.variant = 0;
  std::size_t at = 0;
  for (int launch = 0; at < steps.size(); ++launch) {
    const std::span<const Step* const> rest = std::span(steps).subspan(at);
    const chain::Stages stages = fuse ? chain::stages_of(rest, step_run.in.shape) : chain::Stages{};
    const std::size_t next = at + static_cast<std::size_t>(std::max(stages.count, 1));
    const Shape& result = results[next - 1];
    const DeviceOut between{buffers[launch % 2], result, row_bytes(result, chain::row_alignment)};
    step_run.out = next == steps.size() ? run.out : DeviceSink{.linear = between, .surface = 0, .shape = result};
    if (stages.count > 1) {
      chain::launch_fused(stages, step_run);
    } else {
      run.scratch->rewind(mark);
      step_run.seed = seeds[at];
      step_run.preparation = preparations != nullptr ? preparations->steps[at].get() : nullptr;
      steps[at]->algorithm->cuda(steps[at]->params, step_run);
    }
    step_run.in = between;
    at = next;
  }
}

}  // namespace threadscape
