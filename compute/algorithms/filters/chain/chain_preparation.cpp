// Preparations of the steps of a chain. A step's preparation is made from the step's input, so the steps before it are
// run on the CPU first: only that far, and only where a step needs a preparation at all.

#include <algorithm>

#include "compute/algorithms/filters/chain/chain.h"
#include "compute/core/machine.h"

namespace threadscape {
namespace {

bool step_needs_preparation(const Step& step) {
  const auto& facet = step.algorithm->preparation;
  return step.on && facet && facet->needed(step.params, Backend::cuda);
}

/// The result of a step on the CPU, with working memory of its own.
HostArray result_of(const Step& step, const HostIn& in, std::uint64_t seed, std::uint64_t frame,
                    const std::stop_token& stop) {
  HostArray out(step.algorithm->output_shape(step.params, in.shape));
  HostScratch scratch;
  scratch.reset(step.algorithm->scratch_bytes(step.params, in.shape, Backend::openmp, 0));
  HostRun run;
  run.in = in;
  run.out = out.view();
  run.scratch = &scratch;
  run.threads = hardware_threads();
  run.seed = seed;
  run.frame = frame;
  run.stop = stop;
  step.algorithm->openmp(step.params, run);
  return out;
}

}  // namespace

bool Chain::needs_preparation(const Params& params, Backend backend) {
  return backend == Backend::cuda && std::ranges::any_of(params.steps, step_needs_preparation);
}

std::shared_ptr<const Preparation> Chain::prepare(const Params& params, const HostIn& in, std::uint64_t seed,
                                                  std::uint64_t frame, const std::stop_token& stop,
                                                  Progress* progress) {
  auto chain = std::make_shared<chain::StepPreparations>();
  auto left = std::ranges::count_if(params.steps, step_needs_preparation);
  HostArray intermediate;
  HostIn step_in = in;
  chain::for_each_step(
      params, in.shape, seed, [&](const Step& step, std::uint64_t step_seed, const Shape&, const Shape&, bool) {
        auto& made = chain->steps.emplace_back();
        if (left == 0 || stop.stop_requested()) return;
        if (step_needs_preparation(step)) {
          made = step.algorithm->preparation->prepare(step.params, step_in, step_seed, frame, stop, progress);
          if (--left == 0) return;
        }
        intermediate = result_of(step, step_in, step_seed, frame, stop);
        step_in = std::as_const(intermediate).view();
      });
  return chain;
}

}  // namespace threadscape
