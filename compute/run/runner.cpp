#include "compute/run/runner.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

#include "compute/core/trace.h"
#include "compute/run/device_group.h"

namespace threadscape {

namespace {

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// A volume in memory as one that is read on demand.
class ArrayLayers final : public LayerReader {
 public:
  explicit ArrayLayers(HostIn volume) : volume_(volume) {}
  [[nodiscard]] const Shape& shape() const override { return volume_.shape; }
  void read(std::int64_t first, std::int64_t end, float* to) override {
    const auto row = static_cast<std::size_t>(volume_.shape.width) * sizeof(float);
    for (std::int64_t y = first * volume_.shape.height; y < end * volume_.shape.height; ++y, to += volume_.shape.width)
      std::memcpy(to, volume_.data + volume_.pitch * static_cast<std::size_t>(y), row);
  }

 private:
  HostIn volume_;
};

}  // namespace

Runner::Runner() = default;

Runner::~Runner() = default;

void Runner::check(const RunRequest& request) {
  // Nothing of a lost device is kept, so that it can be revived.
  if (executor_ && !executor_->device().usable()) executor_.reset();
  if (group_ && !group_->usable()) group_.reset();
  threadscape::check(request);
}

DeviceExecutor& Runner::executor_for(const RunRequest& request) {
  gpu::Device& device = device_of(request);
  if (executor_ && &executor_->device() == &device) return *executor_;
  executor_.reset();  // Its memory is given back first, since both may be too much for the host.
  executor_ = std::make_unique<DeviceExecutor>(device);
  return *executor_;
}

bool Runner::fits(const RunRequest& request, const MemoryPlan& need) {
  if (request.memory > 0 && need.host_scratch + need.device_bytes() > request.memory) return false;
  // The system is asked for free memory only if something has to be allocated.
  const std::size_t host = need.host_bytes(), held = host_.held().host_bytes();
  if (host > held && host - held > free_host_bytes()) return false;
  if (need.device_bytes() == 0) return true;
  DeviceExecutor& executor = executor_for(request);
  return device_growth(need, executor.held()) == 0 ||
         need.device_bytes() <= executor.bytes_held() + executor.device().free_bytes();
}

std::vector<Slab> Runner::slabs_of(const RunRequest& request, const Shape& input, bool has_output) {
  if (!request.algorithm->halo || is_divided(request)) return {};
  const auto fit = [&](const MemoryPlan& need) { return fits(request, need); };
  MemoryPlan need = plan_memory(request, input);
  if (has_output) need.host_output = 0;
  if (fit(need)) return {};
  return cut_into_slabs(request, input, fit);
}

bool Runner::makes_layers_in_parts(const RunRequest& request, const Shape& input) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  if (request.backend != Backend::cuda || is_divided(request) || algorithm.output != Kind::volume) return false;
  if (!algorithm.layers && (algorithm.makes_layers == nullptr || !algorithm.makes_layers(request.params))) return false;
  MemoryPlan need = plan_memory(request, input);
  need.host_output = 0;
  return !fits(request, need);
}

void Runner::require(const RunRequest& request, const MemoryPlan& need) {
  // The devices of a divided run take what each of them needs.
  if (is_divided(request)) return require_memory(request.algorithm->name, {.host_output = need.host_output}, {});
  if (request.backend != Backend::cuda) return require_memory(request.algorithm->name, need, host_.held());
  executor_for(request).require_memory(request.algorithm->name, need);
}

RunResult Runner::run(const RunRequest& request, HostIn input, const std::stop_token& stop, Progress* progress) try {
  check(request);
  if (slabs_of(request, input.shape, false).empty() && !makes_layers_in_parts(request, input.shape))
    require(request, plan_memory(request, input.shape));
  RunResult result;
  result.output = HostArray(request.algorithm->output_shape(request.params, input_of(request, input.shape)));
  result.times = run_into(request, input, result.output.view(), stop, progress);
  return result;
} catch (const std::bad_alloc&) {
  throw_out_of_memory(request);
}

