// sketch: rows    title: Costs of seams, a launch for each row
// reads: picture gray u8    makes: picture gray f32
// temp: energy = picture gray f32
// pass: gradient(in, energy, out)
// pass: row(energy, out)    block: 1024    blocks: 1
// check: seam_carving output=cost energy=gradient path=dp

#include "threadscape.h"

// The energy of each pixel, which in the top row is its cost.
__global__ void gradient(Image<const unsigned char> in, Image<float> energy, Image<float> cost) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!energy.inside(x, y)) return;
  const float dx = float(in.clamp(x + 1, y)) - float(in.clamp(x - 1, y));
  const float dy = float(in.clamp(x, y + 1)) - float(in.clamp(x, y - 1));
  energy(x, y) = sqrtf(dx * dx + dy * dy);
  if (y == 0) cost(x, y) = energy(x, y);
}

// One block goes over all rows.
__global__ void row(Image<const float> energy, Image<float> cost) {
  for (int y = 1; y < cost.height; ++y) {
    __syncthreads();
    for (int x = threadIdx.x; x < cost.width; x += 1024)
      cost(x, y) = fminf(fminf(cost.clamp(x - 1, y - 1), cost(x, y - 1)), cost.clamp(x + 1, y - 1)) + energy(x, y);
  }
}
