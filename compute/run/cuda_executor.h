#pragma once
// The executor on the CUDA device. Only for code that is compiled with CUDA; others use device_executor.h.

#include "compute/gpu/buffer.h"
#include "compute/registry/facets/traffic.h"
#include "compute/run/device_executor.h"

namespace threadscape {

class CudaExecutor final : public DeviceExecutor {
 public:
  /// Throws BackendAbsent when the CUDA backend cannot be used.
  CudaExecutor();
  ~CudaExecutor() override;

  [[nodiscard]] MemoryPlan held() const override;

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
      compute_.start(stream_.get());
      work();
      compute_.stop(stream_.get());
      stream_.wait();
      return compute_.milliseconds();
    });
  }

 private:
  void do_set_input(HostIn input) override;
  DeviceOut do_input_memory(const Shape& shape) override;
  DeviceOut do_linear_output(const Shape& shape) override;
  [[nodiscard]] CudaStream do_stream() const override { return stream_.get(); }
  void do_release_beyond(const MemoryPlan& need) override;
  void do_run(const RunRequest& request, const DeviceSink& sink, PartRange parts) override;
  void do_queue_download() override;
  [[nodiscard]] HostIn do_downloaded() const override { return downloaded_; }
  void do_download(HostOut to) override;
  std::optional<StageTimes> do_poll() override;
  void do_wait() override { stream_.wait(); }

  /// The stages of a run whose times poll() has not returned yet.
  struct Pending {
    bool upload = false, compute = false, download = false;
  };

  /// Host memory of either kind, which grows and never shrinks until it is released.
  struct HostBlock {
    cuda::PinnedBuffer pinned;
    HostScratch pageable;

    void reserve(Place place, std::size_t bytes);
    /// The memory that was reserved for this place, which is not Place::device.
    [[nodiscard]] std::byte* at(Place place, std::size_t bytes);
    void release();
    [[nodiscard]] std::size_t size() const { return pinned.size() + pageable.size(); }
  };

  [[nodiscard]] static HostOut host_view(HostBlock& block, Place place, const Shape& shape);
  /// Queues a copy of the result from the host memory in which the run of this request has left it to `sink`. Does
  /// nothing if it has written to device memory.
  void queue_host_output(const RunRequest& request, const DeviceSink& sink);

  cuda::Stream stream_;
  cuda::EventTimer upload_, compute_, download_;
  cuda::DeviceArray input_, output_;
  DeviceScratch scratch_;
  HostBlock host_input_, host_output_;  ///< For runs whose input or result lies in host memory.
  cuda::PinnedBuffer pinned_;
  HostOut downloaded_;  ///< A view of pinned_.
  Pending pending_;
};

}  // namespace threadscape
