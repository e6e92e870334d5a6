// The CUDA variants `sorting` and `selection`: one thread per pixel copies its window to a list in local memory, which
// is device memory behind the caches, and sorts the whole list or looks for one place of it. Threads of a warp exchange
// different keys, so that they wait for each other and their accesses are spread. Compare with median_lists_serial.cpp.

#include "compute/algorithms/smoothing/median/cuda/median_cuda.h"
#include "compute/algorithms/smoothing/median/median_lists.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::median {
namespace {

constexpr int block_width = 32, block_height = 4;

template <class Pixel>
using DeviceImage = ImageView<const Pixel, Space::device>;

template <bool sort, class P, class Store>
__global__ void __launch_bounds__(block_width* block_height)
    filter_by_list(DeviceImage<typename P::Pixel> in, Plan plan, Store store) {
  using Value = typename P::Value;
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= in.width || y >= in.height) return;
  auto pixel = in(x, y);  // The copy keeps alpha.
  const int radius = plan.radius(), count = plan.size * plan.size;
  const bool keep = plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius);
  TotalOrderKey<Value> list[max_list];
  for (int plane = 0; plane < P::count && !keep; ++plane) {
    int at = 0;
    for (int dy = -radius; dy <= radius; ++dy)
      for (int dx = -radius; dx <= radius; ++dx)
        list[at++] = total_order_key(plane_value<P>(in, x + dx, y + dy, plane, plan.border));
    if constexpr (sort) bubble_sort(list, count);
    const auto key = sort ? list[plan.rank] : find(list, count, plan.rank);
    P::set(pixel, plane, from_total_order_key<Value>(key));
  }
  store.store(x, y, pixel);
}

}  // namespace

void launch_lists(bool sort, const Plan& plan, const DeviceRun& run) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const DeviceImage<Pixel> in = run.in.image<Pixel>();
    const dim3 block(block_width, block_height);
    const dim3 grid((in.width + block_width - 1) / block_width, (in.height + block_height - 1) / block_height);
    cuda::dispatch_store<Pixel>(run.out, [&](auto store) {
      if (sort)
        filter_by_list<true, P><<<grid, block, 0, run.stream>>>(in, plan, store);
      else
        filter_by_list<false, P><<<grid, block, 0, run.stream>>>(in, plan, store);
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape::median
