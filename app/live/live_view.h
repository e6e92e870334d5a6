#pragma once
// Keeps what is displayed in step with what the workspace asks for. CPU backends run on a worker thread and arrive
// through a mapped buffer (job.h, partial_copies.h); CUDA runs are queued by the drawing thread (cuda_runner.h). Inputs
// that an algorithm makes itself are made on the worker before any backend runs; until then the old input and result
// stay on display. Files are read and written on a thread of their own (file_tasks.h).

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/live/comparison.h"
#include "app/live/cuda_runner.h"
#include "app/live/file_tasks.h"
#include "app/live/input_slot.h"
#include "app/live/observed_run.h"
#include "app/live/partial_copies.h"
#include "app/live/preview_slot.h"
#include "app/live/reference_slot.h"
#include "app/live/result_slot.h"
#include "app/live/stopwatch.h"
#include "app/live/worker.h"
#include "app/session/workspace.h"
#include "render/gl/resource.h"
#include "render/interop/host_upload.h"
#include "render/interop/loss_recovery.h"
#include "render/interop/route.h"

namespace threadscape::app {

class LiveView {
 public:
  /// `wake` is called from other threads when something is ready for update(). `route` is probed again when the
  /// workspace chooses another device.
  LiveView(const interop::RouteReport& route, std::function<void()> wake);
  /// Waits until what runs has stopped, and files are written.
  ~LiveView() = default;
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;

  /// Takes finished results and starts what is due. Called once a frame. Never waits, except when the CUDA device is
  /// lost (interop::LossRecovery).
  void update(Workspace& workspace);
  /// Updates until settled(): for renders without a window. Runs are not cut, and nothing is displayed while it grows.
  /// `report` is told again and again which share of the present run is done, 0..1. What it throws ends the waiting.
  void finish(Workspace& workspace, const std::function<void(double)>& report = {});

  /// Returns whether the serial result of the same work is wanted beside the shown one (difference view).
  void want_reference(bool wanted) { reference_.want(wanted); }
  /// Lets slow results of pictures be previewed, or not.
  void want_preview(bool wanted) { preview_.want(wanted); }
  /// Compares with the result of this work on these data instead of the serial result; none ends that.
  void compare_with(std::optional<Work> other, std::shared_ptr<const Source> data);
  /// Returns true if reference() is the result of another work.
  [[nodiscard]] bool compares_other() const { return reference_.has_other(); }
  /// Computes the current work again although nothing changed, also after an error or cancel().
  void rerun() {
    result_.drop_complete();
    given_up_.reset();
  }
  /// Runs the current work on every available backend, `repetitions` times each, for the timings.
  void compare_backends(const Workspace& workspace, int repetitions);
  /// Runs the current work and others that differ from it in backend, variant and threads, `repetitions` times each,
  /// for the timings. Of the others the last one runs first, and the current work runs last.
  void compare_works(const Workspace& workspace, const std::vector<Work>& others, int repetitions);
  /// Runs the current work with every variant of the chosen backend, `repetitions` times each, for the timings.
  void compare_variants(const Workspace& workspace, int repetitions);
  [[nodiscard]] bool comparing() const { return comparison_.active(); }
  /// Stops what is running. The work is not tried again until it is changed or rerun.
  void cancel();
  /// Files that are being read, converted and written.
  [[nodiscard]] FileTasks& files() { return files_; }
  /// Observes the kernels of what is displayed, for whoever asks for them.
  [[nodiscard]] RunObserver& observer() const { return *observer_; }

  /// Returns whether anything is being computed; files do not count.
  [[nodiscard]] bool busy() const;
  /// Returns whether the next update() has to come soon: something of the GPU is awaited, which wakes nobody. CPU work
  /// wakes the window when it is done; frames drawn meanwhile would take cores from it.
  [[nodiscard]] bool needs_polling(const Workspace& workspace) const;
  /// Returns whether the worker makes the input of the next run.
  [[nodiscard]] bool makes_input() const { return worker_.current_as<MakeInput>() != nullptr; }
  /// Returns whether the worker prepares the next CUDA run.
  [[nodiscard]] bool prepares() const { return worker_.current_as<Prepare>() != nullptr; }
  /// Share of the running CPU job, or CUDA run in batches, that is done, 0..1.
  [[nodiscard]] double progress() const;
  /// Seconds since that was started; 0 when neither is running.
  [[nodiscard]] double running_seconds() const;
  /// Returns whether the output shows exactly what the workspace asks for, and no file is being read or written.
  [[nodiscard]] bool settled(const Workspace& workspace) const;

