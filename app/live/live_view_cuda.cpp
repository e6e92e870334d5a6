// The CUDA half of LiveView: runs that are queued on the main thread's stream, whole or in batches of parts.

#include <algorithm>
#include <chrono>

#include "app/live/live_view.h"

namespace threadscape::app {

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

void LiveView::start_cuda(Workspace& workspace, const Work& work) {
  try {
    if (!executor_) executor_ = make_executor_();
    if (source_ && source_->id != executor_source_id_) {
      executor_->set_input(source_->picture.pixels.view());
      executor_source_id_ = source_->id;
    }
    const Shape input = source_ ? source_->picture.pixels.shape() : Shape{};
    const Shape shape = work.algorithm->output_shape(work.params, input);
    fit_output(shape);
    emerging_.reset();
    cuda_running_ = work;
    if (route_.cuda_route == interop::Route::interop) {
      parts_.reset();
      if (const PartSchedule schedule = schedule_for(work, input); schedule.parts() > 1) parts_ = schedule;
      batch_times_ = {};
      stopping_ = false;
      job_start_ = Clock::now();
      if (parts_ && parts_->next().end < parts_->parts()) begin_emerging(work);
      queue_batch();
      if (!emerging_) shown_ = work;
    } else {
      // Always whole: on the way to the screen a result passes through the host, once.
      const DeviceOut linear = executor_->linear_output(shape);
      executor_->run(work.request(), {.linear = linear, .surface = 0, .shape = shape});
      executor_->queue_download();
    }
  } catch (const Error& error) {
    workspace.log.error(error.what());
    given_up_ = work;
    executor_source_id_ = 0;
    cuda_running_.reset();
    parts_.reset();
  }
}

PartSchedule LiveView::schedule_for(const Work& work, const Shape& input) const {
  // Comparisons measure whole runs. A texture in tiles gets a copy of the whole result, buffers have no scene that
  // shows them grow.
  const gl::Texture* texture = output_.texture();
  const bool can_grow = texture != nullptr ? !texture->tiled() : output_.volume() != nullptr;
  if (work.algorithm->parts == nullptr || whole_ || !comparison_.empty() || !can_grow) return {1, {}};
  const int parts = work.algorithm->parts(work.params, input);
  return PartSchedule(parts, part_times_.guess(work.algorithm, work.variant, items()), part_budget_ms_);
}

std::int64_t LiveView::items() const {
  return input_.shape().items() + output_.shape().items();
}

void LiveView::queue_batch() {
  run_into_output(*cuda_running_, parts_ ? parts_->next() : PartRange{});
  if (parts_) {
    parts_->queued();
    emerged_ = parts_->share();
  }
  changed_slices_ = {0, 0};
  ++output_version_;
}

void LiveView::run_into_output(const Work& work, PartRange parts) {
  const auto run = [&](auto& registered, const auto& sink_of) {
    const auto start = Clock::now();
    interop::MapScope mapped(registered, executor_->stream());
    const double map_ms = ms_since(start);
    executor_->run(work.request(), sink_of(mapped), parts);
    const auto unmap_start = Clock::now();
    mapped.unmap();
    cuda_present_ms_ = map_ms + ms_since(unmap_start);
  };
  const Shape& shape = output_.shape();
  const gl::Texture* texture = output_.texture();
  if (texture != nullptr && texture->tiled()) {
    // Kernels write into one surface. From their own memory it is a copy on the device to each tile.
    if (registered_texture_.empty()) registered_texture_ = interop::CudaGlTexture(*texture);
    const DeviceOut linear = executor_->linear_output(shape);
    executor_->run(work.request(), {.linear = linear, .surface = 0, .shape = shape});
    const auto start = Clock::now();
    interop::MapScope mapped(registered_texture_, executor_->stream());
    mapped.copy_from(linear, registered_texture_);
    mapped.unmap();
    cuda_present_ms_ = ms_since(start);
  } else if (output_.buffer() == nullptr) {
    if (registered_texture_.empty())
      registered_texture_ =
          texture != nullptr ? interop::CudaGlTexture(*texture) : interop::CudaGlTexture(*output_.volume());
    run(registered_texture_, [&](const interop::MapScope& mapped) {
      return DeviceSink{.linear = {}, .surface = mapped.surface(registered_texture_), .shape = shape};
    });
  } else {
    if (registered_buffer_.empty()) registered_buffer_ = interop::CudaGlBuffer(*output_.buffer());
    run(registered_buffer_, [&](const interop::MapScope& mapped) {
      return DeviceSink{.linear = mapped.linear(registered_buffer_, shape), .surface = 0, .shape = shape};
    });
  }
}

void LiveView::take_cuda_times(Workspace& workspace) {
  if (!cuda_running_) return;
  try {
    std::optional<StageTimes> times = executor_->poll();
    if (!times) return;
    if (route_.cuda_route != interop::Route::interop) {
      const auto start = Clock::now();
      staged_uploader_.upload(executor_->downloaded(), output_);
      ++output_version_;
      cuda_present_ms_ = ms_since(start);
    }
    times->present_ms = cuda_present_ms_;
    if (parts_ && !go_on(workspace, *times)) return;
    const Work work = *cuda_running_;
    cuda_running_.reset();
    parts_.reset();
    emerging_.reset();
    shown_ = work;
    if (given_up_ == work) given_up_.reset();  // cancelled in its last batch
    record(workspace, work, *times, output_.shape().items());
  } catch (const Error& error) {
    workspace.log.error(error.what());
    given_up_ = cuda_running_;
    cuda_running_.reset();
    parts_.reset();
  }
}

bool LiveView::go_on(const Workspace& workspace, StageTimes& times) {
  parts_->measured(times.compute_ms);
  batch_times_.upload_ms += times.upload_ms;
  batch_times_.compute_ms += times.compute_ms;
  batch_times_.present_ms += times.present_ms;
  const Work work = *cuda_running_;
  if (parts_->all_queued()) {
    times = batch_times_;
    part_times_.learn(work.algorithm, work.variant, items(), parts_->parts(), parts_->total_ms());
    return true;
  }
  if (stopping_ || is_overtaken(work, workspace)) {
    cuda_running_.reset();
    parts_.reset();
    return false;
  }
  queue_batch();
  return false;
}

}  // namespace threadscape::app