StageTimes Runner::run_into(const RunRequest& request, HostIn input, HostOut output, const std::stop_token& stop,
                            Progress* progress) {
  check(request);
  const AlgorithmInfo& algorithm = *request.algorithm;
  const Shape shape = input_of(request, input.shape);
  if (const Shape expected = algorithm.output_shape(request.params, shape); output.shape != expected)
    throw UsageError(std::string(algorithm.name) + " writes " + to_string(expected) + ", not " +
                     to_string(output.shape));
  if (algorithm.check_input) algorithm.check_input(request.params, input);
  if (stop.stop_requested()) throw Cancelled();
  if (is_divided(request)) return run_divided(request, input, output, stop, progress);
  if (const std::vector<Slab> slabs = slabs_of(request, shape, true); !slabs.empty()) {
    StageTimes sum;
    for (const Slab& slab : slabs) {
      run_slab(slab, request, input, output, [&](HostIn part, HostOut result) {
        const StageTimes times = run_prepared(request, part, result, stop, nullptr);
        sum.upload_ms += times.upload_ms;
        sum.compute_ms += times.compute_ms;
        sum.download_ms += times.download_ms;
      });
      if (progress) progress->report(static_cast<double>(&slab - slabs.data() + 1) / static_cast<double>(slabs.size()));
    }
    return sum;
  }
  if (makes_layers_in_parts(request, shape)) {
    if (request.algorithm->layers) {
      ArrayLayers layers(input);
      return run_layers_into(request, layers, output, stop, progress);
    }
    RunRequest alone = request;
    alone.devices = {&device_of(request)};
    const StageTimes times = run_divided(alone, input, output, stop, progress);
    group_.reset();  // What it keeps would be missing where the next run asks whether it fits.
    return times;
  }
  if (!needs_preparation(request)) return run_prepared(request, input, output, stop, progress);
  const auto start = std::chrono::steady_clock::now();
  RunRequest prepared = request;
  prepared.preparation = make_preparation(request, input, stop, progress);
  const double preparing = milliseconds_since(start);
  StageTimes times = run_prepared(prepared, input, output, stop, progress);
  times.compute_ms += preparing;
  return times;
}

StageTimes Runner::run_divided(const RunRequest& request, HostIn input, HostOut output, const std::stop_token& stop,
                               Progress* progress) try {
  require_divisible(request);
  if (!group_ || group_->devices() != request.devices) {
    executor_.reset();  // Its memory is given back first, since both may be too much for the device.
    group_.reset();
    group_ = std::make_unique<DeviceGroup>(request.devices);
  }
  return group_->run(request, input, output, stop, progress);
} catch (const DeviceLost&) {
  group_.reset();  // The executors of a lost device cannot be used again.
  throw;
} catch (const std::bad_alloc&) {
  throw_out_of_memory(request);
}

std::string why_no_layers(const RunRequest& request) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  if (!algorithm.slabs) return "a part of its result can depend on all of its input";
  // A device makes layers where the code of the CPU does (RunRequest::layers).
  return algorithm.slabs->why_not(request.params, request.backend == Backend::cuda ? Backend::openmp : request.backend);
}

void Runner::run_part_into(const RunRequest& request, HostIn input, std::int64_t first, HostOut part) try {
  check(request);
  const AlgorithmInfo& algorithm = *request.algorithm;
  const std::string name(algorithm.name);
  if (const std::string why = why_no_layers(request); !why.empty())
    throw UsageError(name + " cannot be cut into layers: " + why);
  const Shape whole = algorithm.output_shape(request.params, input_of(request, input.shape));
  Shape expected = whole;
  expected.depth = part.shape.depth;
  if (part.shape != expected || first < 0 || part.shape.depth < 1 || first > whole.depth - part.shape.depth)
    throw UsageError(name + " makes " + to_string(whole) + ", of which " + to_string(part.shape) + " from layer " +
                     std::to_string(first) + " on is no part");
  if (request.backend == Backend::cuda) {
    if (algorithm.check_input) algorithm.check_input(request.params, input);
    RunRequest alone = request;
    if (alone.devices.empty()) alone.devices = {&device_of(request)};
    alone.layers = {static_cast<int>(first), static_cast<int>(first + part.shape.depth)};
    // The layers are written at the places that they have in the whole volume.
    part.data -= static_cast<std::size_t>(first * whole.height) * part.pitch;
    part.shape = whole;
    run_divided(alone, input, part, {}, nullptr);
    group_.reset();  // What it keeps would be missing where the next run asks whether it fits.
    return;
  }
  constexpr std::int64_t layers_at_once = 16;
  ArrayLayers layers(input);
  const SlabRun run{.in = &layers,
                    .out = part,
                    .first = first,
                    .input_layers = std::min(layers_at_once, input.shape.depth),
                    .backend = request.backend,
                    .variant = request.variant,
                    .threads = threads_of(request)};
  require_memory(algorithm.name, {.host_scratch = algorithm.slabs->bytes(request.params, input.shape, run)}, {});
  algorithm.slabs->run(request.params, run);
} catch (const std::bad_alloc&) {
  throw_out_of_memory(request);
}