  /// Returns whether the output shows the result of exactly what the workspace asks for, and nothing is being computed.
  /// Files do not count. False for what cannot run, failed or was cancelled.
  [[nodiscard]] bool shows_wanted(const Workspace& workspace) const;
  /// Returns whether what the workspace asks for failed or was cancelled.
  [[nodiscard]] bool gave_up(const Workspace& workspace) const { return given_up_ == workspace.wanted(); }

  /// Null until there is something to show.
  [[nodiscard]] const gl::Resource* input() const { return present(input_.memory()); }
  /// Null also while the latest result is that of another file than the present input, which cannot be run, or takes
  /// long (hide_foreign_result()), and while a preview is shown in its place.
  [[nodiscard]] const gl::Resource* output() const { return hides() ? nullptr : present(result_.memory()); }
  /// A picture of about the result that takes long, at a quarter of its width; null at other times. It is no result of
  /// any work.
  [[nodiscard]] const gl::Resource* preview() const { return preview_.shown(); }
  /// The shape of the result that preview() stands for.
  [[nodiscard]] const Shape& previewed_shape() const { return preview_.whole(); }
  /// "photo.tif: 40 %" while input() and output() still are those of the file before, because the upload of a large one
  /// takes long; otherwise "".
  [[nodiscard]] std::string arriving_text() const;
  /// The serial result of the shown work, or that of compare_with(); null when it is not there.
  [[nodiscard]] const gl::Resource* reference() const;
  /// The work whose result reference() holds; null when it is not there.
  [[nodiscard]] const Work* reference_work() const { return reference() != nullptr ? reference_.held() : nullptr; }
  /// The work whose whole result the output holds; null when there is none.
  [[nodiscard]] const Work* shown() const { return hides() ? nullptr : result_.complete_work(); }
  /// The work of which the output holds a part, NaN or 0 elsewhere; null when there is none.
  [[nodiscard]] const Work* partial() const {
    return !hides() && result_.partial() != nullptr ? &result_.partial()->work : nullptr;
  }
  /// Share of partial() that the output certainly holds, 0..1; of n parts exactly k / n.
  [[nodiscard]] double partial_share() const { return result_.partial() != nullptr ? result_.partial()->share : 0.0; }
  /// The work whose result, or a part of it, the output holds; null when there is none.
  [[nodiscard]] const Work* displayed() const { return hides() ? nullptr : result_.displayed_work(); }
  /// The input of displayed(), which is not always source(); null if that work has no input.
  [[nodiscard]] const std::shared_ptr<const Source>& displayed_source() const { return result_source_; }
  /// Slices [first, second) of a partial output that differ from the version before; an empty range: any may differ.
  [[nodiscard]] std::pair<int, int> changed_slices() const;
  /// What input() holds, in host memory. Null when there is none.
  [[nodiscard]] const std::shared_ptr<const Source>& source() const { return input_.source(); }
  /// Grows by one whenever the output's contents change.
  [[nodiscard]] std::uint64_t output_version() const { return result_.version(); }
  /// Differs between any two inputs.
  [[nodiscard]] std::uint64_t input_version() const { return input_.id(); }
  [[nodiscard]] const interop::RouteReport& route() const { return route_; }
  /// Returns true if runs use frames that are on the device already (Source::on_device): runs of CUDA that share memory
  /// with OpenGL do.
  [[nodiscard]] bool takes_device_frames(const Workspace& workspace) const;
  /// Milliseconds of a batch of parts, in the place of PartSchedule::budget_ms.
  void set_part_budget(double milliseconds) { cuda_.set_part_budget(milliseconds); }
  /// Displays runs of the CPU from so many milliseconds after their start on, in the place of a quarter of a second.
  void show_partial_from(double milliseconds) { partial_copies_.set_first(milliseconds); }

 private:
  /// A CPU result that is displayed, but whose upload time is not known yet.
  struct Upload {
    Work work;
    StageTimes times;
    std::int64_t items = 0;
  };

  /// What the last CUDA run that needed a preparation was given.
  struct Prepared {
    Work work;
    std::shared_ptr<const Preparation> preparation;
  };

  static const gl::Resource* present(const gl::Resource& resource) { return resource.empty() ? nullptr : &resource; }
  /// Returns whether nothing of result_ is displayed.
  [[nodiscard]] bool hides() const { return hidden_ || preview_.shown() != nullptr; }
  /// The work to run next: what is wanted, or the next of a comparison.
  [[nodiscard]] Work due(const Workspace& workspace) const;

