#pragma once
// Runs the CUDA backend on a device. The input is uploaded once and stays on the device, results go to a sink of the
// caller (a GL surface, or linear memory that the executor keeps), times are read when the device is done. The command
// line, the benchmark, `verify` and the live view all use it. This header needs no CUDA headers.
//
// Errors are those of gpu::Executor; once the device is retired, set_input(), input_memory(), linear_output() and run()
// of every executor of it throw BackendAbsent with the reason.

#include <cstddef>
#include <optional>
#include <string_view>

#include "compute/core/region.h"
#include "compute/core/timings.h"
#include "compute/gpu/executor.h"
#include "compute/registry/facets/traffic.h"
#include "compute/run/memory_plan.h"

namespace threadscape {

/// Not thread-safe: one thread, which for surfaces of GL is the thread that owns the GL context.
class DeviceExecutor : public gpu::Executor {
 public:
  /// Queues on `stream` of the device, which outlives the executor, or on a stream of its own. Throws BackendAbsent if
  /// the device cannot be used.
  explicit DeviceExecutor(gpu::Device& device, std::optional<CUstream_st*> stream = {});
  /// Waits until the device is done with what was queued. Does not throw.
  ~DeviceExecutor() { finish(); }

  /// Uploads the input of the runs that follow; its time is reported with the next run. Queued on the stream, but from
  /// pageable memory the call itself waits for the copy.
  void set_input(HostIn input);
  /// Takes memory of the device as the input of the runs that follow, which stays valid until they are done.
  void set_input(DeviceIn input);
  /// Memory for the input of the runs that follow, which the caller fills by copies on stream(): for an input that is
  /// on the device already.
  [[nodiscard]] DeviceOut input_memory(const Shape& shape);
  /// Linear memory for a result of this shape, which the executor keeps: for runs that do not write to a surface or to
  /// memory of the caller, and for the downloads. Valid until the next call of this function, set_input() or
  /// input_memory().
  [[nodiscard]] DeviceOut linear_output(const Shape& shape);

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
  [[nodiscard]] HostIn downloaded() const { return downloaded_; }
  /// Copies the result in linear_output() to the caller's memory, of the same shape, and waits.
  void download(HostOut to);
  /// Copies layers, or rows of a picture, of that result to memory of their shape, and waits.
  void download(const Region& region, HostOut to);

  /// The times of the last run, with its upload and its download, once the device is done with all three; nothing
  /// before, and nothing a second time. Never waits.
  [[nodiscard]] std::optional<StageTimes> poll();

  /// The memory that the executor keeps for the next runs.
  [[nodiscard]] MemoryPlan held() const;
  [[nodiscard]] std::size_t bytes_held() const { return held().device_bytes(); }

  // The following functions are for the benchmark, which measures many runs on its own inputs and outputs as one.

  /// Allocates the scratch memory for runs of this request, which are queued by queue(), and the host memory in which
  /// their input and their result lie (registry/traffic.h).
  void reserve_scratch(const RunRequest& request, const Shape& input);
  /// Queues a copy of `input` to the host memory from which the runs of this request take their input. Does nothing if
  /// they take it from device memory.
  void queue_host_input(const RunRequest& request, DeviceIn input);
  /// Queues one run. All runs of an executor share the scratch memory, so they do not overlap.
  void queue(const RunRequest& request, DeviceIn input, const DeviceSink& sink, PartRange parts = {});
  /// The time in milliseconds that the device takes for the work that `work` queues on stream(), between two events.
  /// Waits for it.
  template <class Work>
  double timed_ms(const Work& work) {
    return guarded([&] {
      compute_.start(stream());
      work();
      compute_.stop(stream());
      device().wait(stream());
      return compute_.milliseconds();
    });
  }

 private:
  /// The stages of a run whose times poll() has not returned yet.
  struct Pending {
    bool upload = false, compute = false, download = false;
  };

  /// Host memory of either kind, which grows and never shrinks until it is released.
  struct HostBlock {
    explicit HostBlock(gpu::Device& device) : pinned(device) {}
    gpu::PinnedBuffer pinned;
    HostScratch pageable;

    void reserve(Place place, std::size_t bytes);
    /// The memory that was reserved for this place, which is not Place::device.
    [[nodiscard]] std::byte* at(Place place, std::size_t bytes);
    void release();
    [[nodiscard]] std::size_t size() const { return pinned.size() + pageable.size(); }
  };

  [[nodiscard]] static HostOut host_view(HostBlock& block, Place place, const Shape& shape);
  /// Gives back the memory of each purpose for which more is held than `need` says.
  void release_beyond(const MemoryPlan& need);
  void run_unguarded(const RunRequest& request, const DeviceSink& sink, PartRange parts);
  /// Queues a copy of the result from the host memory in which the run of this request has left it to `sink`. Does
  /// nothing if it has written to device memory.
  void queue_host_output(const RunRequest& request, const DeviceSink& sink);
  /// Runs the serial code on a device whose memory is host memory. Of a run in parts, the last part computes
  /// everything.
  void compute_serially(const RunRequest& request, DeviceIn input, const DeviceSink& sink, PartRange parts);
  [[nodiscard]] std::optional<StageTimes> times();

  gpu::EventTimer upload_, compute_, download_;
  gpu::DeviceArray input_, output_;
  DeviceIn given_input_;  ///< What the runs read: a view of input_, or memory of the caller.
  DeviceScratch scratch_;
  HostBlock host_input_, host_output_;  ///< For runs whose input or result lies in host memory.
  HostScratch serial_scratch_;          ///< For compute_serially().
  gpu::PinnedBuffer pinned_;
  HostOut downloaded_;  ///< A view of pinned_.
  Pending pending_;
};

}  // namespace threadscape
