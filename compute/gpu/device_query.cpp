#include "compute/gpu/device_query.h"

#include <cuda_runtime_api.h>

#include "compute/gpu/probe.h"

namespace threadscape::cuda {

namespace {

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

/// The reason why the device cannot be used; "" if it can.
std::string obstacle(DeviceInfo& info) {
  cudaRuntimeGetVersion(&info.runtime_version);
  cudaDriverGetVersion(&info.driver_version);
  if (info.driver_version == 0) return "no NVIDIA driver is loaded";
  int count = 0;
  if (const cudaError_t code = cudaGetDeviceCount(&count); code != cudaSuccess)
    return std::string("the CUDA driver says: ") + cudaGetErrorString(code);
  if (count == 0) return "the CUDA driver sees no device";
  if (const cudaError_t code = cudaGetDevice(&info.index); code != cudaSuccess)
    return std::string("the CUDA device cannot be opened: ") + cudaGetErrorString(code);

  cudaDeviceProp properties{};
  if (const cudaError_t code = cudaGetDeviceProperties(&properties, info.index); code != cudaSuccess)
    return std::string("the CUDA device cannot be asked: ") + cudaGetErrorString(code);
  info.name = properties.name;
  info.compute_major = properties.major;
  info.compute_minor = properties.minor;
  info.multiprocessors = properties.multiProcessorCount;
  info.total_bytes = properties.totalGlobalMem;
  info.l2_bytes = properties.l2CacheSize;
  info.memory_clock_khz = attribute(cudaDevAttrMemoryClockRate, info.index);
  info.bus_width_bits = attribute(cudaDevAttrGlobalMemoryBusWidth, info.index);

  // Creates the context, and finds out whether this build holds code for this GPU.
  cudaFuncAttributes attributes{};
  if (const cudaError_t code = cudaFuncGetAttributes(&attributes, probe_kernel()); code != cudaSuccess)
    return info.name + " (compute capability " + std::to_string(info.compute_major) + "." +
           std::to_string(info.compute_minor) + ") does not run this build: " + cudaGetErrorString(code);
  return {};
}

}  // namespace

DeviceInfo query_device() {
  DeviceInfo device;
  device.compiled = true;
  device.reason = obstacle(device);
  device.available = device.reason.empty();
  cudaGetLastError();  // The error of a failed query is cleared, so that a later check does not report it.
  return device;
}

std::size_t query_free_bytes() {
  std::size_t free = 0, total = 0;
  return cudaMemGetInfo(&free, &total) == cudaSuccess ? free : 0;
}

void reset_device() {
  (void)cudaDeviceReset();  // its result is the error that made the device useless
}

}  // namespace threadscape::cuda
