// sketch: rows    title: Costs of seams, a launch for each row
// reads: picture gray u8    makes: picture gray f32
// temp: energy = picture gray f32
// pass: gradient(in, energy, out)
// for: y = 1; y < height; y + 8
// pass: row(energy, out, y)    block: 64    blocks: (width + 47) / 48
// end
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

// A block keeps 48 of 64 columns, since the rim of its tile becomes wrong by a column with each row.
__global__ void row(Image<const float> energy, Image<float> cost, int first) {
  __shared__ float lines[2][66];
  const float infinite = __int_as_float(0x7f800000);
  const int t = threadIdx.x, x = blockIdx.x * 48 + t - 8;
  const bool inside = x >= 0 && x < cost.width;
  if (t < 2) lines[t][0] = lines[t][65] = infinite;
  lines[0][t + 1] = inside ? cost(x, first - 1) : infinite;
  for (int k = 0; k < 8 && first + k < cost.height; ++k) {
    __syncthreads();
    const float* const above = lines[k % 2];
    const float least = fminf(fminf(above[t], above[t + 1]), above[t + 2]);
    const float own = inside ? least + energy(x, first + k) : infinite;
    lines[1 - k % 2][t + 1] = own;
    if (inside && t >= 8 && t < 8 + 48) cost(x, first + k) = own;
  }
}
