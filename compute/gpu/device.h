#pragma once
// A device that runs kernels, as the rest of the program sees it, in builds with and without CUDA. GPUs of the CUDA
// driver are one kind of it (cuda_device.cpp); tests have another one, whose memory is host memory.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "compute/core/run.h"

struct CUevent_st;  // the CUDA runtime's event

namespace threadscape::gpu {

/// Rows of images and heightfields in device memory are padded to this many bytes: a wide memory transaction, and a
/// multiple of every vector load.
inline constexpr std::size_t row_alignment = 256;

/// Ordinal of the device that executes kernels on the CPU (compute/gpu/emulated). It is in no list.
inline constexpr int emulated_ordinal = -1;

/// What is known of a device without using it. It stays the same as long as the program runs, so that it is asked once,
/// and launches read it from here.
struct DeviceInfo {
  /// Number of the device in its list, from 0: for GPUs that of the CUDA runtime.
  int ordinal = 0;
  std::string name = {};
  std::string pci_bus_id =
      {};  ///< "00000000:65:00.0", by which libraries of the driver find the device; "" if it has none.
  int compute_major = 0, compute_minor = 0;
  int multiprocessors = 0;
  std::size_t total_bytes = 0;
  int l2_bytes = 0;
  int memory_clock_khz = 0, bus_width_bits = 0;
  int warp_size = 32, max_threads_per_multiprocessor = 0, max_threads_per_block = 0;
  std::size_t shared_bytes_per_block = 0;        ///< Without a special request.
  std::size_t shared_bytes_per_block_optin = 0;  ///< If a kernel asks for it.
  bool launches_early = false;                   ///< The code that it runs waits in cuda::begin() (launch.cuh).
};

/// A limit of a launch, a block, a multiprocessor or the memory.
struct DeviceLimit {
  std::string_view name;   ///< In JSON, for example "max_threads_per_block".
  std::string_view title;  ///< For people, for example "threads per block".
  std::int64_t value = 0;
  std::string_view unit;  ///< "bytes", "kHz", "bits", "bytes/s" or "" for numbers of things.
};

using Event = CUevent_st*;

enum class CopyKind : std::uint8_t { to_device, to_host, within_device };

/// Rows of bytes to copy.
struct CopyRows {
  const void* from = nullptr;
  std::size_t from_pitch = 0;
  void* to = nullptr;
  std::size_t to_pitch = 0;
  std::size_t row_bytes = 0, rows = 0;
};

/// A device. What works on it belongs to an Executor (executor.h), which retires it after a failure. All functions may
/// be called from any thread.
class Device {
 public:
  explicit Device(DeviceInfo info);
  virtual ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  [[nodiscard]] const DeviceInfo& info() const { return info_; }
  /// The limits of the device in groups: launch, block, multiprocessor, memory, clocks. What the driver does not tell
  /// is left out.
  [[nodiscard]] virtual std::vector<DeviceLimit> limits() const { return {}; }
  /// Returns false for a device whose memory is host memory, and on which runs execute the serial code.
  [[nodiscard]] virtual bool runs_kernels() const { return true; }
  /// Returns whether memory at this address, which another library may have allocated, is memory of the device.
  [[nodiscard]] virtual bool holds(const void* memory) = 0;

  /// Why the device cannot run this build, in the driver's words; "" if it can. The first call creates the context.
  [[nodiscard]] const std::string& obstacle();
  [[nodiscard]] bool available() { return obstacle().empty(); }
  /// Why the device cannot be used now: its obstacle(), or the reason for which it was retired. "" if it can.
  [[nodiscard]] std::string problem();
  [[nodiscard]] bool usable() { return problem().empty(); }
  /// Throws BackendAbsent with problem() unless that is "".
  void require();
  /// Free bytes of device memory now; 0 if the device cannot be used.
  [[nodiscard]] std::size_t free_bytes();

  /// Ends the use of the device, after an error that stays. The first reason is kept, since later errors follow from
  /// the first one. Memory, streams and events of the device are left to end_context(). For Executor, and for tests.
  void retire(const std::string& reason);
  /// Destroys the context of a retired device. OpenGL may be waiting for kernels of that context, and goes on then. The
  /// call takes seconds (13 s on an H200 after an illegal address). If memory was shared with OpenGL, the thread that
  /// owns the GL context calls it. Does nothing while the device is not retired.
  void end_context();
  /// Brings a retired device back with a new context. Returns "" if it can be used again, or why it cannot: memory,
  /// streams or events of the old context are in use, or the driver makes no new context in this process.
  [[nodiscard]] std::string revive();
  /// Differs between any two contexts of any devices, for what is remembered of a context.
  [[nodiscard]] std::uint32_t context() const { return context_.load(std::memory_order_relaxed); }
  /// Says that something of the context begins to exist, which revive() must not take away.
  void begin_use() { ++in_use_; }
  /// Says that it is given back. Returns whether the driver is to take it: not that of a retired device.
  [[nodiscard]] bool end_use() noexcept;

  // Memory, streams and events, which buffer.h and executor.h own. Those of a retired device are not given back to the
  // driver, whose calls would fail, until its context ends. All throw DeviceError.

  /// A block of device memory, aligned to 256 bytes.
  ///
  /// The environment variable TS_CUDA_MEMORY=BYTES, which is read at every call, refuses a block with which the program
  /// would hold more bytes of the device; a value that is no number allows none. Free memory is reported without that
  /// limit, so that it stands for another program that takes the memory after it was found to be free.
  [[nodiscard]] void* allocate(std::size_t bytes);
  /// Gives a block back; null is allowed.
  void release(void* block) noexcept;
  /// Page-locked host memory.
  [[nodiscard]] void* allocate_pinned(std::size_t bytes);
  void release_pinned(void* block) noexcept;
  [[nodiscard]] CudaStream make_stream();
  void release_stream(CudaStream stream) noexcept;
  [[nodiscard]] Event make_event(bool timed);
  void release_event(Event event) noexcept;

