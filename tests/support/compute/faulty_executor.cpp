#include "tests/support/compute/faulty_executor.h"

#include <chrono>
#include <utility>

#include "compute/gpu/device.h"

namespace threadscape::testing {

namespace {

DeviceOut as_device(HostArray& array) {
  return {array.data(), array.shape(), array.pitch()};
}

std::size_t device_bytes(const HostArray& array) {
  return array_bytes(array.shape(), cuda::device_row_alignment);
}

}  // namespace

MemoryPlan FaultyExecutor::held() const {
  return {
      .device_input = device_bytes(input_), .device_output = device_bytes(output_), .device_scratch = scratch_.size()};
}

void FaultyExecutor::do_release_beyond(const MemoryPlan& need) {
  if (device_bytes(input_) > need.device_input) input_ = {};
  if (device_bytes(output_) > need.device_output) output_ = {};
  if (scratch_.size() > need.device_scratch) scratch_.release();
}

void FaultyExecutor::fail_if_lost() {
  if (runs_ < faulty_run_) return;
  if (sticky_) throw DeviceError(message, /*sticky=*/true);
  faulty_run_ = never;
  throw DeviceError(passing_message, /*sticky=*/false);
}

void FaultyExecutor::do_set_input(HostIn input) {
  fail_if_lost();
  input_ = HostArray(input.shape);
  copy(input, input_.view());
}

DeviceOut FaultyExecutor::do_input_memory(const Shape& shape) {
  fail_if_lost();
  input_ = HostArray(shape);
  return as_device(input_);
}

DeviceOut FaultyExecutor::do_linear_output(const Shape& shape) {
  fail_if_lost();
  if (output_.shape() != shape) output_ = HostArray(shape);
  return as_device(output_);
}

void FaultyExecutor::do_run(const RunRequest& request, const DeviceSink& sink, PartRange parts) {
  fail_if_lost();
  const AlgorithmInfo& algorithm = *request.algorithm;
  const Shape input = algorithm.input == Kind::none ? Shape{} : input_.shape();
  MemoryPlan need = held();
  need.device_scratch = algorithm.scratch_bytes(request.params, input, Backend::cuda, request.variant);
  require_memory(algorithm.name, need);
  scratch_.reset(std::max(need.device_scratch, algorithm.scratch_bytes(request.params, input, Backend::serial, 0)));
  times_.reset();
  if (parts.end != PartRange::all) return;  // Of a run in parts, the last part computes everything.
  times_ = StageTimes{.upload_ms = 0.5};
  if (++runs_ >= faulty_run_) return;
  const auto start = std::chrono::steady_clock::now();
  algorithm.serial(request.params, HostRun{.in = std::as_const(input_).view(),
                                           .out = {sink.linear.data, sink.linear.shape, sink.linear.pitch},
                                           .scratch = &scratch_,
                                           .seed = request.seed,
                                           .preparation = request.preparation.get()});
  times_->compute_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void FaultyExecutor::do_queue_download() {
  downloaded_ = output_.clone();
  if (times_) times_->download_ms = 0.25;
}

void FaultyExecutor::do_download(HostOut to) {
  fail_if_lost();
  copy(std::as_const(output_).view(), to);
  if (times_) times_->download_ms = 0.25;
}

std::optional<StageTimes> FaultyExecutor::do_poll() {
  const std::optional<StageTimes> times = std::exchange(times_, std::nullopt);
  if (times) fail_if_lost();
  return times;
}

}  // namespace threadscape::testing
