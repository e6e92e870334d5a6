// The conversion of YUV to RGB on the GPU: a thread has one sample of U and V, and converts its two columns and two
// rows of pixels. A warp writes 256 neighbouring bytes of each row, and memory is the limit. Compare with
// compute/core/yuv.cpp.

#include "compute/engines/yuv/yuv_cuda.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::cuda {

namespace {

constexpr int block_width = 32, block_height = 4;

struct alignas(8) TwoPixels {
  Rgba8 left, right;
};

__global__ void __launch_bounds__(block_width* block_height)
    convert_samples(YuvPlanes planes, YuvFactors by, EitherStore<Rgba8> store) {
  const int column = static_cast<int>(blockIdx.x * block_width + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * block_height + threadIdx.y);
  const int x = 2 * column, y = 2 * row;
  if (x >= planes.width || y >= planes.height) return;
  const std::uint8_t* const u = planes.u + planes.u_pitch * row;
  const YuvColour colour = planes.v == nullptr ? yuv_colour(by, u[x], u[x + 1])
                                               : yuv_colour(by, u[column], (planes.v + planes.v_pitch * row)[column]);
  const bool two_columns = x + 1 < planes.width, wide = two_columns && store.wide();
  for (int i = 0; i < 2 && y + i < planes.height; ++i) {
    const std::uint8_t* const from = planes.y + planes.y_pitch * (y + i) + x;
    const Rgba8 left = yuv_pixel(by, colour, from[0]);
    const Rgba8 right = two_columns ? yuv_pixel(by, colour, from[1]) : left;
    if (wide) {
      store.store_wide(x, y + i, TwoPixels{left, right});
    } else {
      store.store(x, y + i, left);
      if (two_columns) store.store(x + 1, y + i, right);
    }
  }
}

}  // namespace

void yuv_to_rgba(const YuvPlanes& planes, const DeviceSink& picture, CudaStream stream) {
  require_yuv_picture(planes, picture.shape);
  const int columns = (planes.width + 1) / 2, rows = (planes.height + 1) / 2;
  const dim3 block(block_width, block_height);
  const dim3 grid((columns + block_width - 1) / block_width, (rows + block_height - 1) / block_height);
  convert_samples<<<grid, block, 0, stream>>>(planes, yuv_factors(planes.full_range, planes.bt709),
                                              EitherStore<Rgba8>(picture));
  TS_CUDA_LAUNCHED();
}

}  // namespace threadscape::cuda
