#include "compute/gpu/device_limits.h"

#include <cuda_runtime_api.h>

#include "compute/gpu/device.h"

namespace threadscape::cuda {

namespace {

struct Row {
  std::string_view name, title, unit;
  cudaDeviceAttr attribute;
};

constexpr Row rows[]{
    {"max_grid_x", "blocks of a grid along x", "", cudaDevAttrMaxGridDimX},
    {"max_grid_y", "blocks of a grid along y", "", cudaDevAttrMaxGridDimY},
    {"max_grid_z", "blocks of a grid along z", "", cudaDevAttrMaxGridDimZ},
    {"max_block_x", "threads of a block along x", "", cudaDevAttrMaxBlockDimX},
    {"max_block_y", "threads of a block along y", "", cudaDevAttrMaxBlockDimY},
    {"max_block_z", "threads of a block along z", "", cudaDevAttrMaxBlockDimZ},
    {"max_threads_per_block", "threads per block", "", cudaDevAttrMaxThreadsPerBlock},
    {"registers_per_block", "registers of 32 bits per block", "", cudaDevAttrMaxRegistersPerBlock},
    {"shared_bytes_per_block", "shared memory per block", "bytes", cudaDevAttrMaxSharedMemoryPerBlock},
    {"shared_bytes_per_block_optin", "shared memory per block, if asked for", "bytes",
     cudaDevAttrMaxSharedMemoryPerBlockOptin},
    {"warp_size", "threads per warp", "", cudaDevAttrWarpSize},
    {"multiprocessors", "multiprocessors", "", cudaDevAttrMultiProcessorCount},
    {"max_threads_per_multiprocessor", "threads per multiprocessor", "", cudaDevAttrMaxThreadsPerMultiProcessor},
    {"max_blocks_per_multiprocessor", "blocks per multiprocessor", "", cudaDevAttrMaxBlocksPerMultiprocessor},
    {"registers_per_multiprocessor", "registers of 32 bits per multiprocessor", "",
     cudaDevAttrMaxRegistersPerMultiprocessor},
    {"shared_bytes_per_multiprocessor", "shared memory per multiprocessor", "bytes",
     cudaDevAttrMaxSharedMemoryPerMultiprocessor},
    {"constant_bytes", "constant memory", "bytes", cudaDevAttrTotalConstantMemory},
    {"l2_bytes", "second-level cache", "bytes", cudaDevAttrL2CacheSize},
    {"max_pitch_bytes", "pitch of a copy", "bytes", cudaDevAttrMaxPitch},
    {"texture_alignment_bytes", "alignment of textures", "bytes", cudaDevAttrTextureAlignment},
    {"max_texture_1d", "texels of a texture along its line", "", cudaDevAttrMaxTexture1DWidth},
    {"max_texture_2d_width", "width of a texture", "", cudaDevAttrMaxTexture2DWidth},
    {"max_texture_2d_height", "height of a texture", "", cudaDevAttrMaxTexture2DHeight},
    {"max_texture_3d_width", "width of a volume texture", "", cudaDevAttrMaxTexture3DWidth},
    {"max_texture_3d_height", "height of a volume texture", "", cudaDevAttrMaxTexture3DHeight},
    {"max_texture_3d_depth", "depth of a volume texture", "", cudaDevAttrMaxTexture3DDepth},
    {"async_engines", "copies that overlap with kernels", "", cudaDevAttrAsyncEngineCount},
    {"concurrent_kernels", "kernels run side by side (1 = yes)", "", cudaDevAttrConcurrentKernels},
    {"can_map_host_memory", "host memory can be mapped (1 = yes)", "", cudaDevAttrCanMapHostMemory},
    {"unified_addressing", "one address space with the host (1 = yes)", "", cudaDevAttrUnifiedAddressing},
    {"ecc", "memory corrects errors (1 = yes)", "", cudaDevAttrEccEnabled},
    {"kernel_timeout", "kernels are stopped after seconds (1 = yes)", "", cudaDevAttrKernelExecTimeout},
    {"clock_khz", "clock", "kHz", cudaDevAttrClockRate},
    {"memory_clock_khz", "clock of the memory", "kHz", cudaDevAttrMemoryClockRate},
    {"bus_width_bits", "width of the memory's bus", "bits", cudaDevAttrGlobalMemoryBusWidth},
};

}  // namespace

std::vector<DeviceLimit> device_limits() {
  std::vector<DeviceLimit> limits;
  const DeviceInfo& device = device_info();
  if (!device.available) return limits;
  for (const Row& row : rows) {
    int value = 0;
    if (cudaDeviceGetAttribute(&value, row.attribute, device.index) == cudaSuccess)
      limits.push_back({row.name, row.title, value, row.unit});
  }
  cudaGetLastError();  // The error of an unknown attribute is cleared, so that a later check does not report it.
  // Two transfers per clock, on all lines of the bus.
  const std::int64_t bytes_per_second = std::int64_t{2} * device.memory_clock_khz * 1000 * (device.bus_width_bits / 8);
  if (bytes_per_second > 0)
    limits.push_back({"memory_bytes_per_second", "bandwidth of the memory", bytes_per_second, "bytes/s"});
  return limits;
}

}  // namespace threadscape::cuda
