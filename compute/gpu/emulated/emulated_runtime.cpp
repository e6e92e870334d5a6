// The calls of the CUDA runtime that host code of kernels makes. The linker gives every call of name() here as
// __wrap_name(), and the runtime's own function is __real_name() (option --wrap, compute/CMakeLists.txt). A call is
// answered here while the emulated device is the current one of the thread, and goes on to the runtime otherwise.
//
// Kernels and variables are known by the address that nvcc's host code registers for them at the start of the program.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "compute/core/errors.h"
#include "compute/gpu/emulated/embedded_code.h"
#include "compute/gpu/emulated/emulated_device.h"
#include "compute/gpu/probe.h"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the linker makes these names.

// TS_REAL(name, parameters): declares the runtime's own function.
#define TS_REAL(name, ...) cudaError_t __real_##name(__VA_ARGS__)

extern "C" {

void** __real___cudaRegisterFatBinary(void* wrapper);
void __real___cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int threads,
                                   uint3* thread, uint3* block, dim3* block_size, dim3* grid_size, int* warp_size);
void __real___cudaRegisterVar(void** handle, char* host, char* device, const char* name, int external,
                              std::size_t bytes, int constant, int global);
// Host code of nvcc 13 launches by handles, that of nvcc 12 by the address of the function.
[[gnu::weak]] TS_REAL(__cudaGetKernel, cudaKernel_t* kernel, const void* function);
[[gnu::weak]] TS_REAL(__cudaLaunchKernel, cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                      std::size_t shared, cudaStream_t stream);
TS_REAL(cudaLaunchKernel, const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
        cudaStream_t stream);
TS_REAL(cudaLaunchKernelExC, const cudaLaunchConfig_t* config, const void* function, void** arguments);
TS_REAL(cudaMemcpyAsync, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
TS_REAL(cudaMemcpyToSymbolAsync, const void* variable, const void* from, std::size_t bytes, std::size_t offset,
        cudaMemcpyKind kind, cudaStream_t stream);
TS_REAL(cudaMemsetAsync, void* to, int byte, std::size_t bytes, cudaStream_t stream);
TS_REAL(cudaGetLastError);
TS_REAL(cudaPeekAtLastError);
TS_REAL(cudaDeviceSynchronize);
TS_REAL(cudaGetDevice, int* ordinal);
TS_REAL(cudaGetDeviceCount, int* count);
TS_REAL(cudaDeviceGetAttribute, int* value, cudaDeviceAttr attribute, int ordinal);
TS_REAL(cudaFuncSetAttribute, const void* function, cudaFuncAttribute attribute, int value);
TS_REAL(cudaFuncGetAttributes, cudaFuncAttributes* attributes, const void* function);
TS_REAL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, int* blocks, const void* function, int threads,
        std::size_t shared, unsigned flags);
TS_REAL(cudaCreateTextureObject, cudaTextureObject_t* texture, const cudaResourceDesc* resource,
        const cudaTextureDesc* description, const cudaResourceViewDesc* view);
TS_REAL(cudaDestroyTextureObject, cudaTextureObject_t texture);
}

namespace threadscape::gpu {

namespace {

warp::Extent extent(const dim3& of) {
  return {of.x, of.y, of.z};
}

/// Functions by the handle that launches name. The runtime makes handles; without a driver it makes none, and the
/// address of the function takes their place.
std::map<cudaKernel_t, const void*>& handles() {
  static std::map<cudaKernel_t, const void*> all;
  return all;
}
std::mutex handles_mutex;

const void* function_of(cudaKernel_t kernel) {
  const std::lock_guard lock(handles_mutex);
  return handles().at(kernel);
}

/// The number of GPUs, which is the emulated device's own number for CUB: that has no negative ones.
int gpu_count() {
  int count = 0;
  if (__real_cudaGetDeviceCount(&count) == cudaSuccess) return count;
  (void)__real_cudaGetLastError();
  return 0;
}

int attribute_of(const DeviceInfo& info, cudaDeviceAttr attribute) {
  constexpr int largest = 0x7fffffff;
  switch (attribute) {
    case cudaDevAttrMultiProcessorCount:
      return info.multiprocessors;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return info.max_threads_per_multiprocessor;
    case cudaDevAttrMaxThreadsPerBlock:
      return info.max_threads_per_block;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return static_cast<int>(info.shared_bytes_per_block);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return static_cast<int>(info.shared_bytes_per_block_optin);
    case cudaDevAttrWarpSize:
      return info.warp_size;
    case cudaDevAttrComputeCapabilityMajor:
      return info.compute_major;
    case cudaDevAttrComputeCapabilityMinor:
      return info.compute_minor;
    case cudaDevAttrL2CacheSize:
      return info.l2_bytes;
    case cudaDevAttrMaxGridDimX:
      return largest;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
      return 65535;
    default:
      throw DeviceError("the emulated device is asked for attribute " + std::to_string(attribute) +
                            " of the CUDA runtime, which it does not know",
                        /*sticky=*/false);
  }
}

}  // namespace

}  // namespace threadscape::gpu

