// The GPUs of the CUDA driver.

#include <cuda_runtime_api.h>

#include <array>
#include <utility>

#include "compute/gpu/check.h"
#include "compute/gpu/device.h"
#include "compute/gpu/emulated/emulated_device.h"
#include "compute/gpu/host_device.h"
#include "compute/gpu/probe.h"

namespace threadscape::gpu {

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

std::string said_by_driver(cudaError_t code) {
  (void)cudaGetLastError();  // The error of a question is cleared, so that a later check does not report it.
  return std::string("the CUDA driver says: ") + cudaGetErrorString(code);
}

int attribute(cudaDeviceAttr which, int ordinal) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, ordinal) == cudaSuccess ? value : 0;
}

/// What is known of a device without a context. Of a device that cannot be asked, only the ordinal.
DeviceInfo info_of(int ordinal) {
  DeviceInfo info{.ordinal = ordinal};
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, ordinal) != cudaSuccess) {
    (void)cudaGetLastError();
    return info;
  }
  info.name = properties.name;
  std::array<char, 32> bus_id{};
  if (cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), ordinal) == cudaSuccess)
    info.pci_bus_id = bus_id.data();
  info.compute_major = properties.major;
  info.compute_minor = properties.minor;
  info.multiprocessors = properties.multiProcessorCount;
  info.total_bytes = properties.totalGlobalMem;
  info.l2_bytes = properties.l2CacheSize;
  info.memory_clock_khz = attribute(cudaDevAttrMemoryClockRate, ordinal);
  info.bus_width_bits = attribute(cudaDevAttrGlobalMemoryBusWidth, ordinal);
  info.warp_size = properties.warpSize;
  info.max_threads_per_multiprocessor = properties.maxThreadsPerMultiProcessor;
  info.max_threads_per_block = properties.maxThreadsPerBlock;
  info.shared_bytes_per_block = properties.sharedMemPerBlock;
  info.shared_bytes_per_block_optin = properties.sharedMemPerBlockOptin;
  info.launches_early = cuda::launches_early(info.compute_major, info.compute_minor);
  (void)cudaGetLastError();
  return info;
}

class CudaDevice final : public Device {
 public:
  explicit CudaDevice(int ordinal) : Device(info_of(ordinal)) {}

  [[nodiscard]] std::vector<DeviceLimit> limits() const override {
    std::vector<DeviceLimit> limits;
    for (const Row& row : rows) {
      int value = 0;
      if (cudaDeviceGetAttribute(&value, row.attribute, info().ordinal) == cudaSuccess)
        limits.push_back({row.name, row.title, value, row.unit});
    }
    (void)cudaGetLastError();
    // Two transfers per clock, on all lines of the bus.
    const std::int64_t bytes_per_second =
        std::int64_t{2} * info().memory_clock_khz * 1000 * (info().bus_width_bits / 8);
    if (bytes_per_second > 0)
      limits.push_back({"memory_bytes_per_second", "bandwidth of the memory", bytes_per_second, "bytes/s"});
    return limits;
  }

  void wait(CudaStream stream) override { TS_CUDA_CHECK(cudaStreamSynchronize(stream)); }
  void record(Event event, CudaStream stream) override { TS_CUDA_CHECK(cudaEventRecord(event, stream)); }
  void hold(Event event, CudaStream stream) override { TS_CUDA_CHECK(cudaStreamWaitEvent(stream, event, 0)); }
  void wait(Event event) override { TS_CUDA_CHECK(cudaEventSynchronize(event)); }
  bool done(Event event) override {
    const cudaError_t state = cudaEventQuery(event);
    if (state == cudaErrorNotReady) {
      (void)cudaGetLastError();  // "not ready" is kept as the last error otherwise
      return false;
    }
    TS_CUDA_CHECK(state);
    return true;
  }
  double ms_between(Event start, Event stop) override {
    TS_CUDA_CHECK(cudaEventSynchronize(stop));
    float elapsed = 0.0f;
    TS_CUDA_CHECK(cudaEventElapsedTime(&elapsed, start, stop));
    return elapsed;
  }
  void copy(const CopyRows& r, CopyKind kind, CudaStream stream) override {
    const cudaMemcpyKind direction = kind == CopyKind::to_device ? cudaMemcpyHostToDevice
                                     : kind == CopyKind::to_host ? cudaMemcpyDeviceToHost
                                                                 : cudaMemcpyDeviceToDevice;
    if (r.row_bytes == 0 || r.rows == 0) return;
    // One plain copy is faster than one per row, and a single row may be longer than the pitch that CUDA allows. The
    // padding goes along.
    if (r.rows == 1 || r.from_pitch == r.to_pitch)
      TS_CUDA_CHECK(cudaMemcpyAsync(r.to, r.from, r.from_pitch * (r.rows - 1) + r.row_bytes, direction, stream));
    else
      TS_CUDA_CHECK(cudaMemcpy2DAsync(r.to, r.to_pitch, r.from, r.from_pitch, r.row_bytes, r.rows, direction, stream));
  }
  void fill(void* block, int byte, std::size_t bytes, CudaStream stream) override {
    TS_CUDA_CHECK(cudaMemsetAsync(block, byte, bytes, stream));
  }
  bool holds(const void* memory) override {
    cudaPointerAttributes known{};
    if (cudaPointerGetAttributes(&known, memory) != cudaSuccess) {
      (void)cudaGetLastError();
      return false;
    }
    const bool reached = known.type == cudaMemoryTypeDevice || known.type == cudaMemoryTypeManaged;
    return reached && known.device == info().ordinal;
  }

