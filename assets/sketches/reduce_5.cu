// sketch: reduce_5    title: Sum, 5: the last warp without barriers of the block
// reads: sequence i32    makes: number i64
// temp: sums = sequence i64 ((count + 511) / 512)
// pass: reduce(in, sums)    threads: (count + 1) / 2
// pass: finish(sums, out)    blocks: 1    block: 32
// check: reduction type=int32 operator=sum

#include "threadscape.h"

__global__ void reduce(Sequence<const int> in, Sequence<long long> sums) {
  __shared__ long long sum[256];
  const int t = threadIdx.x;
  const long long i = blockIdx.x * 512ll + t;
  sum[t] = (i < in.count ? in[i] : 0ll) + (i + 256 < in.count ? in[i + 256] : 0ll);
  for (int step = 128; step > 32; step /= 2) {
    __syncthreads();
    if (t < step) sum[t] += sum[t + step];
  }
  __syncthreads();
  if (t >= 32) return;
  for (int step = 32; step > 0; step /= 2) {
    const long long other = sum[t + step];
    __syncwarp();
    sum[t] += other;
    __syncwarp();
  }
  if (t == 0) sums[blockIdx.x] = sum[0];
}

// One warp adds what the blocks have found.
__global__ void finish(Sequence<const long long> sums, Sequence<long long> out) {
  long long sum = 0;
  for (long long i = threadIdx.x; i < sums.count; i += 32)
    sum += sums[i];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x == 0) out[0] = sum;
}