using threadscape::gpu::EmulatedDevice;

extern "C" {

void** __wrap___cudaRegisterFatBinary(void* wrapper) {
  void** const handle = __real___cudaRegisterFatBinary(wrapper);
  threadscape::gpu::register_code(handle, wrapper);
  return handle;
}

void __wrap___cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int threads,
                                   uint3* thread, uint3* block, dim3* block_size, dim3* grid_size, int* warp_size) {
  threadscape::gpu::register_function(handle, host, name);
  __real___cudaRegisterFunction(handle, host, device, name, threads, thread, block, block_size, grid_size, warp_size);
}

void __wrap___cudaRegisterVar(void** handle, char* host, char* device, const char* name, int external,
                              std::size_t bytes, int constant, int global) {
  threadscape::gpu::register_variable(handle, host, name);
  __real___cudaRegisterVar(handle, host, device, name, external, bytes, constant, global);
}

cudaError_t __wrap___cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  // The host code of a kernel asks once, on whatever device it is launched first.
  if (__real___cudaGetKernel(kernel, function) != cudaSuccess) {
    (void)__real_cudaGetLastError();
    *kernel = static_cast<cudaKernel_t>(const_cast<void*>(function));  // NOLINT: nothing is written through it
  }
  const std::lock_guard lock(threadscape::gpu::handles_mutex);
  threadscape::gpu::handles()[*kernel] = function;
  return cudaSuccess;
}

cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                      cudaStream_t stream) {
  EmulatedDevice* const device = EmulatedDevice::current();
  if (device == nullptr) return __real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
  device->launch(threadscape::gpu::function_of(kernel), threadscape::gpu::extent(grid), threadscape::gpu::extent(block),
                 arguments, shared);
  return cudaSuccess;
}

cudaError_t __wrap_cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                    cudaStream_t stream) {
  EmulatedDevice* const device = EmulatedDevice::current();
  if (device == nullptr) return __real_cudaLaunchKernel(function, grid, block, arguments, shared, stream);
  device->launch(function, threadscape::gpu::extent(grid), threadscape::gpu::extent(block), arguments, shared);
  return cudaSuccess;
}

cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  EmulatedDevice* const device = EmulatedDevice::current();
  if (device == nullptr) return __real_cudaLaunchKernelExC(config, function, arguments);
  device->launch(function, threadscape::gpu::extent(config->gridDim), threadscape::gpu::extent(config->blockDim),
                 arguments, config->dynamicSmemBytes);
  return cudaSuccess;
}

cudaError_t __wrap_cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  EmulatedDevice* const device = EmulatedDevice::current();
  if (device == nullptr) return __real_cudaMemcpyAsync(to, from, bytes, kind, stream);
  device->copy(to, from, bytes);
  return cudaSuccess;
}

cudaError_t __wrap_cudaMemcpyToSymbolAsync(const void* variable, const void* from, std::size_t bytes,
                                           std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  EmulatedDevice* const device = EmulatedDevice::current();
  if (device == nullptr) return __real_cudaMemcpyToSymbolAsync(variable, from, bytes, offset, kind, stream);
  std::memcpy(device->variable(variable) + offset, from, bytes);
  return cudaSuccess;
}

cudaError_t __wrap_cudaMemsetAsync(void* to, int byte, std::size_t bytes, cudaStream_t stream) {
  EmulatedDevice* const device = EmulatedDevice::current();
  if (device == nullptr) return __real_cudaMemsetAsync(to, byte, bytes, stream);
  device->fill(to, byte, bytes, {stream, device});
  return cudaSuccess;
}

