// sketch: scan    title: Running sums, block by block
// reads: sequence i32    makes: sequence i64
// temp: sums = sequence i64 ((count + 255) / 256)
// pass: within(in, out, sums)
// pass: before(sums)    threads: 1
// pass: add(out, sums)
// check: scan.cpp

#include "threadscape.h"

__global__ void within(Sequence<const int> in, Sequence<long long> out, Sequence<long long> sums) {
  __shared__ long long sum[256];
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  sum[threadIdx.x] = i < in.count ? in[i] : 0;
  for (int step = 1; step < 256; step *= 2) {
    __syncthreads();
    const long long left = threadIdx.x >= step ? sum[threadIdx.x - step] : 0;
    __syncthreads();
    sum[threadIdx.x] += left;
  }
  if (i < in.count) out[i] = sum[threadIdx.x];
  if (threadIdx.x == 255) sums[blockIdx.x] = sum[255];
}

// Each sum becomes that of the blocks before its own.
__global__ void before(Sequence<long long> sums) {
  if (threadIdx.x != 0) return;
  long long sum = 0;
  for (long long i = 0; i < sums.count; ++i) {
    const long long own = sums[i];
    sums[i] = sum;
    sum += own;
  }
}

__global__ void add(Sequence<long long> out, Sequence<const long long> sums) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < out.count) out[i] += sums[blockIdx.x];
}
