#pragma once
// Keeps what is displayed in step with what the workspace asks for: textures for pictures and heightfields, buffers for
// results of other kinds. CPU backends run on the worker and arrive through a mapped buffer; CUDA runs are queued on
// this thread and write into the displayed memory itself, or go through pinned memory when GL is on another device.
// What an algorithm makes to work on is made on the worker before any of them runs; what is on show stays so long.
// update() is called once a frame and never waits.

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "app/live/part_schedule.h"
#include "app/live/ticker.h"
#include "app/live/worker.h"
#include "app/session/workspace.h"
#include "compute/run/device_executor.h"
#include "render/gl/resource.h"
#include "render/interop/cuda_gl.h"
#include "render/interop/host_upload.h"
#include "render/interop/route.h"

namespace threadscape::app {

class LiveView {
 public:
  /// `wake` is called from the worker's thread when something is ready for update(). `make_executor` makes what runs
  /// the CUDA backend.
  LiveView(const interop::RouteReport& route, std::function<void()> wake,
           DeviceExecutorFactory make_executor = make_cuda_executor);
  ~LiveView();

  /// Takes finished results, starts what is due.
  void update(Workspace& workspace);
  /// Whether the serial result of the same work is wanted beside the shown one (difference view).
  void want_reference(bool wanted) { reference_wanted_ = wanted; }
  /// Computes the current work again although nothing changed, also what failed or was cancelled.
  void rerun() {
    shown_.reset();
    given_up_.reset();
  }
  /// Runs the current work on every available backend, `repetitions` times each, for the timings.
  void compare_backends(const Workspace& workspace, int repetitions);
  /// The same with every variant of the chosen backend.
  void compare_variants(const Workspace& workspace, int repetitions);
  [[nodiscard]] bool comparing() const { return !comparison_.empty(); }
  /// Stops what is running; the work is not tried again until it is changed or rerun.
  void cancel();

  [[nodiscard]] bool busy() const;
  /// Something of the GPU is awaited, which wakes nobody: ask again in the next frame. CPU work wakes the window when
  /// it is done; frames drawn meanwhile would take cores from it.
  [[nodiscard]] bool needs_polling(const Workspace& workspace) const {
    return cuda_running_ || uploading_ || (worker_.idle() && !settled(workspace));
  }
  /// The worker makes the input of what is to be run.
  [[nodiscard]] bool makes_input() const {
    return worker_.current() != nullptr && worker_.current()->task == Worker::Task::input;
  }
  [[nodiscard]] double progress() const { return parts_ ? parts_->share() : worker_.progress(); }
  /// Seconds since the running CPU job, or CUDA run in parts, was started.
  [[nodiscard]] double running_seconds() const;
  /// Whether the output shows exactly what the workspace asks for.
  [[nodiscard]] bool settled(const Workspace& workspace) const;
  /// Updates until settled (and the reference and comparison are there): for renders without a window.
  void finish(Workspace& workspace);

  /// Null until there is something to show.
  [[nodiscard]] const gl::Resource* input() const { return present(input_); }
  [[nodiscard]] const gl::Resource* output() const { return present(output_); }
  [[nodiscard]] const gl::Resource* reference() const;
  /// What the output holds.
  [[nodiscard]] const std::optional<Work>& shown() const { return shown_; }
  /// What the output holds a part of: a volume, or what consists of parts, that is being computed or was when it was
  /// cancelled. What is not there yet is NaN in floats, else 0.
  [[nodiscard]] const std::optional<Work>& emerging() const { return emerging_; }
  /// The share of emerging() that the output surely holds as a whole, 0..1; of n parts exactly k / n.
  [[nodiscard]] double emerged() const { return emerged_; }
  /// One of them.
  [[nodiscard]] const std::optional<Work>& visible() const { return shown_ ? shown_ : emerging_; }
  /// Slices [first, second) of an emerging output that differ from the version before; empty: all may.
  [[nodiscard]] std::pair<int, int> changed_slices() const { return changed_slices_; }
  /// What input() holds, in host memory. Null when there is none.
  [[nodiscard]] const std::shared_ptr<const Source>& source() const { return source_; }
  /// Grows by one whenever the output's contents change.
  [[nodiscard]] std::uint64_t output_version() const { return output_version_; }
  /// Differs between any two inputs.
  [[nodiscard]] std::uint64_t input_version() const { return input_id_; }
  [[nodiscard]] const interop::RouteReport& route() const { return route_; }
  /// Milliseconds of a batch of parts, in the place of PartSchedule::budget_ms.
  void set_part_budget(double milliseconds) { part_budget_ms_ = milliseconds; }

