// sketch: levels    title: Diamond-square, two launches for each level
// reads: nothing    makes: heightfield u8 ((1 << n) + 1 x (1 << n) + 1)
// param: n = 6 (1..8)  "the terrain has 2^n + 1 points a side"
// pass: coarse(out, min(n, 3), n, seed)    block: 1024    blocks: 1
// for: level = 4; level <= n; level + 1
// pass: diamonds(out, level, n, seed)    threads: 1 << (level - 1) x 1 << (level - 1)
// pass: squares(out, level, n, seed)    threads: (1 << (level - 1)) + 1 x (1 << level) + 1
// end
// check: diamond_square mode=classic n=(n)

#include "threadscape.h"

// 16 bits of Philox4x32-10 (Salmon et al. 2011), which belong to a cell of a level.
__device__ int random16(int seed, int level, int x, int y) {
  unsigned c[4] = {unsigned(x) >> 4, unsigned(y), unsigned(level), x & 1u}, k0 = seed, k1 = 0;
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ull * c[0], b = 0xCD9E8D57ull * c[2];
    c[0] = unsigned(b >> 32) ^ c[1] ^ k0;
    c[1] = unsigned(b);
    c[2] = unsigned(a >> 32) ^ c[3] ^ k1;
    c[3] = unsigned(a);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  const int number = x >> 1 & 7;
  return c[number >> 1] >> (16 * (number & 1)) & 0xffff;
}

// The mean of the sum of `count` neighbours, moved up or down by a random number of the level.
__device__ unsigned char height(int sum, int count, int seed, int level, int x, int y) {
  const int h = level < 8 ? 256 >> level : 1;
  const int moved = sum + int(random16(seed, level, x, y) * unsigned(2 * h + 1) >> 16) - h;
  return max(0, min(255, count == 4 ? (moved + 2) >> 2 : (moved + 1) / 3));
}

__device__ void corner(Image<unsigned char> out, int x, int y, int seed) {
  out(x * (out.width - 1), y * (out.height - 1)) = random16(seed, 0, 4 * y + 2 * x, 0) >> 8;
}

// The middle of a square, at a place of the grid of the level, whose points are 1 << to apart.
__device__ void diamond(Image<unsigned char> out, int level, int to, int seed, int x, int y) {
  int sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += out((x - 1 + 2 * (i & 1)) << to, (y - 1 + (i & 2)) << to);
  out(x << to, y << to) = height(sum, 4, seed, level, x, y);
}

// The middle of a side, which has three neighbours at the rim.
__device__ void square(Image<unsigned char> out, int level, int to, int seed, int x, int y) {
  int sum = 0, count = 0;
  for (int i = 0; i < 4; ++i) {
    const int nx = (x + (i == 0) - (i == 1)) << to, ny = (y + (i == 2) - (i == 3)) << to;
    if (!out.inside(nx, ny)) continue;
    sum += out(nx, ny);
    ++count;
  }
  out(x << to, y << to) = height(sum, count, seed, level, x, y);
}

// The corners and all levels up to 'last' by one block.
__global__ void coarse(Image<unsigned char> out, int last, int n, int seed) {
  const int t = threadIdx.x, threads = blockDim.x;
  if (t < 4) corner(out, t % 2, t / 2, seed);
  for (int level = 1; level <= last; ++level) {
    const int half = 1 << (level - 1);
    __syncthreads();
    for (int i = t; i < half * half; i += threads)
      diamond(out, level, n - level, seed, 2 * (i % half) + 1, 2 * (i / half) + 1);
    __syncthreads();
    for (int i = t; i < (half + 1) * (2 * half + 1); i += threads) {
      const int y = i / (half + 1), x = 2 * (i % (half + 1)) + 1 - y % 2;
      if (x <= 2 * half) square(out, level, n - level, seed, x, y);
    }
  }
}

__global__ void diamonds(Image<unsigned char> out, int level, int n, int seed) {
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1, y = 2 * (blockIdx.y * blockDim.y + threadIdx.y) + 1;
  if (x < 1 << level && y < 1 << level) diamond(out, level, n - level, seed, x, y);
}

__global__ void squares(Image<unsigned char> out, int level, int n, int seed) {
  const int y = blockIdx.y * blockDim.y + threadIdx.y, x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 - y % 2;
  if (x <= 1 << level && y <= 1 << level) square(out, level, n - level, seed, x, y);
}
