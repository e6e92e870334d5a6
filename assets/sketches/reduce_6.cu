// sketch: reduce_6    title: Sum, 6: every step unrolled
// reads: sequence i32    makes: number i64
// temp: sums = sequence i64 ((count + 511) / 512)
// pass: reduce(in, sums)    threads: (count + 1) / 2
// pass: finish(sums, out)    blocks: 1    block: 32
// check: reduction type=int32 operator=sum

#include "threadscape.h"

template <int step>
__device__ void add_warp(long long* sum, int t) {
  const long long other = sum[t + step];
  __syncwarp();
  sum[t] += other;
  __syncwarp();
  if constexpr (step > 1) add_warp<step / 2>(sum, t);
}

__global__ void reduce(Sequence<const int> in, Sequence<long long> sums) {
  __shared__ long long sum[256];
  const int t = threadIdx.x;
  const long long i = blockIdx.x * 512ll + t;
  sum[t] = (i < in.count ? in[i] : 0ll) + (i + 256 < in.count ? in[i + 256] : 0ll);
  __syncthreads();
  if (t < 128) sum[t] += sum[t + 128];
  __syncthreads();
  if (t < 64) sum[t] += sum[t + 64];
  __syncthreads();
  if (t < 32) add_warp<32>(sum, t);
  if (t == 0) sums[blockIdx.x] = sum[0];
}

__global__ void finish(Sequence<const long long> sums, Sequence<long long> out) {  // One warp adds the sums of blocks.
  long long sum = 0;
  for (long long i = threadIdx.x; i < sums.count; i += 32)
    sum += sums[i];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x == 0) out[0] = sum;
}
