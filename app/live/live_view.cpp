#include "app/live/live_view.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

namespace threadscape::app {

namespace {

using Clock = std::chrono::steady_clock;

/// Outdated work that has run longer than this is stopped; shorter work may finish, so that dragging a slider shows
/// every result on the way.
constexpr double patience_ms = 120.0;

// Some results are looked at while they are computed: from when on, how often, and how much of a volume at a time.
// Looking takes a tenth of the time at most.
constexpr double emerge_ms = 250.0;
constexpr auto part_interval = std::chrono::milliseconds(100);
constexpr std::size_t part_bytes = std::size_t{64} << 20;
constexpr int rest_after_part = 10;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// The serial run whose result a work is compared with.
Work reference_of(Work work) {
  work.backend = Backend::serial;
  work.variant = 0;
  work.threads = 1;
  return work;
}

/// Whether what is found can be seen before the rest is: of volumes, and of what consists of parts.
bool grows(const Work& work, const Shape& input, const Shape& output) {
  if (gl::VolumeTexture::can_hold(output)) return true;
  return gl::Resource::is_texture(output.kind) && work.algorithm->parts &&
         work.algorithm->parts(work.params, input) > 1;
}

}  // namespace

LiveView::LiveView(const interop::RouteReport& route, std::function<void()> wake, DeviceExecutorFactory make_executor)
    : route_(route), worker_(wake), make_executor_(std::move(make_executor)), wake_(std::move(wake)) {}

LiveView::~LiveView() {
  // The worker writes into the uploader's memory; it must be done before that goes away.
  worker_.cancel();
  worker_.wait();
  executor_.reset();  // waits for the kernels that write into the displayed memory
}

void LiveView::update(Workspace& workspace) {
  workspace.refresh();
  // A comparison ends as soon as something else is asked for; its first entry is what was chosen when it began.
  if (!comparison_.empty() && comparison_.front() != workspace.wanted()) comparison_.clear();
  const std::optional<Work> prepared = take_job(workspace);
  take_upload_time(workspace);
  take_cuda_times(workspace);
  if (!workspace.lacks_input()) show_input(workspace, workspace.source());
  show_part(workspace);

  Work work = due(workspace);
  // Something newer is wanted that needs another input. What this one was made for is run first, so that dragging a
  // slider shows results on the way, too, where each has an input of its own.
  if (work.source_id != input_id_ && prepared) work = *prepared;
  const bool runnable = workspace.problem().empty();
  if (const Worker::Job* job = worker_.current()) {
    if (is_stale(*job, workspace)) worker_.cancel();
    if (work.backend != Backend::cuda) return;
  }
  if (!runnable || work == given_up_) {
    comparison_.clear();
    return;
  }
  if (shown_ != work) {
    if (cuda_running_ || uploading_) return;
    if (work.source_id != input_id_)
      start_input(work);
    else if (work.backend == Backend::cuda)
      start_cuda(workspace, work);
    else
      start_cpu(workspace, work, Worker::Task::result);
    return;
  }
  if (reference_wanted_ && worker_.idle() && reference_shown_ != reference_of(work) && !comparing())
    start_cpu(workspace, reference_of(work), Worker::Task::reference);
}

bool LiveView::is_lost(const Work& running, const Workspace& workspace) const {
  const Work wanted = due(workspace);
  if (running.algorithm != wanted.algorithm) return true;
  return running.source_id != wanted.source_id && !workspace.lacks_input();
}

bool LiveView::is_overtaken(const Work& running, const Workspace& workspace) const {
  return running != due(workspace) && (is_lost(running, workspace) || ms_since(job_start_) > patience_ms);
}

bool LiveView::is_stale(const Worker::Job& job, const Workspace& workspace) const {
  switch (job.task) {
    case Worker::Task::input:  // nothing is won by stopping what cannot be stopped
      return is_lost(job.work, workspace);
    case Worker::Task::result:
      return is_overtaken(job.work, workspace);
    default:  // a reference never delays a result
      return shown_ != due(workspace) || job.work != reference_of(due(workspace));
  }
}

Work LiveView::due(const Workspace& workspace) const {
  return comparison_.empty() ? workspace.wanted() : comparison_.back();
}

void LiveView::show_input(Workspace& workspace, const std::shared_ptr<const Source>& source) {
  if (!source) {
    input_ = {};
    input_id_ = 0;
    source_.reset();
    return;
  }
  if (source->id == input_id_) return;
  input_id_ = source->id;  // first: what GL cannot take is not tried again
  source_ = source;
  try {
    const Shape& shape = source->picture.pixels.shape();
    if (!input_.fits(shape)) {
      input_ = {};  // first, so that both never exist at once
      input_ = gl::Resource(shape);
    }
    input_.write(source->picture.pixels.view());
  } catch (const Error& error) {
    workspace.log.error(error.what());
    input_ = {};
  }
}

void LiveView::fit_output(const Shape& shape) {
  if (output_.fits(shape)) return;
  registered_texture_ = {};  // CUDA lets go before GL frees
  registered_buffer_ = {};
  output_ = {};  // first, so that both never exist at once
  shown_.reset();
  emerging_.reset();
  output_ = gl::Resource(shape);
}

void LiveView::start_input(const Work& work) {
  if (!worker_.idle()) return;
  job_start_ = Clock::now();
  worker_.start({.task = Worker::Task::input, .work = work, .source = nullptr, .output = {}});
}

void LiveView::start_cpu(Workspace& workspace, const Work& work, Worker::Task task) {
  if (!worker_.idle()) return;
  const bool reference = task == Worker::Task::reference;
  try {
    const Shape input = source_ ? source_->picture.pixels.shape() : Shape{};
    const Shape shape = work.algorithm->output_shape(work.params, input);
    const bool watched = !reference && !whole_ && comparison_.empty() && grows(work, input, shape);
    const HostOut memory = (reference ? reference_uploader_ : uploader_).acquire(shape);
    job_start_ = Clock::now();
    worker_.start({task, work, source_, memory, watched});
    if (watched) ticker_.start(part_interval, wake_);
  } catch (const Error& error) {
    workspace.log.error(error.what());
    given_up_ = reference ? due(workspace) : work;
  }
}

void LiveView::show_part(Workspace& workspace) {
  const Worker::Job* job = worker_.current();
  if (job == nullptr || !job->watched || !worker_.blanked() || job->work != due(workspace)) return;
  if (ms_since(job_start_) < emerge_ms || cuda_running_) return;
  const bool begins = emerging_ != job->work;
  if (!begins && Clock::now() < next_part_) return;
  const auto start = Clock::now();
  try {
    fit_output(job->output.shape);
    if (begins) begin_emerging(job->work);
    if (gl::VolumeTexture* volume = output_.volume())
      copy_slices(*volume, begins);
    else
      copy_picture(*output_.texture());
    ++output_version_;
  } catch (const Error& error) {  // more than GL can take
    workspace.log.error(error.what());
    given_up_ = job->work;
    worker_.cancel();
  }
  const auto end = Clock::now();
  next_part_ = end + std::max<Clock::duration>(part_interval, rest_after_part * (end - start));
}

void LiveView::begin_emerging(const Work& work) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const bool floats = output_.shape().element == Element::f32;
  if (gl::VolumeTexture* volume = output_.volume()) volume->clear(floats ? nan : 0.0f);
  if (gl::Texture* texture = output_.texture())
    floats ? texture->clear(nan, nan, nan, nan) : texture->clear(0, 0, 0, 0);
  shown_.reset();
  emerging_ = work;
  emerged_ = 0.0;
  next_slice_ = 0;
  changed_slices_ = {0, 0};
}

