// Colours as vectors: one thread per pixel, one comparison per pixel of the element. Compare with
// morphology_vectors.cpp.

#include "compute/algorithms/morphology/morphology/cuda/morphology_cuda.h"
#include "compute/algorithms/morphology/morphology/morphology_vectors.h"
#include "compute/engines/planes/ladder_block.h"
#include "compute/engines/planes/planes.h"
#include "compute/gpu/check.h"

namespace threadscape::morphology {
namespace {

using ladder::block_height;
using ladder::block_width;

template <class Pixel>
using Picture = ImageView<Pixel, Space::device>;

template <class P>
__global__ void extreme_vector(Picture<const typename P::Pixel> from, Picture<typename P::Pixel> to, const Term* terms,
                               int count, bool erode, ColourOrder order, Border border) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= from.width || y >= from.height) return;
  ColourExtreme<P> result(erode, order);
  for (int i = 0; i < count; ++i) {
    const int column = border_index(x + terms[i].dx, from.width, border);
    const int row = border_index(y + terms[i].dy, from.height, border);
    if (column >= 0 && row >= 0) result.take(from(column, row));
  }
  auto pixel = from(x, y);
  result.put(pixel);
  to(x, y) = pixel;
}

}  // namespace

void launch_vectors(const DevicePass& pass, std::byte* memory, ColourOrder order) {
  const std::vector<Term> terms = all_terms(*pass.step.window);
  auto* device_terms = reinterpret_cast<Term*>(memory);
  TS_CUDA_CHECK(
      cudaMemcpyAsync(device_terms, terms.data(), terms.size() * sizeof(Term), cudaMemcpyHostToDevice, pass.stream));
  with_planes<std::uint8_t, std::uint16_t, float>(pass.shape, Channels::each, [&](auto planes) {
    using P = decltype(planes);
    if constexpr (P::count == 3) {
      using Pixel = typename P::Pixel;
      const Picture<Pixel> from = pass.from.view(pass.shape).template image<Pixel>(),
                           to = pass.to.view(pass.shape).template image<Pixel>();
      const dim3 block(block_width, block_height);
      const dim3 grid((from.width + block_width - 1) / block_width, (from.height + block_height - 1) / block_height);
      extreme_vector<P><<<grid, block, 0, pass.stream>>>(from, to, device_terms, static_cast<int>(terms.size()),
                                                         pass.step.erode, order, pass.border);
      TS_CUDA_LAUNCHED();
    }
  });
}

}  // namespace threadscape::morphology
