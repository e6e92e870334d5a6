// Phantoms on the GPU, with a thread per voxel. Compare with phantom_serial.cpp.

#include "compute/algorithms/tomography/phantom/phantom.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape {
namespace volumes {
namespace {

constexpr int block_x = 64, block_z = 4;

template <class Store>
__global__ void phantom_voxels(const __grid_constant__ PhantomPlan plan, Store store) {
  const int x = blockIdx.x * block_x + threadIdx.x, z = blockIdx.y * block_z + threadIdx.y;
  const int y = static_cast<int>(blockIdx.z);
  if (x < plan.grid.nx && z < plan.grid.nz) store.store(x, z, y, plan.at(x, y, z));
}

}  // namespace
}  // namespace volumes

void PhantomVolume::cuda(const Params& params, const DeviceRun& run) {
  const volumes::PhantomPlan plan = params.plan();
  const dim3 block(volumes::block_x, volumes::block_z);
  const dim3 grid((plan.grid.nx + block.x - 1) / block.x, (plan.grid.nz + block.y - 1) / block.y, plan.grid.ny);
  cuda::dispatch_volume_store<float>(run.out, [&](auto store) {
    volumes::phantom_voxels<<<grid, block, 0, run.stream>>>(plan, store);
    TS_CUDA_LAUNCHED();
  });
}

}  // namespace threadscape