void LiveView::copy_slices(gl::VolumeTexture& volume, bool begins) {
  const Shape shape = volume.shape();
  const int depth = volume.size().z;
  const std::size_t slice = std::max<std::size_t>(shape.bytes() / static_cast<std::size_t>(depth), 1);
  const int count = static_cast<int>(std::clamp<std::size_t>(part_bytes / slice, 1, static_cast<std::size_t>(depth)));
  const int first = next_slice_ >= depth ? 0 : next_slice_;
  next_slice_ = std::min(first + count, depth);
  // What the worker had reported is in its memory (see Progress); what it writes meanwhile may be in the copy or not.
  if (first == 0) emerging_round_ = worker_.progress();
  uploader_.submit_slices(volume, first, next_slice_ - first);
  if (next_slice_ == depth) emerged_ = emerging_round_;
  changed_slices_ = begins ? std::pair{0, 0} : std::pair{first, next_slice_};
}

void LiveView::copy_picture(gl::Texture& picture) {
  const double done = worker_.progress();  // before the copy, as in copy_slices()
  uploader_.submit_part(picture);
  emerged_ = done;
}

std::optional<Work> LiveView::take_job(Workspace& workspace) {
  std::optional<Worker::Finished> done = worker_.take();
  if (!done) return {};
  if (done->job.task == Worker::Task::input) return take_input(workspace, std::move(*done));
  take_cpu_result(workspace, std::move(*done));
  return {};
}

std::optional<Work> LiveView::take_input(Workspace& workspace, Worker::Finished made) {
  const Work& work = made.job.work;
  if (made.cancelled || is_lost(work, workspace)) return {};
  if (!made.error.empty()) {
    workspace.refuse_input(work, std::move(made.error));
    return {};
  }
  show_input(workspace, workspace.take_input(work, std::move(made.input)));
  return work;
}

