// A chain on the CPU: both backends hand the picture from step to step through two buffers in scratch memory.

#include <algorithm>

#include "compute/algorithms/filters/chain/chain.h"

namespace threadscape {
namespace {

using Execute = void (*AlgorithmInfo::*)(const ParamBox&, const HostRun&);

void run_steps(const Chain::Params& params, const HostRun& run, Execute execute) {
  const std::size_t bytes = chain::buffer_bytes(params, run.in.shape);
  std::byte* const buffers[2]{run.scratch->take<std::byte>(bytes).data(), run.scratch->take<std::byte>(bytes).data()};
  const std::size_t mark = run.scratch->mark();
  HostRun step_run = run;
  step_run.variant = 0;
  step_run.progress = nullptr;  // Progress is reported below, for the whole chain.
  const auto steps_on = std::ranges::count(params.steps, true, &Step::on);
  int done = 0;
  const int count = chain::for_each_step(
      params, run.in.shape, run.seed,
      [&](const Step& step, std::uint64_t seed, const Shape&, const Shape& result, bool is_last) {
        if (run.stop.stop_requested()) return;
        run.scratch->rewind(mark);
        step_run.seed = seed;
        step_run.out = is_last ? run.out : HostOut{buffers[done % 2], result, row_bytes(result, chain::row_alignment)};
        (step.algorithm->*execute)(step.params, step_run);
        step_run.in = step_run.out;
        ++done;
        if (run.progress) run.progress->report(static_cast<double>(done) / static_cast<double>(steps_on));
      });
  if (count == 0) copy(run.in, run.out);
}

}  // namespace

void Chain::serial(const Params& params, const HostRun& run) {
  run_steps(params, run, &AlgorithmInfo::serial);
}

void Chain::openmp(const Params& params, const HostRun& run) {
  run_steps(params, run, &AlgorithmInfo::openmp);
}

}  // namespace threadscape
