#include "app/live/cuda_runner.h"

#include "compute/core/errors.h"
#include "compute/engines/yuv/device_frames.h"

namespace threadscape::app {

namespace {

/// Registers memory of GL with CUDA, unless it is registered. Throws CudaRunner::RegistrationRefused, or DeviceLost.
template <class Registration, class... Arguments>
void ensure_registered(Registration& registration, const Arguments&... arguments) {
  if (!registration.empty()) return;
  try {
    registration = Registration(arguments...);
  } catch (const DeviceLost&) {
    throw;
  } catch (const Error& error) {
    throw CudaRunner::RegistrationRefused(error.what());
  }
}

/// Values of input and output, to which the time of a part is taken to be proportional.
std::int64_t items_of(const InputSlot& input, const Shape& output) {
  return input.memory().shape().items() + output.items();
}

/// Returns whether kernels write parts of a result into this memory one by one. A texture in tiles gets a copy of the
/// whole result, and buffers have no scene that shows them grow.
bool can_grow(const gl::Resource& output) {
  const gl::Texture* texture = output.texture();
  return texture != nullptr ? !texture->tiled() : output.volume() != nullptr;
}

}  // namespace

void CudaRunner::start(const Work& work, std::shared_ptr<const Preparation> preparation, InputSlot& input,
                       ResultSlot& output, bool may_cut) {
  gpu::Device& device = device_of(work.request());
  if (executor_ && &executor_->device() != &device) drop_device();
  if (!executor_) executor_ = std::make_unique<DeviceExecutor>(device);
  provide_input(input);
  RunRequest request = work.request();
  request.preparation = std::move(preparation);
  const Shape shape = work.algorithm->output_shape(work.params, input.shape());
  const bool interop = route_ == interop::Route::interop;
  const bool cuttable = may_cut && interop && work.algorithm->parts;
  const bool shown = !cuttable || work.algorithm->parts->shown(work.params);
  if (shown) fit(output, shape);
  const bool cut = cuttable && (shown ? can_grow(output.memory()) : gl::Resource::is_texture(shape.kind));
  Running& run =
      state_.emplace<Running>(Running{.work = work,
                                      .request = std::move(request),
                                      .shape = shape,
                                      .schedule = cut ? schedule_for(work, input, shape) : PartSchedule(1, {}),
                                      .times = {}});
  const bool several = run.schedule.next().end < run.schedule.parts();
  run.hidden = several && !shown;
  if (!run.hidden) fit(output, shape);
  if (several && shown)
    output.begin_partial(work);
  else
    output.drop_partial();
  if (interop) {
    queue_batch(run, output);
  } else {
    executor_->run(run.request, {.linear = executor_->linear_output(shape), .surface = 0, .shape = shape});
    executor_->queue_download();
  }
}

void CudaRunner::provide_input(InputSlot& input) {
  if (!input.source() || input.id() == executor_input_) return;
  executor_input_ = 0;  // in case of an error
  if (route_ == interop::Route::interop && input.awaits_device()) {
    convert_input(input);
    upload_ms_ = 0.0;  // The frame has measured it.
  } else if (route_ == interop::Route::interop && !input.memory().empty()) {
    // One upload serves the display and the kernels: GL has done it.
    copy_input(input.memory(), executor_->input_memory(input.shape()));
    upload_ms_ = input.upload_ms();
  } else {
    // The input's texture is on another device (or there is none, since it is larger than GL allows): CUDA gets the
    // same data by an upload of its own.
    executor_->set_input(input.source()->picture.pixels.view());
    upload_ms_ = 0.0;  // the executor measures it
  }
  executor_input_ = input.id();
}

void CudaRunner::convert_input(InputSlot& input) {
  const DeviceOut picture = executor_->input_memory(input.shape());
  cuda::DeviceFrame& frame = *input.source()->on_device;
  executor_->guarded([&] { frame.convert(picture, executor_->stream()); });
  Registered& known = registered_input_;
  // The first frame was registered to be read, because GL has uploaded it.
  if (!std::exchange(writes_input_, true)) known = {};
  if (const gl::Buffer* buffer = input.memory().buffer()) {
    ensure_registered(known.buffer, *executor_, *buffer);
    interop::MapScope mapped(known.buffer, *executor_);
    mapped.copy_from(picture, known.buffer);
    mapped.unmap();
  } else {
    ensure_registered(known.texture, *executor_, *input.memory().texture());
    interop::MapScope mapped(known.texture, *executor_);
    mapped.copy_from(picture, known.texture);
    mapped.unmap();
  }
  executor_->guarded([&] { frame.converted(executor_->stream()); });
  frame_ = input.source()->on_device;
  input.written_by_device();
}

void CudaRunner::copy_input(const gl::Resource& from, const DeviceOut& to) {
  Registered& known = registered_input_;
  if (const gl::Buffer* buffer = from.buffer()) {
    ensure_registered(known.buffer, *executor_, *buffer);
    interop::MapScope mapped(known.buffer, *executor_);
    mapped.copy_to(known.buffer, to);
    mapped.unmap();
    return;
  }
  if (from.texture() != nullptr)
    ensure_registered(known.texture, *executor_, *from.texture(), interop::CudaAccess::read);
  else
    ensure_registered(known.texture, *executor_, *from.volume(), interop::CudaAccess::read);
  interop::MapScope mapped(known.texture, *executor_);
  mapped.copy_to(known.texture, to);
  mapped.unmap();
}

PartSchedule CudaRunner::schedule_for(const Work& work, const InputSlot& input, const Shape& shape) const {
  const int parts = work.algorithm->parts->count(work.params, input.shape());
  return {parts, part_times_.guess(work, items_of(input, shape)), part_budget_ms_};
}

void CudaRunner::fit(ResultSlot& output, const Shape& shape) {
  if (output.memory().fits(shape)) return;
  forget_output();
  output.allocate(shape);
}

void CudaRunner::queue_batch(Running& run, ResultSlot& output) {
  const bool cut = run.schedule.parts() > 1;
  const PartRange parts = cut ? run.schedule.next() : PartRange{};
  const bool last = !cut || parts.end == run.schedule.parts();
  const gl::Texture* texture = output.memory().texture();
  run.present_ms = run.hidden || (texture != nullptr && texture->tiled())
                       ? run_and_copy(output, run, parts, last)
                       : run_into(output.memory(), run.request, parts);
  run.schedule.queued();
  if (PartialResult* partial = output.partial()) {
    partial->share = run.schedule.share();
    partial->changed_slices = {0, 0};
  }
  if (run.hidden && !last) return;
  output.contents_changed();
  // GL waits for the kernels by itself: what it draws from now on is the whole result.
  if (output.partial() == nullptr) output.set_complete(run.work);
}

double CudaRunner::run_into(const gl::Resource& output, const RunRequest& request, PartRange parts) {
  const gl::Texture* texture = output.texture();
  double present_ms = 0.0;
  const auto run = [&](auto& registered, const auto& sink_of) {
    Stopwatch watch;
    interop::MapScope mapped(registered, *executor_);
    present_ms = watch.ms();
    executor_->run(request, sink_of(mapped), parts);
    watch.restart();
    mapped.unmap();
    present_ms += watch.ms();
  };
  const Shape& shape = output.shape();
  Registered& known = registered_output_;
  if (const gl::Buffer* buffer = output.buffer()) {
    ensure_registered(known.buffer, *executor_, *buffer);
    run(known.buffer, [&](const interop::MapScope& mapped) {
      return DeviceSink{.linear = mapped.linear(known.buffer, shape), .surface = 0, .shape = shape};
    });
  } else {
    if (texture != nullptr)
      ensure_registered(known.texture, *executor_, *texture);
    else
      ensure_registered(known.texture, *executor_, *output.volume());
    run(known.texture, [&](const interop::MapScope& mapped) {
      return DeviceSink{.linear = {}, .surface = mapped.surface(known.texture), .shape = shape};
    });
  }
  return present_ms;
}

double CudaRunner::run_and_copy(ResultSlot& output, const Running& run, PartRange parts, bool last) {
  const DeviceOut linear = executor_->linear_output(run.shape);
  executor_->run(run.request, {.linear = linear, .surface = 0, .shape = run.shape}, parts);
  if (!last) return 0.0;
  fit(output, run.shape);
  const Stopwatch watch;
  Registered& known = registered_output_;
  ensure_registered(known.texture, *executor_, *output.memory().texture());
  interop::MapScope mapped(known.texture, *executor_);
  mapped.copy_from(linear, known.texture);
  mapped.unmap();
  return watch.ms();
}

const Work* CudaRunner::running() const {
  const auto* run = std::get_if<Running>(&state_);
  return run != nullptr ? &run->work : nullptr;
}

bool CudaRunner::runs_in_batches() const {
  const auto* run = std::get_if<Running>(&state_);
  return run != nullptr && run->schedule.parts() > 1;
}

double CudaRunner::share() const {
  return runs_in_batches() ? std::get<Running>(state_).schedule.share() : 0.0;
}

double CudaRunner::running_ms() const {
  const auto* run = std::get_if<Running>(&state_);
  return run != nullptr ? run->since_start.ms() : 0.0;
}

void CudaRunner::request_stop() {
  if (auto* run = std::get_if<Running>(&state_)) run->stop_requested = true;
}

std::optional<CudaRunner::Ended> CudaRunner::poll(const InputSlot& input, ResultSlot& output, bool unwanted) {
  auto* run = std::get_if<Running>(&state_);
  if (run == nullptr) return {};
  std::optional<StageTimes> times = executor_->poll();
  if (!times) return {};
  if (route_ != interop::Route::interop) {
    const Stopwatch watch;
    staged_uploader_.upload(executor_->downloaded(), output.memory());
    output.contents_changed();
    run->present_ms = watch.ms();
  }
  (void)staged_uploader_.poll_upload_ms();  // the time of the call stands for it
  run->times.upload_ms += times->upload_ms + std::exchange(upload_ms_, 0.0);
  if (const auto frame = std::exchange(frame_, nullptr)) {
    const cuda::DeviceFrame::Times spent = executor_->guarded([&] { return frame->times(); });
    run->times.upload_ms += spent.upload_ms + spent.convert_ms;
  }
  run->times.compute_ms += times->compute_ms;
  run->times.download_ms += times->download_ms;
  run->times.present_ms += run->present_ms;
  run->schedule.measured(times->compute_ms);
  return go_on(*run, input, output, unwanted);
}

std::optional<CudaRunner::Ended> CudaRunner::go_on(Running& run, const InputSlot& input, ResultSlot& output,
                                                   bool unwanted) {
  const bool cut = run.schedule.parts() > 1;
  if (cut && !run.schedule.all_queued()) {
    if (!run.stop_requested && !unwanted) {
      queue_batch(run, output);
      return {};
    }
    Ended stopped{.work = run.work, .times = {}};
    state_ = Idle{};
    return stopped;
  }
  if (cut) part_times_.learn(run.work, items_of(input, run.shape), run.schedule.parts(), run.schedule.total_ms());
  Ended done{.work = run.work, .times = run.times};
  state_ = Idle{};
  output.set_complete(done.work);
  return done;
}

void CudaRunner::abandon() {
  state_ = Idle{};
  executor_input_ = 0;
  upload_ms_ = 0.0;
  frame_.reset();
}

void CudaRunner::change_route(interop::Route route) {
  drop_device();
  route_ = route;
}

void CudaRunner::drop_device() {
  abandon();
  executor_.reset();
  forget_input();
  registered_output_ = {};
}

}  // namespace threadscape::app
