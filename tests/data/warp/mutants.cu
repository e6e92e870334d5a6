// Kernels for the test of mutants. Blocks have 128 threads; `in` has n words, `out` n words and the ones that a kernel
// names. Every barrier and every fence is needed.
#define K(name) extern "C" __global__ void name(int* out, const int* in, int n)
#define T static_cast<int>(threadIdx.x)
#define I static_cast<int>(blockIdx.x * 128 + threadIdx.x)

/// Sums of blocks, by a tree.
K(reduce) {
  __shared__ int s[128];
  s[T] = I < n ? in[I] : 0;
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (T < d) s[T] += s[T + d];
    __syncthreads();
  }
  if (T == 64) out[blockIdx.x] = s[0];
}
/// Inclusive sums within blocks.
K(scan) {
  __shared__ int s[128];
  int v = I < n ? in[I] : 0;
  s[T] = v;
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    const int before = T >= d ? s[T - d] : 0;
    __syncthreads();
    s[T] = v += before;
    __syncthreads();
  }
  if (I < n) out[I] = v;
}
/// Sums of five neighbours, from a tile with a halo.
K(stencil) {
  __shared__ int s[132];
  const auto at = [&](int i) { return in[i < 0 ? 0 : i >= n ? n - 1 : i]; };
  s[T + 2] = at(I);
  if (T < 2) {
    s[T] = at(I - 2);
    s[T + 130] = at(I + 128);
  }
  __syncthreads();
  if (I < n) out[I] = s[T] + 2 * s[T + 1] + 4 * s[T + 2] + 2 * s[T + 3] + s[T + 4];
}
/// A histogram of the lowest four bits of a block.
K(histogram) {
  __shared__ int s[16];
  if (T < 16) s[T] = 0;
  __syncthreads();
  if (I < n) atomicAdd(&s[in[I] & 15], 1);
  __syncthreads();
  if (T < 16) atomicAdd(&out[T], s[T]);
}
/// Each block in ascending order.
K(sort) {
  __shared__ int s[128];
  s[T] = I < n ? in[I] : 0x7fffffff;
  for (int size = 2; size <= 128; size *= 2)
    for (int d = size / 2; d > 0; d /= 2) {
      __syncthreads();
      const int other = T ^ d;
      if (other > T) {
        const int a = s[T], b = s[other];
        if ((a > b) == ((T & size) == 0)) {
          s[T] = b;
          s[other] = a;
        }
      }
    }
  __syncthreads();
  if (I < n) out[I] = s[T];
}
/// The maximum of all, which the last block finds; out has a ticket and the maxima of blocks behind the result.
K(last_block) {
  __shared__ int s[4];
  __shared__ int ticket;
  int v = I < n ? in[I] : -1;
  for (int d = 16; d > 0; d /= 2)
    v = max(v, __shfl_xor_sync(0xffffffff, v, d));
  if (T % 32 == 0) s[T / 32] = v;
  __syncthreads();
  if (T == 0) {
    out[2 + blockIdx.x] = max(max(s[0], s[1]), max(s[2], s[3]));
    __threadfence();
    ticket = atomicAdd(&out[1], 1);
  }
  __syncthreads();
  if (ticket != static_cast<int>(gridDim.x) - 1 || T != 0) return;
  int most = -1;
  for (int i = 0; i < static_cast<int>(gridDim.x); ++i)
    most = max(most, out[2 + i]);
  out[0] = most;
}
/// Rows of 16 words become columns.
K(transpose) {
  __shared__ int s[16][9];
  const int x = T % 16, y = T / 16;
  s[x][y] = I < n ? in[I] : 0;
  __syncthreads();
  const int i = static_cast<int>(blockIdx.x) * 128 + T;
  if (i < n) out[i] = s[T / 8][T % 8];
}