  /// Makes it the device on which the calling thread launches kernels. That is remembered, so that only a change of the
  /// device costs a call.
  void make_current();
  /// The device on which the calling thread launches kernels; null before the first make_current().
  [[nodiscard]] static Device* current() { return current_device; }
  /// Lets the next make_current() of the calling thread set the device again.
  static void forget_current() { current_device = nullptr; }
  /// Waits until everything that was queued on the stream is done.
  virtual void wait(CudaStream stream) = 0;
  virtual void record(Event event, CudaStream stream) = 0;
  /// Work that is queued on the stream from now on waits for the event.
  virtual void hold(Event event, CudaStream stream) = 0;
  virtual void wait(Event event) = 0;
  [[nodiscard]] virtual bool done(Event event) = 0;
  /// Milliseconds from one event to another. Waits for the second one.
  [[nodiscard]] virtual double ms_between(Event start, Event stop) = 0;
  /// Queued on the stream; from pageable memory the call itself may wait.
  virtual void copy(const CopyRows& rows, CopyKind kind, CudaStream stream) = 0;
  virtual void fill(void* block, int byte, std::size_t bytes, CudaStream stream) = 0;
  /// Runs `work`, which computes on the host what kernels would compute: on devices for which runs_kernels() is false.
  virtual void compute(const std::function<void()>& work) { work(); }

 protected:
  virtual void do_make_current() = 0;
  /// Creates the context. Returns why the device cannot run this build, or "".
  virtual std::string do_open() = 0;
  /// Destroys the context, with everything that belongs to it. Must not throw.
  virtual void do_end_context() = 0;
  /// Runs a kernel in a new context. Returns why that failed, or "".
  virtual std::string do_try() = 0;
  [[nodiscard]] virtual std::size_t do_free_bytes() = 0;
  [[nodiscard]] virtual void* do_allocate(std::size_t bytes) = 0;
  virtual void do_release(void* block) noexcept = 0;
  [[nodiscard]] virtual void* do_allocate_pinned(std::size_t bytes) = 0;
  virtual void do_release_pinned(void* block) noexcept = 0;
  [[nodiscard]] virtual CUstream_st* do_make_stream() = 0;
  virtual void do_release_stream(CUstream_st* stream) noexcept = 0;
  [[nodiscard]] virtual Event do_make_event(bool timed) = 0;
  virtual void do_release_event(Event event) noexcept = 0;

 private:
  [[nodiscard]] std::optional<std::string> fault();
  template <class T>
  T counted(T made) {
    begin_use();
    return made;
  }

  static thread_local Device* current_device;

  const DeviceInfo info_;
  std::atomic<std::uint32_t> context_;
  std::atomic<int> in_use_ = 0;  ///< Blocks, streams and events that were not given back.
  std::once_flag opening_;
  std::string obstacle_;
  std::mutex mutex_;  ///< Guards the following members.
  std::optional<std::string> fault_;
  bool ended_ = false;  ///< The context of the retired device was destroyed.
  std::unordered_map<void*, std::size_t> blocks_;
  std::size_t allocated_ = 0;  ///< The sum of their sizes.
};

/// The devices of one driver, or of a test.
class Devices {
 public:
  /// `none` says why there is no device, if there is none. `emulated` is the device that needs no driver, if this build
  /// has one.
  Devices(std::vector<std::unique_ptr<Device>> list, std::string none, std::unique_ptr<Device> emulated = nullptr);

  [[nodiscard]] const std::vector<std::unique_ptr<Device>>& all() const { return list_; }
  /// The first device that runs this build; if there is none, the first one, or one that says why there is none. The
  /// environment variable TS_DEVICE=emulated makes it the emulated device, for tests.
  [[nodiscard]] Device& first();
  /// The device that executes kernels on the CPU, or one that says why there is none.
  [[nodiscard]] Device& emulated() { return emulated_ ? *emulated_ : *absent_; }
  /// The device with this ordinal, which may be emulated_ordinal. Throws UsageError that lists the devices.
  [[nodiscard]] Device& at(int ordinal);
  /// The device with this ordinal, or first() without one.
  [[nodiscard]] Device& chosen(std::optional<int> ordinal) { return ordinal ? at(*ordinal) : first(); }

  bool compiled = false;                        ///< This build has CUDA code.
  int driver_version = 0, runtime_version = 0;  ///< 13000 is version 13.0; 0 without a driver.

 private:
  std::vector<std::unique_ptr<Device>> list_;
  std::unique_ptr<Device> absent_, emulated_;
};

/// The GPUs that the CUDA driver shows to this process, found at the first call. The environment variable
/// TS_HOST_DEVICES=N puts N devices in their place that need no GPU (host_device.h), for tests.
[[nodiscard]] Devices& devices();

/// Lets other libraries of the calling thread have the device that they made current: between its construction and its
/// destruction the thread may use any. Must not throw.
class CallersDevice {
 public:
  CallersDevice();
  ~CallersDevice();
  CallersDevice(const CallersDevice&) = delete;
  CallersDevice& operator=(const CallersDevice&) = delete;

 private:
  int ordinal_ = 0;  ///< Negative if the driver names none.
};

}  // namespace threadscape::gpu