bool Runner::wants_layers(const RunRequest& request, const Shape& input) {
  if (is_divided(request)) return false;
  MemoryPlan need = plan_memory(request, input);
  need.host_output += HostArray::bytes_for(input);
  return request.algorithm->layers->wanted(request.params) || !fits(request, need);
}

RunResult Runner::run_layers(const RunRequest& request, LayerReader& input, const std::stop_token& stop,
                             Progress* progress) {
  check(request);
  RunResult result;
  result.output = HostArray(request.algorithm->output_shape(request.params, input_of(request, input.shape())));
  result.times = run_layers_into(request, input, result.output.view(), stop, progress);
  return result;
}

StageTimes Runner::run_layers_into(const RunRequest& request, LayerReader& input, HostOut output,
                                   const std::stop_token& stop, Progress* progress) {
  const auto start = std::chrono::steady_clock::now();
  request.algorithm->layers->run(request.params,
                                 {.in = &input,
                                  .out = output,
                                  .backend = request.backend,
                                  .variant = request.variant,
                                  .threads = threads_of(request),
                                  .device = request.backend == Backend::cuda ? &device_of(request) : nullptr,
                                  .memory = request.memory,
                                  .stop = stop,
                                  .progress = progress});
  if (stop.stop_requested()) throw Cancelled();
  return {.compute_ms = milliseconds_since(start)};
}

bool Runner::wants_stream(const RunRequest& request) {
  return request.algorithm->stream && request.backend != Backend::cuda &&
         HostArray::bytes_for(request.algorithm->output_shape(request.params, {})) > free_host_bytes();
}

StageTimes Runner::stream(const RunRequest& request, const std::function<void(LayerReader&)>& sink,
                          const std::stop_token& stop, Progress* progress) {
  check(request);
  const auto start = std::chrono::steady_clock::now();
  sink(*request.algorithm->stream->layers(request.params, threads_of(request), stop, progress));
  return {.compute_ms = milliseconds_since(start)};
}

StageTimes Runner::run_prepared(const RunRequest& request, HostIn input, HostOut output, const std::stop_token& stop,
                                Progress* progress) {
  if (request.backend != Backend::cuda) return host_.run(request, input, output, stop, progress);
  const StageTimes times = run_on_device(request, input, output);
  if (progress) progress->report(1.0);
  return times;
}

StageTimes Runner::run_on_device(const RunRequest& request, HostIn input, HostOut output) try {
  MemoryPlan need = plan_memory(request, input.shape);
  need.host_output = 0;  // The caller has allocated the output already.
  require(request, need);
  const trace::Span span(std::string(request.algorithm->name) + " on cuda", "run");
  DeviceExecutor& executor = executor_for(request);
  if (request.algorithm->input != Kind::none) executor.set_input(input);
  const DeviceOut linear = executor.linear_output(output.shape);
  executor.run(request, {.linear = linear, .surface = 0, .shape = output.shape});
  executor.download(output);
  const std::optional<StageTimes> times = executor.poll();
  if (!times) throw std::logic_error("the device has no times of a run that it has finished");
  trace::add_device({{"upload", "upload", times->upload_ms},
                     {request.algorithm->name, "kernels", times->compute_ms},
                     {"download", "download", times->download_ms}});
  return *times;
} catch (const DeviceLost&) {
  executor_.reset();  // The executor of a lost device cannot be used again.
  throw;
}

}  // namespace threadscape
