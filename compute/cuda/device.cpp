#include "compute/cuda/device.h"

#include <cuda_runtime_api.h>

#include <atomic>
#include <mutex>

#include "compute/core/errors.h"
#include "compute/cuda/probe.h"

namespace threadscape::cuda {

namespace {

std::atomic<bool> retired{false};
std::mutex retire_mutex;
std::string retire_reason;

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

/// What stands in the way of using the device, or "".
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

const DeviceInfo& device_info() {
  static const DeviceInfo info = [] {
    DeviceInfo device;
    device.compiled = true;
    device.reason = obstacle(device);
    device.available = device.reason.empty();
    cudaGetLastError();  // a failed question must not show up in a later check
    return device;
  }();
  return info;
}

std::size_t free_device_bytes() {
  if (!device_info().available || retired) return 0;
  std::size_t free = 0, total = 0;
  return cudaMemGetInfo(&free, &total) == cudaSuccess ? free : 0;
}

void require_device() {
  if (const DeviceInfo& info = device_info(); !info.available)
    throw BackendAbsent("backend cuda is not available: " + info.reason + "; use serial or openmp");
  if (!retired) return;
  const std::lock_guard lock(retire_mutex);
  throw BackendAbsent("backend cuda ended for this run of the program: " + retire_reason + "; use serial or openmp");
}

void retire_device(const std::string& reason) {
  const std::lock_guard lock(retire_mutex);
  if (retired) return;  // the first error is the cause, later ones follow from it
  retire_reason = reason;
  retired = true;
}

}  // namespace threadscape::cuda