 private:
  static const gl::Resource* present(const gl::Resource& resource) { return resource.empty() ? nullptr : &resource; }
  void show_input(Workspace& workspace, const std::shared_ptr<const Source>& source);
  /// What the worker has written so far goes into the output: some slices of a volume, or all of a picture.
  void show_part(Workspace& workspace);
  void begin_emerging(const Work& work);
  void copy_slices(gl::VolumeTexture& volume, bool begins);
  void copy_picture(gl::Texture& picture);
  /// Whatever the worker has done. Returns the work that it has made the input of, which is on show now.
  std::optional<Work> take_job(Workspace& workspace);
  std::optional<Work> take_input(Workspace& workspace, Worker::Finished made);
  void take_cpu_result(Workspace& workspace, Worker::Finished result);
  void take_cuda_times(Workspace& workspace);
  void start_input(const Work& work);
  void start_cpu(Workspace& workspace, const Work& work, Worker::Task task);
  void start_cuda(Workspace& workspace, const Work& work);
  void fit_output(const Shape& shape);
  /// Queues the run, or parts of it, with the displayed memory as its output.
  void run_into_output(const Work& work, PartRange parts);
  /// How the run is cut into batches; one part: not at all.
  [[nodiscard]] PartSchedule schedule_for(const Work& work, const Shape& input) const;
  void queue_batch();
  /// A batch is done: the next one, unless that was the last or the run is not wanted any more. Returns whether all is
  /// done, and `times` are of all batches then.
  bool go_on(const Workspace& workspace, StageTimes& times);
  /// Values of input and output.
  [[nodiscard]] std::int64_t items() const;
  /// Of another algorithm, or of another input while the one that is due is there: not to be seen any more.
  [[nodiscard]] bool is_lost(const Work& running, const Workspace& workspace) const;
  /// Something newer is wanted than what runs: not worth going on with, unless it is done in a moment.
  [[nodiscard]] bool is_overtaken(const Work& running, const Workspace& workspace) const;
  /// The same for what the worker does.
  [[nodiscard]] bool is_stale(const Worker::Job& job, const Workspace& workspace) const;
  void take_upload_time(Workspace& workspace);
  void record(Workspace& workspace, const Work& work, const StageTimes& times, std::int64_t items);
  /// The work that is chosen now, and the others: all of them are run, `repetitions` times each.
  void compare(const Work& chosen, const std::vector<Work>& others, int repetitions);
  /// What is wanted, or the next of a comparison.
  [[nodiscard]] Work due(const Workspace& workspace) const;

  interop::RouteReport route_;
  Worker worker_;
  // One per purpose: each holds at most one result that is being written, and reports its own upload times.
  interop::HostUploader uploader_;
  interop::HostUploader reference_uploader_;
  interop::HostUploader staged_uploader_;
  DeviceExecutorFactory make_executor_;
  std::unique_ptr<DeviceExecutor> executor_;  ///< Made at the first CUDA run.
  std::uint64_t executor_source_id_ = 0;      ///< Source::id of the executor's input.

  gl::Resource input_;
  gl::Resource output_;
  gl::Resource reference_;
  // One of them is what CUDA knows output_ as; after output_: they must die first.
  interop::CudaGlTexture registered_texture_;
  interop::CudaGlBuffer registered_buffer_;
  std::uint64_t output_version_ = 0;
  std::uint64_t input_id_ = 0;
  std::shared_ptr<const Source> source_;  ///< of input_; runs work on it

  std::optional<Work> shown_;     ///< in output_
  std::optional<Work> emerging_;  ///< in output_, while shown_ is not
  std::pair<int, int> changed_slices_{0, 0};
  int next_slice_ = 0;  ///< of the part that comes next
  double emerged_ = 0.0;
  double emerging_round_ = 0.0;  ///< what emerged_ will be when the last slice has followed the first
  std::chrono::steady_clock::time_point next_part_;  ///< not looked at before
  std::function<void()> wake_;
  Ticker ticker_;                              ///< wakes the window while a result is looked at as it comes
  std::optional<Work> counted_;                ///< what the current statistics are about
  std::optional<Worker::Finished> uploading_;  ///< shown, but its upload time is not known yet
  std::optional<Work> cuda_running_;           ///< queued, times not yet read
  double cuda_present_ms_ = 0.0;
  std::optional<PartSchedule> parts_;  ///< of cuda_running_, where that is cut into batches
  StageTimes batch_times_;             ///< sums
  bool stopping_ = false;              ///< no batch follows
  bool whole_ = false;                 ///< nobody looks on: nothing is cut
  PartTimes part_times_;
  double part_budget_ms_ = PartSchedule::budget_ms;
  std::optional<Work> reference_shown_;  ///< in reference_; always serial
  std::optional<Work> given_up_;         ///< failed or cancelled
  std::vector<Work> comparison_;         ///< still to run, last first
  bool reference_wanted_ = false;
  std::chrono::steady_clock::time_point job_start_;
};

}  // namespace threadscape::app
