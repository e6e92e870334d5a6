#include "compute/run/runner.h"

#include <chrono>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace threadscape {

void Runner::check(const RunRequest& request) {
  // Nothing of a lost device is kept, so that it can be revived.
  if (executor_ && !executor_->device().usable()) executor_.reset();
  threadscape::check(request);
}

DeviceExecutor& Runner::executor_for(const RunRequest& request) {
  gpu::Device& device = device_of(request);
  if (executor_ && &executor_->device() == &device) return *executor_;
  executor_.reset();  // Its memory is given back first, since both may be too much for the host.
  executor_ = std::make_unique<DeviceExecutor>(device);
  return *executor_;
}

void Runner::require(const RunRequest& request, const MemoryPlan& need) {
  if (request.backend != Backend::cuda) return require_memory(request.algorithm->name, need, host_.held());
  executor_for(request).require_memory(request.algorithm->name, need);
}

RunResult Runner::run(const RunRequest& request, HostIn input, const std::stop_token& stop, Progress* progress) try {
  check(request);
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
  if (!needs_preparation(request)) return run_prepared(request, input, output, stop, progress);
  const auto start = std::chrono::steady_clock::now();
  RunRequest prepared = request;
  prepared.preparation = make_preparation(request, input, stop, progress);
  const std::chrono::duration<double, std::milli> preparing = std::chrono::steady_clock::now() - start;
  StageTimes times = run_prepared(prepared, input, output, stop, progress);
  times.compute_ms += preparing.count();
  return times;
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
  DeviceExecutor& executor = executor_for(request);
  if (request.algorithm->input != Kind::none) executor.set_input(input);
  const DeviceOut linear = executor.linear_output(output.shape);
  executor.run(request, {.linear = linear, .surface = 0, .shape = output.shape});
  executor.download(output);
  const std::optional<StageTimes> times = executor.poll();
  if (!times) throw std::logic_error("the device has no times of a run that it has finished");
  return *times;
} catch (const DeviceLost&) {
  executor_.reset();  // As in check().
  throw;
}

}  // namespace threadscape
