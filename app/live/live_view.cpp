#include "app/live/live_view.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <thread>

#include "compute/core/trace.h"

namespace threadscape::app {

namespace {

/// Outdated work that has run longer than this is stopped; shorter work may finish, so that dragging a slider shows
/// every result on the way.
constexpr double patience_ms = 120.0;
/// Runs that are known to take longer than `patience_ms` and less than this may finish as well. Otherwise no result of
/// theirs would be seen while a slider is dragged all the time.
constexpr double long_patience_ms = 1000.0;

/// Changes memory of OpenGL. What OpenGL cannot take is an error in the log.
template <class Change>
void logging_errors(Workspace& workspace, const Change& change) {
  try {
    change();
  } catch (const std::exception& error) {
    workspace.log.error(error.what());
  }
}

/// How long an outdated run may go on, by the time of the last run of its backend.
double patience_with(const Work& running, const TimingSample* last) {
  if (last == nullptr || last->backend != running.backend || last->variant != running.variant) return patience_ms;
  const double expected_ms = last->times.compute_ms;
  if (expected_ms > long_patience_ms) return patience_ms;
  return std::clamp(2.0 * expected_ms, patience_ms, long_patience_ms);
}

/// Milliseconds that a frame spends on the upload of a large input: with the work of the frame itself, less than the
/// 16.7 ms of a display with 60 Hz.
constexpr double upload_budget_ms = 4.0;

bool same_work(const Work* a, const Work& b) {
  return a != nullptr && *a == b;
}

}  // namespace

LiveView::LiveView(const interop::RouteReport& route, std::function<void()> wake)
    : route_(route), wake_(std::move(wake)), files_(wake_), cuda_(route.cuda_route), worker_(wake_) {}

// ---- the steps of a frame -------------------------------------------------------------------------------------------

void LiveView::update(Workspace& workspace) {
  files_.update(workspace);
  follow_device(workspace);
  notice_lost_device(workspace);
  if (recovering(workspace)) return;
  workspace.refresh();
  end_outdated_comparison(workspace);
  take_finished_job(workspace);
  take_upload_time(workspace);
  advance_cuda_run(workspace);
  if (!workspace.lacks_input()) show_input(workspace, workspace.source());
  logging_errors(workspace,
                 [&] { input_.upload_parts(finishing_ ? std::numeric_limits<double>::infinity() : upload_budget_ms); });
  copy_partial_result(workspace);
  const bool runs = worker_.current_as<WorkerRun>() != nullptr;
  preview_.update(due(workspace), runs ? job_start_.ms() : 0.0, worker_.progress());
  stop_outdated_job(workspace);
  hide_foreign_result(workspace);
  if (!files_.opening() && !input_.arriving()) files_.drop_overview();
  start_next(workspace);
  // An input that a run of CUDA was to copy comes from host memory if no such run has come. A run of CUDA that is
  // queued still is followed by the one that copies the input.
  if (cuda_.running() == nullptr || !takes_device_frames(workspace))
    logging_errors(workspace, [&] { input_.write_instead_of_device(); });
}

bool LiveView::recovering(Workspace& workspace) {
  if (!recovery_) return false;
  using State = interop::LossRecovery::State;
  State state = State::failed;
  try {
    state = recovery_->poll();
  } catch (const std::exception& error) {  // memory for its pictures is short
    workspace.log.error(error.what());
  }
  if (state == State::waiting) return true;
  recovery_.reset();
  if (state == State::failed)
    workspace.log.error("OpenGL does not recover from the loss of the CUDA device: save your work and start again");
  upload_.reset();
  while (uploader_.poll_upload_ms()) {  // times of uploads that were given up
  }
  result_.free();
  reference_.free();
  try {
    input_.show_again();
  } catch (const std::exception& error) {  // more than GL can take
    workspace.log.error(error.what());
  }
  return false;
}

void LiveView::end_outdated_comparison(const Workspace& workspace) {
  if (comparison_.active() && comparison_.chosen() != workspace.measured()) comparison_.end();
}

void LiveView::take_finished_job(Workspace& workspace) {
  std::optional<FinishedJob> done = worker_.take();
  if (!done) return;
  if (auto* made = std::get_if<Finished<MakeInput>>(&*done)) take(workspace, std::move(*made));
  if (auto* made = std::get_if<Finished<Prepare>>(&*done)) take(workspace, std::move(*made));
  if (auto* run = std::get_if<Finished<WorkerRun>>(&*done)) take(workspace, std::move(*run));
  if (auto* run = std::get_if<Finished<PreviewRun>>(&*done)) take(workspace, std::move(*run));
  if (auto* run = std::get_if<Finished<ReferenceRun>>(&*done)) take(workspace, std::move(*run));
}

void LiveView::take_upload_time(Workspace& workspace) {
  reference_.drop_upload_times();
  const std::optional<double> upload_ms = uploader_.poll_upload_ms();
  if (!upload_ms || !upload_) return;
  Upload done = *std::exchange(upload_, std::nullopt);
  done.times.present_ms = *upload_ms;
  record(workspace, done.work, done.times, done.items);
}

void LiveView::advance_cuda_run(Workspace& workspace) {
  if (cuda_.running() == nullptr) return;
  const Work work = *cuda_.running();
  try {
    const bool unwanted = is_overtaken(work, cuda_.running_ms(), workspace);
    const auto ended = cuda_.poll(input_, result_, unwanted);
    if (same_work(result_.displayed_work(), work)) result_source_ = cuda_source_;
    if (!ended || !ended->times) return;
    if (given_up_ == work) given_up_.reset();  // cancelled in its last batch
    record(workspace, work, *ended->times, result_.memory().shape().items());
  } catch (const std::exception& error) {
    cuda_failed(workspace, work, error);
  }
}

void LiveView::show_input(Workspace& workspace, const std::shared_ptr<const Source>& source) {
  if (input_.replaces_memory(source)) cuda_.forget_input();
  using enum InputSlot::ByDevice;
  const auto by_device = !takes_device_frames(workspace) ? no : cuda_.running() ? into_old_memory : into_any_memory;
  logging_errors(workspace, [&] { input_.show(source, by_device); });
}

bool LiveView::takes_device_frames(const Workspace& workspace) const {
  return route_.cuda_route == interop::Route::interop && !device_lost_ && workspace.work().backend == Backend::cuda &&
         !workspace.work().is_divided();
}

void LiveView::copy_partial_result(Workspace& workspace) {
  const auto* run = worker_.current_as<WorkerRun>();
  if (run == nullptr || !run->watched || !worker_.blanked() || run->work != due(workspace)) return;
  if (cuda_.running() != nullptr || !partial_copies_.due(job_start_.ms())) return;
  try {
    cuda_.fit(result_, run->output.shape);
    partial_copies_.copy(
        run->work, [this] { return worker_.progress(); }, uploader_, result_);
    result_source_ = run->source;
  } catch (const std::exception& error) {  // more than GL can take
    workspace.log.error(error.what());
    given_up_ = run->work;
    worker_.cancel();
  }
}

void LiveView::stop_outdated_job(const Workspace& workspace) {
  bool outdated = false;
  if (const auto* made = worker_.current_as<MakeInput>())
    outdated = is_lost(made->work, workspace);  // nothing is won by stopping what cannot be stopped
  if (const auto* made = worker_.current_as<Prepare>()) outdated = is_overtaken(made->work, job_start_.ms(), workspace);
  if (const auto* run = worker_.current_as<WorkerRun>()) outdated = is_overtaken(run->work, job_start_.ms(), workspace);
  if (const auto* run = worker_.current_as<PreviewRun>()) outdated = run->work != due(workspace);
  if (const auto* run = worker_.current_as<ReferenceRun>()) {  // a reference never delays a result
    const Work wanted = due(workspace);
    outdated = !same_work(shown(), wanted) || run->work != reference_.compared(wanted);
  }
  if (outdated) worker_.cancel();
}

void LiveView::hide_foreign_result(const Workspace& workspace) {
  const std::shared_ptr<const Source>& now = input_.source();
  // Inputs that an algorithm makes itself have no title. They change while a slider is dragged, and their results stay
  // until the next is there, so that nothing flickers.
  const bool foreign = now && !now->title().empty() && !workspace.lacks_input() &&
                       (!result_source_ || result_source_->stream_id() != now->stream_id());
  // What an overview has covered does not come back behind it.
  hidden_ = foreign && (hidden_ || files_.overview() != nullptr || !workspace.problem().empty() || gave_up(workspace) ||
                        running_seconds() * 1000.0 > patience_ms);
}

void LiveView::start_next(Workspace& workspace) {
  if (recovery_ || input_.arriving()) return;
  Work work = due(workspace);
  // Something newer is wanted that needs another input. What this one was made for is run first, so that dragging a
  // slider shows results on the way, too, where each has an input of its own.
  const std::optional<Work> made_for = std::exchange(input_made_for_, std::nullopt);
  if (work.source_id != input_.id() && made_for) work = *made_for;
  const bool queued = work.backend == Backend::cuda && !work.is_divided();
  if (!worker_.idle() && !queued) return;
  if (!workspace.problem().empty() || work == given_up_) {
    comparison_.end();
    return;
  }
  if (!same_work(shown(), work)) {
    if (cuda_.running() != nullptr || upload_) return;
    if (work.source_id != input_.id())
      start_input(work);
    else if (queued)
      start_cuda(workspace, work);
    else
      start_on_worker(workspace, work);
  } else if (worker_.idle() && reference_.is_due(work) && !comparing()) {
    start_reference(workspace, work);
  }
}

// ---- what update() asks ---------------------------------------------------------------------------------------------

Work LiveView::due(const Workspace& workspace) const {
  return comparison_.active() ? comparison_.next() : workspace.wanted();
}

bool LiveView::is_lost(const Work& running, const Workspace& workspace) const {
  const Work wanted = due(workspace);
  if (running.algorithm != wanted.algorithm) return true;
  return running.source_id != wanted.source_id && !workspace.lacks_input();
}

bool LiveView::is_overtaken(const Work& running, double run_ms, const Workspace& workspace) const {
  return running != due(workspace) &&
         (is_lost(running, workspace) || run_ms > patience_with(running, workspace.timings.latest()));
}

// ---- jobs of the worker ---------------------------------------------------------------------------------------------

void LiveView::start_input(const Work& work) {
  if (!worker_.idle()) return;
  job_start_.restart();
  worker_.start(MakeInput{.work = work});
}

void LiveView::take(Workspace& workspace, Finished<MakeInput> made) {
  const Work& work = made.job.work;
  if (is_lost(work, workspace)) return;
  if (const Failure* failure = made.failure()) workspace.refuse_input(work, failure->why);
  HostArray* input = made.result();
  if (input == nullptr) return;
  show_input(workspace, workspace.take_input(work, std::move(*input)));
  input_made_for_ = work;
}

bool LiveView::can_be_watched(const Work& work, const Shape& input, const Shape& output) {
  if (gl::VolumeTexture::can_hold(output)) return true;
  return gl::Resource::is_texture(output.kind) && work.algorithm->parts && work.algorithm->parts->shown(work.params) &&
         work.algorithm->parts->count(work.params, input) > 1;
}

void LiveView::start_on_worker(Workspace& workspace, const Work& work) {
  if (!worker_.idle()) return;
  try {
    if (!work.is_divided() && start_preview(workspace, work)) return;
    const Shape shape = work.algorithm->output_shape(work.params, input_.shape());
    const bool watched = !finishing_ && !comparing() && can_be_watched(work, input_.shape(), shape);
    const HostOut memory = uploader_.acquire(shape);
    job_start_.restart();
    worker_.start(WorkerRun{.work = work, .source = source(), .output = memory, .watched = watched});
    if (watched) partial_copies_.begin(wake_);
  } catch (const std::exception& error) {
    workspace.log.error(error.what());
    given_up_ = work;
  }
}

void LiveView::take(Workspace& workspace, Finished<WorkerRun> done) {
  partial_copies_.end();
  const Work& work = done.job.work;
  const Shape& shape = done.job.output.shape;
  const StageTimes* times = done.result();
  try {
    if (const Failure* failure = done.failure()) throw EnvironmentError(failure->why);
    // Nothing may come between the batches of a CUDA run.
    if (times == nullptr || is_lost(work, workspace) || cuda_.runs_in_batches()) return uploader_.cancel();
    cuda_.fit(result_, shape);
    uploader_.submit(result_.memory());
  } catch (const std::exception& error) {  // of the run, or more than GL can take
    uploader_.cancel();
    preview_.drop();
    workspace.log.error(error.what());
    given_up_ = work;
    return;
  }
  preview_.drop();
  result_.contents_changed();
  result_.set_complete(work);
  result_source_ = done.job.source;
  upload_ = Upload{.work = work, .times = *times, .items = shape.items()};
}

void LiveView::start_reference(Workspace& workspace, const Work& work) {
  try {
    const Work compared = reference_.compared(work);
    const std::shared_ptr<const Source> data = reference_.has_other() ? other_data_ : source();
    const Shape input = reference_.has_other() ? (data ? data->picture.pixels.shape() : Shape{}) : input_.shape();
    const Shape shape = compared.algorithm->output_shape(compared.params, input);
    const HostOut memory = reference_.acquire(shape);
    job_start_.restart();
    worker_.start(ReferenceRun{.work = compared, .source = data, .output = memory});
  } catch (const std::exception& error) {
    workspace.log.error(error.what());
    given_up_ = due(workspace);
  }
}

void LiveView::take(Workspace& workspace, Finished<ReferenceRun> done) {
  try {
    if (const Failure* failure = done.failure()) throw EnvironmentError(failure->why);
    const bool lost = reference_.has_other() ? done.job.work != reference_.compared(done.job.work)
                                             : is_lost(done.job.work, workspace);
    if (done.result() == nullptr || lost) return reference_.cancel();
    reference_.store(done.job.work, done.job.output.shape);
  } catch (const std::exception& error) {  // of the run, or more than GL can take
    reference_.cancel();
    workspace.log.error(error.what());
    given_up_ = due(workspace);
  }
}

// ---- what others ask for --------------------------------------------------------------------------------------------

void LiveView::record(Workspace& workspace, const Work& work, const StageTimes& times, std::int64_t items) {
  if (work.is_stage) return;
  // The frames of a moving picture are work of one kind.
  const std::uint64_t stream = input_.source() && input_.id() == work.source_id ? input_.source()->stream : 0;
  const bool same_input =
      measured_ && (measured_->source_id == work.source_id || (stream != 0 && stream == measured_stream_));
  if (!same_input || measured_->algorithm != work.algorithm || measured_->params != work.params ||
      measured_->device != work.device || measured_->devices != work.devices)
    workspace.timings.start_statistics();
  measured_ = work;
  measured_stream_ = stream;
  const bool cuda = work.backend == Backend::cuda;
  trace::add_device({{"upload", "upload", cuda ? times.upload_ms : 0.0},
                     {work.algorithm->name, "kernels", cuda ? times.compute_ms : 0.0},
                     {"download", "download", cuda ? times.download_ms : 0.0},
                     {"to the screen", "upload", times.present_ms}});
  // Of a number that was computed from many values, those count.
  if (items == 1) items = std::max(items, input_.memory().shape().items());
  workspace.timings.push(
      {.backend = work.backend, .variant = work.variant, .threads = work.threads, .times = times, .items = items});
  // The next of the series may be the same work again.
  if (comparison_.measured(work)) result_.drop_complete();
}

void LiveView::compare_with(std::optional<Work> other, std::shared_ptr<const Source> data) {
  reference_.compare_with(std::move(other));
  other_data_ = std::move(data);
}

void LiveView::compare_backends(const Workspace& workspace, int repetitions) {
  const Work chosen = workspace.measured();
  std::vector<Work> others;
  for (const Backend backend : backends) {
    if (backend == chosen.backend || !workspace.why_absent(backend).empty()) continue;
    Work& work = others.emplace_back(chosen);
    work.backend = backend;
    work.variant = 0;
  }
  compare_works(workspace, others, repetitions);
}

void LiveView::compare_works(const Workspace& workspace, const std::vector<Work>& others, int repetitions) {
  comparison_.begin(workspace.measured(), others, repetitions);
  rerun();
}

void LiveView::compare_variants(const Workspace& workspace, int repetitions) {
  const Work chosen = workspace.measured();
  std::vector<Work> others;
  for (auto variant = static_cast<int>(chosen.algorithm->variants_of(chosen.backend).size()); variant-- > 0;)
    if (variant != chosen.variant) others.emplace_back(chosen).variant = variant;
  compare_works(workspace, others, repetitions);
}

void LiveView::cancel() {
  comparison_.end();
  if (cuda_.runs_in_batches()) {
    given_up_ = *cuda_.running();
    cuda_.request_stop();
  }
  if (const auto* made = worker_.current_as<MakeInput>()) given_up_ = made->work;
  if (const auto* made = worker_.current_as<Prepare>()) given_up_ = made->work;
  if (const auto* run = worker_.current_as<WorkerRun>()) given_up_ = run->work;
  if (const auto* run = worker_.current_as<PreviewRun>()) given_up_ = run->work;
  preview_.drop();
  worker_.cancel();
}

bool LiveView::busy() const {
  return !worker_.idle() || cuda_.running() != nullptr || upload_ || recovery_ || input_.arriving() || comparing();
}

bool LiveView::needs_polling(const Workspace& workspace) const {
  return cuda_.running() != nullptr || upload_ || recovery_ || input_.arriving() || files_.needs_polling() ||
         (worker_.idle() && !computed(workspace));
}

double LiveView::progress() const {
  return cuda_.runs_in_batches() ? cuda_.share() : worker_.progress();
}

double LiveView::running_seconds() const {
  if (cuda_.runs_in_batches()) return cuda_.running_ms() / 1000.0;
  return worker_.idle() ? 0.0 : job_start_.ms() / 1000.0;
}

bool LiveView::computed(const Workspace& workspace) const {
  if (busy()) return false;
  const Work wanted = workspace.wanted();
  if (!workspace.problem().empty() || given_up_ == wanted) return true;
  return same_work(shown(), wanted) && !reference_.is_due(wanted);
}

bool LiveView::shows_wanted(const Workspace& workspace) const {
  const Work wanted = workspace.wanted();
  return same_work(shown(), wanted) && workspace.problem().empty() && !comparing() && !recovery_ &&
         !input_.arriving() && !reference_.is_due(wanted);
}

bool LiveView::settled(const Workspace& workspace) const {
  return computed(workspace) && !files_.busy();
}

void LiveView::finish(Workspace& workspace, const std::function<void(double)>& report) {
  finishing_ = true;
  try {
    update(workspace);
    while (!settled(workspace)) {
      if (worker_.idle())
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      else if (report)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      else
        worker_.wait();
      if (report) report(progress());
      update(workspace);
    }
  } catch (...) {
    finishing_ = false;
    throw;
  }
  finishing_ = false;
}

std::string LiveView::arriving_text() const {
  return input_.arriving_text(patience_ms);
}

const gl::Resource* LiveView::reference() const {
  return shown() != nullptr ? reference_.of(*shown()) : nullptr;
}

std::pair<int, int> LiveView::changed_slices() const {
  return result_.partial() != nullptr ? result_.partial()->changed_slices : std::pair{0, 0};
}

}  // namespace threadscape::app
