// The last kernel of most operations: differences, hit-or-miss, the alpha of the input, and the store to the result.

#include "compute/algorithms/morphology/morphology/cuda/morphology_cuda.h"
#include "compute/engines/planes/planes.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::morphology {
namespace {

constexpr int block_width = 32, block_height = 8;

template <class Pixel>
using Picture = ImageView<const Pixel, Space::device>;

template <class P, class Store>
__global__ void finish_pixels(Picture<typename P::Pixel> original, Picture<typename P::Pixel> result,
                              Picture<typename P::Pixel> side, Finish finish, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= original.width || y >= original.height) return;
  const auto before = original(x, y), after = result(x, y), other = side(x, y);
  auto pixel = before;  // Keeps the alpha of the input.
  for (int plane = 0; plane < P::count; ++plane)
    P::set(pixel, plane, finished(finish, P::get(after, plane), P::get(before, plane), P::get(other, plane)));
  store.store(x, y, pixel);
}

}  // namespace

void launch_finish(const DeviceRun& run, Finish finish, DevicePicture result, DevicePicture side) {
  const Shape& shape = run.in.shape;
  if (!side.data) side = result;
  with_planes<std::uint8_t, std::uint16_t, float>(shape, Channels::each, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const Picture<Pixel> original = run.in.image<Pixel>(), after = result.view(shape).template image<Pixel>(),
                         other = side.view(shape).template image<Pixel>();
    const dim3 block(block_width, block_height);
    const dim3 grid((original.width + block_width - 1) / block_width,
                    (original.height + block_height - 1) / block_height);
    cuda::dispatch_store<Pixel>(run.out, [&](auto store) {
      finish_pixels<P><<<grid, block, 0, run.stream>>>(original, after, other, finish, store);
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape::morphology