void LiveView::take_cpu_result(Workspace& workspace, Worker::Finished result) {
  ticker_.stop();
  const Worker::Job& job = result.job;
  const bool reference = job.task == Worker::Task::reference;
  interop::HostUploader& uploader = reference ? reference_uploader_ : uploader_;
  // Nothing may come between the parts of a CUDA run.
  if (result.cancelled || !result.error.empty() || is_lost(job.work, workspace) || (parts_ && !reference)) {
    uploader.cancel();
    if (!result.error.empty()) {
      workspace.log.error(result.error);
      given_up_ = reference ? due(workspace) : job.work;
    }
    return;
  }
  const Shape& shape = job.output.shape;
  try {
    if (reference) {
      if (!reference_.fits(shape)) reference_ = gl::Resource(shape);
      uploader.submit(reference_);
      reference_shown_ = job.work;
      return;
    }
    fit_output(shape);
    uploader.submit(output_);
  } catch (const Error& error) {  // more than GL can take
    uploader.cancel();
    workspace.log.error(error.what());
    given_up_ = reference ? due(workspace) : job.work;
    return;
  }
  ++output_version_;
  changed_slices_ = {0, 0};
  emerging_.reset();
  shown_ = job.work;
  uploading_ = std::move(result);
}

void LiveView::take_upload_time(Workspace& workspace) {
  (void)reference_uploader_.poll_upload_ms();  // not part of the comparison of backends
  (void)staged_uploader_.poll_upload_ms();
  const std::optional<double> upload_ms = uploader_.poll_upload_ms();
  if (!upload_ms || !uploading_) return;
  uploading_->times.present_ms = *upload_ms;
  const Worker::Finished done = std::move(*uploading_);
  uploading_.reset();
  record(workspace, done.job.work, done.times, done.job.output.shape.items());
}

void LiveView::record(Workspace& workspace, const Work& work, const StageTimes& times, std::int64_t items) {
  const bool same = counted_ && counted_->algorithm == work.algorithm && counted_->params == work.params &&
                    counted_->source_id == work.source_id;
  if (!same) workspace.timings.start_statistics();
  counted_ = work;
  // A number that was made of many values: those count.
  if (items == 1) items = std::max(items, input_.shape().items());
  workspace.timings.push(
      {.backend = work.backend, .variant = work.variant, .threads = work.threads, .times = times, .items = items});
  if (!comparison_.empty() && comparison_.back() == work) {
    comparison_.pop_back();
    if (!comparison_.empty()) shown_.reset();  // the next of the series may be the same work again
  }
}

void LiveView::compare(const Work& chosen, const std::vector<Work>& others, int repetitions) {
  comparison_.clear();
  // Taken from the back: ends with what is chosen now, so that this stays on show.
  const auto add = [&](const Work& work) {
    comparison_.insert(comparison_.end(), static_cast<std::size_t>(repetitions), work);
  };
  add(chosen);
  for (const Work& work : others)
    add(work);
  shown_.reset();
  given_up_.reset();
}

void LiveView::compare_backends(const Workspace& workspace, int repetitions) {
  const Work chosen = workspace.wanted();
  std::vector<Work> others;
  for (const Backend backend : backends) {
    if (backend == chosen.backend || !workspace.why_absent(backend).empty()) continue;
    Work& work = others.emplace_back(chosen);
    work.backend = backend;
    work.variant = 0;
  }
  compare(chosen, others, repetitions);
}

void LiveView::compare_variants(const Workspace& workspace, int repetitions) {
  const Work chosen = workspace.wanted();
  std::vector<Work> others;
  for (auto variant = static_cast<int>(chosen.algorithm->variants_of(chosen.backend).size()); variant-- > 0;)
    if (variant != chosen.variant) others.emplace_back(chosen).variant = variant;
  compare(chosen, others, repetitions);
}

void LiveView::cancel() {
  comparison_.clear();
  if (parts_) {
    given_up_ = cuda_running_;
    stopping_ = true;
  }
  if (const Worker::Job* job = worker_.current()) {
    if (job->task != Worker::Task::reference) given_up_ = job->work;
    worker_.cancel();
  }
}

bool LiveView::busy() const {
  return !worker_.idle() || cuda_running_ || uploading_ || comparing();
}

double LiveView::running_seconds() const {
  return worker_.idle() && !parts_ ? 0.0 : ms_since(job_start_) / 1000.0;
}

bool LiveView::settled(const Workspace& workspace) const {
  if (busy()) return false;
  const Work wanted = workspace.wanted();
  if (!workspace.problem().empty() || given_up_ == wanted) return true;
  return shown_ == wanted && (!reference_wanted_ || reference_shown_ == reference_of(wanted));
}

void LiveView::finish(Workspace& workspace) {
  whole_ = true;
  update(workspace);
  while (!settled(workspace)) {
    if (worker_.idle())
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    else
      worker_.wait();
    update(workspace);
  }
  whole_ = false;
}

const gl::Resource* LiveView::reference() const {
  return shown_ && reference_shown_ == reference_of(*shown_) ? present(reference_) : nullptr;
}

}  // namespace threadscape::app
