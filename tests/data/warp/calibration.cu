// Kernels whose hardware counters calibrate and check a model of warps: sectors, bank conflicts, divergence.
#include <cstdint>
#define K extern "C" __global__ void
constexpr int N = 1024;
K transpose_naive(const float* a, float* b) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  for (int j = 0; j < 1; j++)
    b[x * N + y] = a[y * N + x];
}
K transpose_tile(const float* a, float* b) {
  __shared__ float t[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    t[threadIdx.y + j][threadIdx.x] = a[(y + j) * N + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    b[(y + j) * N + x] = t[threadIdx.x][threadIdx.y + j];
}
K transpose_padded(const float* a, float* b) {
  __shared__ float t[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    t[threadIdx.y + j][threadIdx.x] = a[(y + j) * N + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    b[(y + j) * N + x] = t[threadIdx.x][threadIdx.y + j];
}
K load_float4(const float4* a, float4* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i];
}
K load_byte(const uint8_t* a, uint8_t* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i];
}
K load_stride2(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[2 * i];
}
K load_half_warp(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x & 1) b[i] = a[i] * 2;
}
template <class T, int S>
__device__ void shared_stride(T* out) {
  __shared__ T t[32 * S];
  for (int i = threadIdx.x; i < 32 * S; i += 32)
    t[i] = T(i);
  __syncwarp();
  T v = t[(threadIdx.x * S) % (32 * S)];
  out[blockIdx.x * 32 + threadIdx.x] = v;
}
K shared32_s1(uint32_t* o) {
  shared_stride<uint32_t, 1>(o);
}
K shared32_s2(uint32_t* o) {
  shared_stride<uint32_t, 2>(o);
}
K shared32_s32(uint32_t* o) {
  shared_stride<uint32_t, 32>(o);
}
K shared64_s1(uint64_t* o) {
  shared_stride<uint64_t, 1>(o);
}
K shared64_s4(uint64_t* o) {
  shared_stride<uint64_t, 4>(o);
}
K shared16_s1(uint16_t* o) {
  shared_stride<uint16_t, 1>(o);
}
K shared128_s1(uint4* o) {
  __shared__ uint4 t[32];
  t[threadIdx.x] = make_uint4(threadIdx.x, 0, 0, 0);
  __syncwarp();
  o[blockIdx.x * 32 + threadIdx.x] = t[31 - threadIdx.x];
}
K loop_length(float* o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i;
  for (int k = 0; k < threadIdx.x; k++)
    v = __fmaf_rn(v, 1.0001f, 1.f);
  o[i] = v;
}
K histogram_shared(const uint8_t* a, unsigned* h) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&s[a[i]], 1u);
  __syncthreads();
  atomicAdd(&h[threadIdx.x], s[threadIdx.x]);
}
K matmul_tile(const float* a, const float* b, float* c) {
  __shared__ float A[16][16], B[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float s = 0;
  for (int k = 0; k < 256; k += 16) {
    A[threadIdx.y][threadIdx.x] = a[y * 256 + k + threadIdx.x];
    B[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * 256 + x];
    __syncthreads();
    for (int i = 0; i < 16; i++)
      s += A[threadIdx.y][i] * B[i][threadIdx.x];
    __syncthreads();
  }
  c[y * 256 + x] = s;
}
