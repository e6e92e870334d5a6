#include "compute/run/runner.h"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "compute/cuda/device.h"

namespace threadscape {

namespace {

constexpr std::size_t device_row_alignment = 256;  // as cuda::DeviceArray pads

Shape input_shape(const AlgorithmInfo& algorithm, const Shape& input) {
  if (algorithm.input == Kind::none) return {};
  if (input.kind != algorithm.input)
    throw UsageError(std::string(algorithm.name) + " takes one " + std::string(name_of(algorithm.input)) + ", not " +
                     to_string(input));
  if (input.items() <= 0) throw UsageError(std::string(algorithm.name) + ": the input is empty");
  return input;
}

void check_request(const RunRequest& request) {
  if (!request.algorithm) throw std::logic_error("run without an algorithm");
  request.params.check();
  const auto variants = request.algorithm->variants_of(request.backend).size();
  if (request.variant < 0 || static_cast<std::size_t>(request.variant) >= variants)
    throw UsageError(std::string(request.algorithm->name) + " has " + std::to_string(variants) + " variants on " +
                     std::string(name_of(request.backend)));
  if (request.threads < 0 || request.threads > max_threads())
    throw UsageError("threads: " + std::to_string(request.threads) + ", accepted are 1.." +
                     std::to_string(max_threads()) + ", or 0 for all");
  if (request.backend == Backend::cuda) {
    cuda::require_device();
    if (!request.algorithm->cuda) throw BackendAbsent(std::string(request.algorithm->name) + " has no CUDA backend");
  }
}

/// `held` is what this runner already owns and will reuse or give back.
void require_free(std::string_view algorithm, std::string_view memory, std::size_t need, std::size_t held,
                  std::size_t free) {
  if (need <= held || need - held <= free) return;
  throw EnvironmentError(std::string(algorithm) + " needs " + std::to_string(need) + " bytes of " +
                         std::string(memory) + " memory, " + std::to_string(free + held) +
                         " are free: a smaller input or another variant may fit");
}

/// Host memory apart from input and output.
std::size_t host_working_bytes(const RunRequest& request, const Shape& input) {
  if (request.backend == Backend::cuda) return 0;
  return request.algorithm->scratch_bytes(request.params, input, request.backend, request.variant);
}

}  // namespace

MemoryNeed memory_need(const RunRequest& request, const Shape& given) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  const Shape input = input_shape(algorithm, given);
  const Shape output = algorithm.output_shape(request.params, input);
  MemoryNeed need;
  need.host_bytes = HostArray::bytes_for(output) + host_working_bytes(request, input);
  if (request.backend == Backend::cuda)
    need.device_bytes = array_bytes(input, device_row_alignment) + array_bytes(output, device_row_alignment) +
                        algorithm.scratch_bytes(request.params, input, Backend::cuda, request.variant);
  return need;
}

RunResult Runner::run(const RunRequest& request, HostIn input, std::stop_token stop, Progress* progress) {
  check_request(request);
  // The whole need, before its first byte is allocated.
  const MemoryNeed need = memory_need(request, input.shape);
  require_free(request.algorithm->name, "host", need.host_bytes, host_scratch_.size(), free_host_bytes());
  require_device_memory(request, need);
  const Shape shape = input_shape(*request.algorithm, input.shape);
  RunResult result;
  result.output = HostArray(request.algorithm->output_shape(request.params, shape));
  result.times = run_into(request, input, result.output.view(), std::move(stop), progress);
  return result;
}

StageTimes Runner::run_into(const RunRequest& request, HostIn input, HostOut output, std::stop_token stop,
                            Progress* progress) {
  check_request(request);
  const AlgorithmInfo& algorithm = *request.algorithm;
  const Shape shape = input_shape(algorithm, input.shape);
  if (const Shape expected = algorithm.output_shape(request.params, shape); output.shape != expected)
    throw UsageError(std::string(algorithm.name) + " writes " + to_string(expected) + ", not " +
                     to_string(output.shape));
  if (algorithm.check_input) algorithm.check_input(request.params, input);
  if (stop.stop_requested()) throw Cancelled();

  if (request.backend == Backend::cuda) {
    require_device_memory(request, memory_need(request, input.shape));
    const StageTimes times = run_cuda(request, input, output);
    if (progress) progress->report(1.0);
    return times;
  }

  const std::size_t scratch = host_working_bytes(request, shape);
  if (scratch > host_scratch_.size())
    require_free(algorithm.name, "host", scratch, host_scratch_.size(), free_host_bytes());
  host_scratch_.reset(scratch);
  const HostRun run{.in = input,
                    .out = output,
                    .scratch = &host_scratch_,
                    .threads = request.backend == Backend::serial ? 1
                               : request.threads > 0              ? request.threads
                                                                  : hardware_threads(),
                    .variant = request.variant,
                    .seed = request.seed,
                    .stop = stop,
                    .progress = progress};
  const auto start = std::chrono::steady_clock::now();
  (request.backend == Backend::serial ? algorithm.serial : algorithm.openmp)(request.params, run);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  if (stop.stop_requested()) throw Cancelled();
  if (progress) progress->report(1.0);
  return {.compute_ms = elapsed.count()};
}

void Runner::require_device_memory(const RunRequest& request, const MemoryNeed& need) const {
  if (need.device_bytes > 0)
    require_free(request.algorithm->name, "device", need.device_bytes, device_bytes_held(), cuda::free_device_bytes());
}

int hardware_threads() {
  return std::max(1, omp_get_num_procs());
}

int max_threads() {
  return std::max(256, 4 * hardware_threads());
}

}  // namespace threadscape
