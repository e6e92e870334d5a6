#pragma once
// Runs the CUDA backend. The input is uploaded once and stays on the device, results go to a sink of the caller (a GL
// surface, or linear memory that the executor keeps), times are read when the device is done. The command line, the
// benchmark, `verify` and the live view all use it. This header needs no CUDA headers; the implementation is
// cuda_executor.cpp, or a test's.
//
// Errors: an entry that meets a sticky error of the device retires the device (cuda::retire_device) and throws
// DeviceLost; from then on set_input(), input_memory(), linear_output() and run() of every executor throw BackendAbsent
// with the reason. Lack of memory is an EnvironmentError, also where the cause is a std::bad_alloc.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "compute/core/timings.h"
#include "compute/run/memory_plan.h"

namespace threadscape {

/// Not thread-safe: one thread, which for surfaces of GL is the thread that owns the GL context.
class DeviceExecutor {
 public:
  DeviceExecutor() = default;
  /// Waits until the device is done with what was queued. Does not throw.
  virtual ~DeviceExecutor() = default;
  DeviceExecutor(const DeviceExecutor&) = delete;
  DeviceExecutor& operator=(const DeviceExecutor&) = delete;

  /// Uploads the input of the runs that follow; its time is reported with the next run. Queued on the stream, but from
  /// pageable memory the call itself waits for the copy.
  void set_input(HostIn input);
  /// Memory for the input of the runs that follow, which the caller fills by copies on stream(): for an input that is
  /// on the device already.
  [[nodiscard]] DeviceOut input_memory(const Shape& shape);
  /// Linear memory for a result of this shape, which the executor keeps: for runs that do not write to a surface, and
  /// for the downloads. Valid until the next call of this function, set_input() or input_memory().
  [[nodiscard]] DeviceOut linear_output(const Shape& shape);
  /// The stream on which everything is queued.
  [[nodiscard]] CudaStream stream() const { return do_stream(); }

  /// Throws EnvironmentError unless there is device memory for `need`, where memory that the executor holds counts as
  /// free. If necessary, it frees what it holds beyond `need`. The other functions call it for the memory that they
  /// take.
  void require_memory(std::string_view what, const MemoryPlan& need);
  /// Queues the run and returns without waiting for it. `parts` selects some parts of it (AlgorithmInfo::parts): those
  /// that follow the parts of the call before. The request holds the preparation that it needs, which stays alive until
  /// the device is done. Throws EnvironmentError when scratch memory is short.
  void run(const RunRequest& request, const DeviceSink& sink, PartRange parts = {});
  /// Queues a copy of the result in linear_output() to page-locked host memory that the executor keeps.
  void queue_download();
  /// The result that queue_download() has copied: valid once poll() has returned times, until the next run.
  [[nodiscard]] HostIn downloaded() const { return do_downloaded(); }
  /// Copies the result in linear_output() to the caller's memory, of the same shape, and waits.
  void download(HostOut to);

  /// The times of the last run, with its upload and its download, once the device is done with all three; nothing
  /// before, and nothing a second time. Never waits.
  [[nodiscard]] std::optional<StageTimes> poll();
  /// Waits until everything queued is done.
  void wait();

  /// The memory that the executor keeps for the next runs.
  [[nodiscard]] virtual MemoryPlan held() const = 0;
  [[nodiscard]] std::size_t bytes_held() const { return held().device_bytes(); }

 protected:
  virtual void do_set_input(HostIn input) = 0;
  virtual DeviceOut do_input_memory(const Shape& shape) = 0;
  virtual DeviceOut do_linear_output(const Shape& shape) = 0;
  [[nodiscard]] virtual CudaStream do_stream() const = 0;
  /// Gives back the memory of each purpose for which more is held than `need` says.
  virtual void do_release_beyond(const MemoryPlan& need) = 0;
  virtual void do_run(const RunRequest& request, const DeviceSink& sink, PartRange parts) = 0;
  virtual void do_queue_download() = 0;
  [[nodiscard]] virtual HostIn do_downloaded() const = 0;
  virtual void do_download(HostOut to) = 0;
  virtual std::optional<StageTimes> do_poll() = 0;
  virtual void do_wait() = 0;

  /// Calls `work`, and turns its errors into those that the top of this file promises.
  template <class Work>
  static auto guarded(const Work& work) {
    try {
      return work();
    } catch (...) {
      rethrow();
    }
  }

  /// Inside a catch: throws the current exception on in its promised form.
  [[noreturn]] static void rethrow();
};

using DeviceExecutorFactory = std::function<std::unique_ptr<DeviceExecutor>()>;

/// An executor on the CUDA device. Throws BackendAbsent when the CUDA backend cannot be used.
[[nodiscard]] std::unique_ptr<DeviceExecutor> make_cuda_executor();

}  // namespace threadscape