// Errors of the emulated device are thrown where they happen.
cudaError_t __wrap_cudaGetLastError() {
  return EmulatedDevice::current() == nullptr ? __real_cudaGetLastError() : cudaSuccess;
}

cudaError_t __wrap_cudaPeekAtLastError() {
  return EmulatedDevice::current() == nullptr ? __real_cudaPeekAtLastError() : cudaSuccess;
}

cudaError_t __wrap_cudaDeviceSynchronize() {
  return EmulatedDevice::current() == nullptr ? __real_cudaDeviceSynchronize() : cudaSuccess;
}

cudaError_t __wrap_cudaGetDevice(int* ordinal) {
  if (EmulatedDevice::current() == nullptr) return __real_cudaGetDevice(ordinal);
  *ordinal = threadscape::gpu::gpu_count();
  return cudaSuccess;
}

cudaError_t __wrap_cudaGetDeviceCount(int* count) {
  if (EmulatedDevice::current() == nullptr) return __real_cudaGetDeviceCount(count);
  *count = threadscape::gpu::gpu_count() + 1;
  return cudaSuccess;
}

cudaError_t __wrap_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int ordinal) {
  EmulatedDevice* const device = EmulatedDevice::current();
  if (device == nullptr) return __real_cudaDeviceGetAttribute(value, attribute, ordinal);
  *value = threadscape::gpu::attribute_of(device->info(), attribute);
  return cudaSuccess;
}

// The machine of warps gives a block all the shared memory that a launch asks for, up to the limit of the device.
cudaError_t __wrap_cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return EmulatedDevice::current() == nullptr ? __real_cudaFuncSetAttribute(function, attribute, value) : cudaSuccess;
}

cudaError_t __wrap_cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  EmulatedDevice* const device = EmulatedDevice::current();
  if (device == nullptr) return __real_cudaFuncGetAttributes(attributes, function);
  *attributes = {};
  attributes->sharedSizeBytes = EmulatedDevice::static_shared_bytes(function);
  attributes->maxThreadsPerBlock = device->info().max_threads_per_block;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(device->info().shared_bytes_per_block_optin);
  attributes->ptxVersion = attributes->binaryVersion = EmulatedDevice::capability(function);
  return cudaSuccess;
}

cudaError_t __wrap_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                          int threads, std::size_t shared,
                                                                          unsigned flags) {
  EmulatedDevice* const device = EmulatedDevice::current();
  if (device == nullptr)
    return __real_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, flags);
  // PTX names no registers, so that threads and shared memory alone limit the blocks.
  const std::size_t bytes = EmulatedDevice::static_shared_bytes(function) + shared;
  *blocks = device->info().max_threads_per_multiprocessor / threads;
  if (bytes > 0) *blocks = std::min(*blocks, static_cast<int>(device->info().shared_bytes_per_block_optin / bytes));
  return cudaSuccess;
}

cudaError_t __wrap_cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                           const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
  EmulatedDevice* const device = EmulatedDevice::current();
  if (device == nullptr) return __real_cudaCreateTextureObject(texture, resource, description, view);
  const cudaChannelFormatDesc& format =
      resource->resType == cudaResourceTypeLinear ? resource->res.linear.desc : resource->res.pitch2D.desc;
  const bool of_words = format.x == 32 && format.y == 0 && format.f == cudaChannelFormatKindUnsigned;
  if (!of_words || description->filterMode != cudaFilterModePoint || description->normalizedCoords != 0)
    return cudaErrorNotSupported;
  if (resource->resType == cudaResourceTypeLinear)
    *texture = device->make_texture(resource->res.linear.devPtr, resource->res.linear.sizeInBytes / 4, 0, 0);
  else if (resource->resType == cudaResourceTypePitch2D)
    *texture = device->make_texture(resource->res.pitch2D.devPtr, resource->res.pitch2D.width,
                                    resource->res.pitch2D.height, resource->res.pitch2D.pitchInBytes);
  else
    return cudaErrorNotSupported;
  return cudaSuccess;
}

cudaError_t __wrap_cudaDestroyTextureObject(cudaTextureObject_t texture) {
  EmulatedDevice* const device = EmulatedDevice::current();
  if (device == nullptr) return __real_cudaDestroyTextureObject(texture);
  device->release_texture(texture);
  return cudaSuccess;
}
}

// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