  // The steps of update(), in their order.
  /// Finds the route from the device that the workspace has chosen, if that is another one than before.
  void follow_device(const Workspace& workspace);
  /// Ends the use of CUDA when the device was retired since the last frame, here or anywhere in the program.
  void notice_lost_device(Workspace& workspace);
  /// Returns whether OpenGL still recovers from the loss of the device, so that nothing new can be displayed.
  /// Afterwards input and results get new memory and are uploaded again.
  [[nodiscard]] bool recovering(Workspace& workspace);
  void end_outdated_comparison(const Workspace& workspace);
  void take_finished_job(Workspace& workspace);
  void take_upload_time(Workspace& workspace);
  void advance_cuda_run(Workspace& workspace);
  void show_input(Workspace& workspace, const std::shared_ptr<const Source>& source);
  void copy_partial_result(Workspace& workspace);
  void stop_outdated_job(const Workspace& workspace);
  /// Hides the result of another file than the present input if no result of the present one is on its way, or it takes
  /// so long that the old result would be taken for its own.
  void hide_foreign_result(const Workspace& workspace);
  /// Starts the run of the work that is due, or what has to come before it.
  void start_next(Workspace& workspace);

  void take(Workspace& workspace, Finished<MakeInput> made);
  void take(Workspace& workspace, Finished<WorkerRun> done);
  void take(Workspace& workspace, Finished<PreviewRun> done);
  void take(Workspace& workspace, Finished<ReferenceRun> done);
  void take(Workspace& workspace, Finished<Prepare> done);
  void start_input(const Work& work);
  void start_preparation(const Work& work);
  void start_on_worker(Workspace& workspace, const Work& work);
  /// Returns whether a result can be displayed while it is computed: volumes, and results that consist of parts.
  [[nodiscard]] static bool can_be_watched(const Work& work, const Shape& input, const Shape& output);
  /// Starts the preview of `work` if it has one. Returns whether it did.
  bool start_preview(const Workspace& workspace, const Work& work);
  void start_reference(Workspace& workspace, const Work& work);
  void start_cuda(Workspace& workspace, const Work& work);
  /// Takes note that a run of `work` failed: it is not tried again, or the device is lost.
  void cuda_failed(Workspace& workspace, const Work& work, const std::exception& error);
  /// Returns whether the result of `running` is not to be seen any more: it is of another algorithm, or of another
  /// input while the one that is due is there.
  [[nodiscard]] bool is_lost(const Work& running, const Workspace& workspace) const;
  /// Returns whether something newer is wanted than `running`, and that is not worth going on with after `run_ms`.
  [[nodiscard]] bool is_overtaken(const Work& running, double run_ms, const Workspace& workspace) const;
  void record(Workspace& workspace, const Work& work, const StageTimes& times, std::int64_t items);
  /// Returns whether everything that is asked for was computed.
  [[nodiscard]] bool computed(const Workspace& workspace) const;

  interop::RouteReport route_;
  std::function<void()> wake_;
  InputSlot input_;
  ResultSlot result_;
  ReferenceSlot reference_;
  PreviewSlot preview_;
  std::shared_ptr<const Source> result_source_;  ///< The input of what result_ holds, or held before it was emptied.
  std::shared_ptr<const Source> cuda_source_;    ///< The input of the CUDA run that runs or ran last.
  bool hidden_ = false;                          ///< What result_ holds is of another file.
  std::shared_ptr<const Source> other_data_;     ///< The data of compare_with().
  interop::HostUploader uploader_;               ///< Uploads the results of CPU backends.
  PartialCopies partial_copies_;
  std::optional<Upload> upload_;
  Comparison comparison_;
  std::optional<Prepared> prepared_;
  std::optional<Work> input_made_for_;  ///< What the worker made the latest input for, until a run is chosen for it.
  std::optional<Work> given_up_;        ///< Failed or was cancelled.
  std::optional<Work> measured_;        ///< What the statistics in the workspace are about.
  std::uint64_t measured_stream_ = 0;   ///< Source::stream of its input.
  Stopwatch job_start_;                 ///< Of the worker's job.
  bool finishing_ = false;              ///< Inside finish(): nobody looks on.
  bool device_lost_ = false;            ///< The chosen device has failed.
  std::optional<interop::LossRecovery> recovery_;  ///< From the loss to the first frame in which OpenGL works again.
  FileTasks files_;
  std::unique_ptr<RunObserver> observer_ = std::make_unique<RunObserver>();
  // Last members: they end before the memory that they write into.
  CudaRunner cuda_;
  Worker worker_;
};

}  // namespace threadscape::app