 private:
  void do_make_current() override { TS_CUDA_CHECK(cudaSetDevice(info().ordinal)); }
  std::string do_open() override {
    if (info().name.empty()) return "the CUDA device cannot be asked for its properties";
    try {
      make_current();
    } catch (const DeviceError& error) {
      return std::string("the CUDA device cannot be opened: ") + error.what();
    }
    // Creates the context, and finds out whether this build holds code for this GPU.
    cudaFuncAttributes attributes{};
    if (const cudaError_t code = cudaFuncGetAttributes(&attributes, cuda::probe_kernel()); code != cudaSuccess) {
      (void)cudaGetLastError();
      return info().name + " (compute capability " + std::to_string(info().compute_major) + "." +
             std::to_string(info().compute_minor) + ") does not run this build: " + cudaGetErrorString(code) +
             "; THREADSCAPE_CUDA=ON scripts/run builds one for it";
    }
    return {};
  }
  void do_end_context() override {
    forget_current();
    (void)cudaSetDevice(info().ordinal);
    (void)cudaDeviceReset();  // Its result is the error that made the device useless.
    (void)cudaGetLastError();
  }
  std::string do_try() override {
    forget_current();
    if (const cudaError_t code = cudaSetDevice(info().ordinal); code != cudaSuccess) return said_by_driver(code);
    cuda::launch_probe();
    if (const cudaError_t code = cudaGetLastError(); code != cudaSuccess) return said_by_driver(code);
    if (const cudaError_t code = cudaDeviceSynchronize(); code != cudaSuccess) return said_by_driver(code);
    return {};
  }
  std::size_t do_free_bytes() override {
    make_current();
    std::size_t free = 0, total = 0;
    return cudaMemGetInfo(&free, &total) == cudaSuccess ? free : 0;
  }
  void* do_allocate(std::size_t bytes) override {
    make_current();
    void* block = nullptr;
    TS_CUDA_CHECK(cudaMalloc(&block, bytes));
    return block;
  }
  void do_release(void* block) noexcept override { (void)cudaFree(block); }
  void* do_allocate_pinned(std::size_t bytes) override {
    make_current();
    void* block = nullptr;
    TS_CUDA_CHECK(cudaMallocHost(&block, bytes));
    return block;
  }
  void do_release_pinned(void* block) noexcept override { (void)cudaFreeHost(block); }
  CUstream_st* do_make_stream() override {
    make_current();
    cudaStream_t stream = nullptr;
    TS_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream;
  }
  void do_release_stream(CUstream_st* stream) noexcept override { (void)cudaStreamDestroy(stream); }
  Event do_make_event(bool timed) override {
    make_current();
    cudaEvent_t event = nullptr;
    TS_CUDA_CHECK(cudaEventCreateWithFlags(&event, timed ? cudaEventDefault : cudaEventDisableTiming));
    return event;
  }
  void do_release_event(Event event) noexcept override { (void)cudaEventDestroy(event); }
};

Devices* list_devices() {
  int driver = 0, runtime = 0, count = 0;
  cudaRuntimeGetVersion(&runtime);
  cudaDriverGetVersion(&driver);
  std::string none = "no NVIDIA driver is loaded; a GPU of NVIDIA and its driver are needed";
  if (driver != 0) {
    none =
        "the CUDA driver sees no device; nvidia-smi lists those of this machine, and CUDA_VISIBLE_DEVICES hides some";
    if (const cudaError_t code = cudaGetDeviceCount(&count); code != cudaSuccess) {
      none = said_by_driver(code) + "; a newer driver of NVIDIA may help";
      count = 0;
    }
  }
  std::vector<std::unique_ptr<Device>> list = host_devices();
  if (!list.empty()) count = 0;
  for (int ordinal = 0; ordinal < count; ++ordinal)
    list.push_back(std::make_unique<CudaDevice>(ordinal));
  auto* const made = new Devices(std::move(list), std::move(none), std::make_unique<EmulatedDevice>());
  made->compiled = true;
  made->driver_version = driver;
  made->runtime_version = runtime;
  return made;
}

}  // namespace

CallersDevice::CallersDevice() {
  Device::forget_current();
  if (cudaGetDevice(&ordinal_) == cudaSuccess) return;
  (void)cudaGetLastError();
  ordinal_ = -1;
}

CallersDevice::~CallersDevice() {
  Device::forget_current();
  // A device that is set again would get a context that nobody may have asked for.
  int now = 0;
  if (ordinal_ >= 0 && (cudaGetDevice(&now) != cudaSuccess || now != ordinal_)) (void)cudaSetDevice(ordinal_);
  if (ordinal_ >= 0) (void)cudaGetLastError();
}

Devices& devices() {
  // Never destroyed, because static objects may give memory back at the end of the program.
  static Devices* const all = list_devices();
  return *all;
}

}  // namespace threadscape::gpu
