#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

#include "app/live/input_slot.h"
#include "app/live/part_schedule.h"
#include "app/live/result_slot.h"
#include "app/live/stopwatch.h"
#include "compute/core/errors.h"
#include "compute/run/device_executor.h"
#include "render/interop/cuda_gl.h"
#include "render/interop/host_upload.h"
#include "render/interop/route.h"

namespace threadscape::app {

/// The CUDA run of the live view: queued by the drawing thread on a stream, whole or in batches of parts, one batch per
/// frame. Nothing waits for the device. On the interop route kernels write into the displayed memory; on the staged
/// route, where GL is on another device, a whole result comes through page-locked memory.
///
/// Runs are on the device that their work names. Any function may throw DeviceLost, or EnvironmentError and UsageError:
/// then call abandon(), and when the device is lost drop_device().
class CudaRunner {
 public:
  /// CUDA does not take memory of GL, and the device still works: another route is needed.
  class RegistrationRefused : public EnvironmentError {
   public:
    using EnvironmentError::EnvironmentError;
  };

  explicit CudaRunner(interop::Route route) : route_(route) {}
  /// Waits for the kernels that write into the displayed memory.
  ~CudaRunner() { executor_.reset(); }
  CudaRunner(const CudaRunner&) = delete;
  CudaRunner& operator=(const CudaRunner&) = delete;

  /// Queues the run, or its first batch, into `output`, whose memory gets the result's shape. `may_cut`: the run may be
  /// cut into batches, and the result be seen while it grows. A result that does not grow stays in memory of CUDA until
  /// the last batch, while `output` keeps what it has. `preparation` is what needs_preparation() asks for, else null.
  /// Only while nothing is running(). Throws RegistrationRefused on the interop route.
  ///
  /// An input that awaits_device() is copied into its displayed memory on the interop route.
  void start(const Work& work, std::shared_ptr<const Preparation> preparation, InputSlot& input, ResultSlot& output,
             bool may_cut);
  /// Changes the route, after another device was chosen or start() was refused. Gives up what runs.
  void change_route(interop::Route route);
  /// The work that is queued and whose times are not known yet; null when there is none.
  [[nodiscard]] const Work* running() const;
  /// Returns whether that is a run in batches.
  [[nodiscard]] bool runs_in_batches() const;
  /// Share of the parts of such a run that are queued; 0 for others.
  [[nodiscard]] double share() const;
  /// Milliseconds since the run was started.
  [[nodiscard]] double running_ms() const;
  /// No batch follows the one that is queued.
  void request_stop();

  /// A run that ended: all of it was done, or it was stopped between two batches.
  struct Ended {
    Work work;
    std::optional<StageTimes> times;  ///< Of the whole run; none when it was stopped.
  };
  /// Looks whether the device is done, without waiting. If so, queues the next batch unless `unwanted` says that nobody
  /// wants the result any more; or ends the run.
  [[nodiscard]] std::optional<Ended> poll(const InputSlot& input, ResultSlot& output, bool unwanted);

  /// Forgets the run after an error. The input is uploaded again for the next one.
  void abandon();
  /// Gives the executor and everything registered with CUDA back. Never throws, also with a lost device.
  void drop_device();
  // To be called before the memory of the slots is replaced: CUDA lets go before GL frees.
  void forget_input() {
    registered_input_ = {};
    writes_input_ = false;
  }
  void forget_output() { registered_output_ = {}; }
  /// Gives the displayed memory the shape of a result. CUDA lets go of memory that does not fit.
  void fit(ResultSlot& output, const Shape& shape);
  /// Milliseconds of a batch, in the place of PartSchedule::budget_ms.
  void set_part_budget(double milliseconds) { part_budget_ms_ = milliseconds; }

 private:
  struct Idle {};
  struct Running {
    Work work;
    RunRequest request;       ///< Of the work, with its preparation.
    Shape shape;              ///< The shape of the result.
    PartSchedule schedule;    ///< Of one part when the run is not cut.
    bool hidden = false;      ///< The displayed memory gets the result after the last batch.
    StageTimes times;         ///< Sums over the batches that are done.
    double present_ms = 0.0;  ///< Of the batch that is queued.
    bool stop_requested = false;
    Stopwatch since_start;
  };
  /// GL memory as CUDA knows it: one of them at most is not empty.
  struct Registered {
    interop::CudaGlTexture texture;
    interop::CudaGlBuffer buffer;
  };

  void provide_input(InputSlot& input);
  /// Makes the picture of a frame that is on the device already, as the input and in the memory that it is displayed
  /// from.
  void convert_input(InputSlot& input);
  /// Copies the input from the texture or buffer that it is displayed from, on the device.
  void copy_input(const gl::Resource& from, const DeviceOut& to);
  [[nodiscard]] PartSchedule schedule_for(const Work& work, const InputSlot& input, const Shape& shape) const;
  void queue_batch(Running& run, ResultSlot& output);
  /// Queues the run, or parts of it, with the displayed memory as its output. Returns the milliseconds that mapping and
  /// copying took.
  double run_into(const gl::Resource& output, const RunRequest& request, PartRange parts);
  /// Queues parts of the run with linear memory as their output, and with the last parts a copy from there to the
  /// displayed memory. Returns the milliseconds that mapping and copying took.
  double run_and_copy(ResultSlot& output, const Running& run, PartRange parts, bool last);
  /// Puts the times of the batch that is done into the sums; ends the run or queues the next batch.
  [[nodiscard]] std::optional<Ended> go_on(Running& run, const InputSlot& input, ResultSlot& output, bool unwanted);

  interop::Route route_;
  interop::HostUploader staged_uploader_;
  std::unique_ptr<DeviceExecutor> executor_;  ///< On the device of the last run.
  std::uint64_t executor_input_ = 0;          ///< Source::id of the executor's input; 0: none.
  double upload_ms_ = 0.0;                    ///< Of the input, if the next run is the first on it; else 0.
  std::variant<Idle, Running> state_;
  PartTimes part_times_;
  double part_budget_ms_ = PartSchedule::budget_ms;
  Registered registered_input_, registered_output_;
  bool writes_input_ = false;                 ///< True if the input is registered so that CUDA may write it.
  std::shared_ptr<cuda::DeviceFrame> frame_;  ///< The frame that the queued run converts; null if there is none.
};

}  // namespace threadscape::app
