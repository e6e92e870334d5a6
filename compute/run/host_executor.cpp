#include "compute/run/host_executor.h"

#include <chrono>
#include <new>
#include <stdexcept>
#include <string>

#include "compute/core/trace.h"

namespace threadscape {

void HostExecutor::give_back_unused(std::size_t bytes) {
  // A small run between large ones, as in a comparison of backends, must not make the next large one pay for new
  // memory.
  constexpr int patience = 8;
  constexpr std::size_t small_block = std::size_t{1} << 20;
  small_runs_ = bytes < scratch_.size() / 4 ? small_runs_ + 1 : 0;
  if (small_runs_ < patience || scratch_.size() <= small_block) return;
  scratch_.release();
  small_runs_ = 0;
}

StageTimes HostExecutor::run(const RunRequest& request, HostIn input, HostOut output, const std::stop_token& stop,
                             Progress* progress) try {
  if (needs_preparation(request)) throw std::logic_error("run without its preparation");
  const AlgorithmInfo& algorithm = *request.algorithm;
  const std::size_t bytes =
      algorithm.scratch_bytes(request.params, input_of(request, input.shape), request.backend, request.variant);
  give_back_unused(bytes);
  require_memory(algorithm.name, {.host_scratch = bytes}, held());
  scratch_.reset(bytes);
  const HostRun run{.in = input,
                    .out = output,
                    .scratch = &scratch_,
                    .threads = short_runs_.threads(request, input.shape),
                    .variant = request.variant,
                    .route = request.route,
                    .seed = request.seed,
                    .frame = request.frame,
                    .stop = stop,
                    .progress = progress,
                    .preparation = request.preparation.get()};
  const trace::Span span(std::string(algorithm.name) + " on " + std::string(name_of(request.backend)), "run");
  const auto start = std::chrono::steady_clock::now();
  (request.backend == Backend::serial ? algorithm.serial : algorithm.openmp)(request.params, run);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  if (stop.stop_requested()) throw Cancelled();
  short_runs_.took(elapsed.count());
  if (progress) progress->report(1.0);
  return {.compute_ms = elapsed.count()};
} catch (const std::bad_alloc&) {
  throw_out_of_memory(request);
}

}  // namespace threadscape
