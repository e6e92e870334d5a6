// The readable kernels, which also serve elements with grey levels: one thread per pixel, one step per pixel of the
// element. `global` reads the picture and the element from global memory; `shared` keeps the rows that a block needs
// for one row of the element in shared memory. Compare with morphology_serial.cpp.

#include "compute/algorithms/morphology/morphology/cuda/morphology_cuda.h"
#include "compute/engines/planes/ladder_block.h"
#include "compute/engines/planes/planes.h"
#include "compute/gpu/check.h"

namespace threadscape::morphology {
namespace {

using ladder::block_height;
using ladder::block_width;

template <class Pixel>
using Picture = ImageView<Pixel, Space::device>;

/// The running minimum or maximum of a pixel's channels.
template <class P>
struct Extreme {
  using Value = typename P::Value;
  Value value[P::count];
  bool flat, erode;

  __device__ Extreme(bool flat_, bool erode_) : flat(flat_), erode(erode_) {
    for (int plane = 0; plane < P::count; ++plane)
      value[plane] = neutral_value<Value>(erode);
  }
  __device__ void take(const typename P::Pixel& pixel, float level) {
    const Units<Value> units = in_units<Value>(level);
    for (int plane = 0; plane < P::count; ++plane) {
      const Value other = P::get(pixel, plane);
      value[plane] = extreme(value[plane], flat ? other : shifted(other, units, erode), erode);
    }
  }
  __device__ void put(typename P::Pixel& pixel) const {
    for (int plane = 0; plane < P::count; ++plane)
      P::set(pixel, plane, value[plane]);
  }
};

// ---- Variant `global`

template <class P>
__global__ void extreme_global(Picture<const typename P::Pixel> from, Picture<typename P::Pixel> to, const Term* terms,
                               int count, bool flat, bool erode, Border border) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= from.width || y >= from.height) return;
  Extreme<P> result(flat, erode);
  for (int i = 0; i < count; ++i) {
    const Term term = terms[i];
    const int column = border_index(x + term.dx, from.width, border);
    const int row = border_index(y + term.dy, from.height, border);
    if (column >= 0 && row >= 0) result.take(from(column, row), term.level);
  }
  auto pixel = from(x, y);
  result.put(pixel);
  to(x, y) = pixel;
}

// ---- Variant `shared`

template <class P>
__global__ void extreme_shared(Picture<const typename P::Pixel> from, Picture<typename P::Pixel> to, const Term* terms,
                               int count, int left, int width, bool flat, bool erode, Border border) {
  using Pixel = typename P::Pixel;
  extern __shared__ uint4 memory[];
  auto* rows = reinterpret_cast<Pixel*>(memory);  // block_height rows of block_width + width - 1 pixels.
  const int pitch = block_width + width - 1;
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;

  Extreme<P> result(flat, erode);
  for (int i = 0; i < count;) {
    const int dy = terms[i].dy;
    const int row = border_index(y + dy, from.height, border);
    __syncthreads();
    for (int j = threadIdx.x; j < pitch; j += block_width) {
      const int column = border_index(blockIdx.x * block_width + left + j, from.width, border);
      if (row >= 0 && column >= 0) rows[threadIdx.y * pitch + j] = from(column, row);
    }
    __syncthreads();
    for (; i < count && terms[i].dy == dy; ++i) {
      const Term term = terms[i];
      const bool inside = border != Border::zero || (x + term.dx >= 0 && x + term.dx < from.width);
      if (row >= 0 && inside) result.take(rows[threadIdx.y * pitch + threadIdx.x + term.dx - left], term.level);
    }
  }
  if (x >= from.width || y >= from.height) return;
  auto pixel = from(x, y);
  result.put(pixel);
  to(x, y) = pixel;
}

}  // namespace

void launch_terms(const DevicePass& pass, std::byte* memory, bool shared) {
  const Window& window = *pass.step.window;
  const std::vector<Term> terms = all_terms(window);
  auto* device_terms = reinterpret_cast<Term*>(memory);
  TS_CUDA_CHECK(
      cudaMemcpyAsync(device_terms, terms.data(), terms.size() * sizeof(Term), cudaMemcpyHostToDevice, pass.stream));
  const int count = static_cast<int>(terms.size());
  with_planes<std::uint8_t, std::uint16_t, float>(pass.shape, Channels::each, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const Picture<Pixel> from = pass.from.view(pass.shape).template image<Pixel>(),
                         to = pass.to.view(pass.shape).template image<Pixel>();
    const dim3 block(block_width, block_height);
    const dim3 grid((from.width + block_width - 1) / block_width, (from.height + block_height - 1) / block_height);
    if (shared) {
      const std::size_t bytes = sizeof(Pixel) * block_height * static_cast<std::size_t>(block_width + window.width - 1);
      extreme_shared<P><<<grid, block, bytes, pass.stream>>>(from, to, device_terms, count, window.left, window.width,
                                                             window.flat, pass.step.erode, pass.border);
    } else {
      extreme_global<P>
          <<<grid, block, 0, pass.stream>>>(from, to, device_terms, count, window.flat, pass.step.erode, pass.border);
    }
    TS_CUDA_LAUNCHED();
  });
}

}  // namespace threadscape::morphology
