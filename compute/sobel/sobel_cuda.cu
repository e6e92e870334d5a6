// Sobel on the GPU: `global` and `shared` are the readable kernels, one thread per pixel; the default, `tiled`, is in
// sobel_tiled.h. Compare with sobel_serial.cpp.

#include "compute/neighbourhood/patch_grid.cuh"
#include "compute/sobel/sobel.h"
#include "compute/sobel/sobel_tiled.h"

namespace threadscape {
namespace sobel {
namespace {

constexpr int block_width = 32, block_height = 8;

template <class Pixel>
using DeviceImage = ImageView<const Pixel, Space::device>;

// ---- tiled: a patch of pixels per thread
// --------------------------------------------------------------------------------

template <class P, Norm norm, PatchPart part>
__global__ void __launch_bounds__(patch_block_threads)
    find_edges_tiled(DeviceImage<typename P::Pixel> in, Plan plan, bool aligned, int first_column,
                     cuda::EitherStore<typename P::Pixel> store) {
  find_edges_of_patch<P, norm, part>(first_column + blockIdx.x * blockDim.x + threadIdx.x,
                                     blockIdx.y * blockDim.y + threadIdx.y, in, plan, aligned, store);
}

template <class P, Norm norm>
void launch_tiled(const Plan& plan, const DeviceRun& run) {
  using Pixel = typename P::Pixel;
  using Patch = PackedPatch<P, PatchSize<P>::words, PatchSize<P>::rows, radius>;
  const cuda::EitherStore<Pixel> store(run.out);
  for_patch_parts<Patch>(run, plan.border, store, [&](auto part, dim3 grid, dim3 block, int first_column) {
    find_edges_tiled<P, norm, part()>
        <<<grid, block, 0, run.stream>>>(run.in.image<Pixel>(), plan, cuda::rows_aligned(run.in), first_column, store);
  });
}

// ---- global: every thread reads its nine pixels
// -------------------------------------------------------------------------

template <class P, class Store>
__global__ void find_edges_global(DeviceImage<typename P::Pixel> in, Plan plan, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= in.width || y >= in.height) return;
  auto pixel = in(x, y);  // keeps alpha
  const bool keep = plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius);
  for (int plane = 0; plane < P::count && !keep; ++plane) {
    const Gradient g = gradient(
        [&](int dx, int dy) { return static_cast<int>(plane_value<P>(in, x + dx, y + dy, plane, plan.border)); });
    P::set(pixel, plane, strength(g, plan.norm));
  }
  store.store(x, y, pixel);
}

// ---- shared: a block loads its tile and the halo around it once
// ----------------------------------------------------------

template <class P, class Store>
__global__ void find_edges_shared(DeviceImage<typename P::Pixel> in, Plan plan, Store store) {
  using Pixel = typename P::Pixel;
  __shared__ Pixel tile[block_height + 2 * radius][block_width + 2 * radius];

  const int left = blockIdx.x * block_width - radius, top = blockIdx.y * block_height - radius;
  for (int row = threadIdx.y; row < block_height + 2 * radius; row += block_height)
    for (int column = threadIdx.x; column < block_width + 2 * radius; column += block_width) {
      const int from_x = border_index(left + column, in.width, plan.border);
      const int from_y = border_index(top + row, in.height, plan.border);
      tile[row][column] = from_x < 0 || from_y < 0 ? Pixel{} : in(from_x, from_y);
    }
  __syncthreads();

  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= in.width || y >= in.height) return;
  const int column = threadIdx.x + radius, row = threadIdx.y + radius;
  Pixel pixel = tile[row][column];
  const bool keep = plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius);
  for (int plane = 0; plane < P::count && !keep; ++plane) {
    const Gradient g =
        gradient([&](int dx, int dy) { return static_cast<int>(P::get(tile[row + dy][column + dx], plane)); });
    P::set(pixel, plane, strength(g, plan.norm));
  }
  store.store(x, y, pixel);
}

}  // namespace
}  // namespace sobel

void Sobel::cuda(const Params& params, const DeviceRun& run) {
  using namespace sobel;  // NOLINT: the kernels above
  const sobel::Plan plan = Sobel::plan(params);
  with_planes<std::uint8_t>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    if (run.variant == 0) {  // in the order of cuda_variants
      if (plan.norm == sobel::Norm::l1)
        launch_tiled<P, sobel::Norm::l1>(plan, run);
      else
        launch_tiled<P, sobel::Norm::l2>(plan, run);
      return;
    }
    const DeviceImage<Pixel> in = run.in.image<Pixel>();
    const dim3 block(block_width, block_height);
    const dim3 grid((in.width + block_width - 1) / block_width, (in.height + block_height - 1) / block_height);
    cuda::dispatch_store<Pixel>(run.out, [&](auto store) {
      if (run.variant == 1)
        find_edges_global<P><<<grid, block, 0, run.stream>>>(in, plan, store);
      else
        find_edges_shared<P><<<grid, block, 0, run.stream>>>(in, plan, store);
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape
