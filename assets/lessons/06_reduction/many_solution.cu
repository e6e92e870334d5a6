// sketch: many    title: Sum, with a thread for each number
// reads: sequence i32    makes: number i64
// temp: sums = sequence i64 (min(32, (count + 255) / 256))
// pass: reduce(in, sums)    blocks: min(32, (count + 255) / 256)
// pass: finish(sums, out)    blocks: 1
// check: reduction type=int32 operator=sum

#include "threadscape.h"

__global__ void reduce(Sequence<const int> in, Sequence<long long> sums) {
  __shared__ long long sum[256];
  const int t = threadIdx.x;
  long long own = 0;
  for (long long i = blockIdx.x * 256ll + t; i < in.count; i += gridDim.x * 256ll)
    own += in[i];
  sum[t] = own;
  for (int step = 128; step > 0; step /= 2) {
    __syncthreads();
    if (t < step) sum[t] += sum[t + step];
  }
  if (t == 0) sums[blockIdx.x] = sum[0];
}

// One block adds what the others have found.
__global__ void finish(Sequence<const long long> sums, Sequence<long long> out) {
  __shared__ long long all[256];
  long long sum = 0;
  for (long long i = threadIdx.x; i < sums.count; i += 256)
    sum += sums[i];
  all[threadIdx.x] = sum;
  for (int step = 128; step > 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step) all[threadIdx.x] += all[threadIdx.x + step];
  }
  if (threadIdx.x == 0) out[0] = all[0];
}
