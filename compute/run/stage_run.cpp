#include "compute/run/stage_run.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace threadscape {

namespace {

StageRun measure_once(Runner& runner, const RunRequest& request, HostIn input, HostOut output,
                      const std::stop_token& stop) {
  const auto probe = request.algorithm->stages->probe(request.params, input);
  RunRequest timed = request;
  timed.preparation = probe->preparation();
  const StageTimes times = runner.run_into(timed, input, output, stop);
  StageRun run;
  run.threads = threads_of(request);
  run.stages = probe->times(run.threads);
  run.total_ms = std::max(times.compute_ms - probe->repeated_ms(run.threads), 0.0);
  return run;
}

}  // namespace

double StageRun::rest_ms() const {
  double rest = total_ms;
  for (const StageTime& stage : stages)
    rest -= stage.ms;
  return std::max(rest, 0.0);
}

StageRun measure_stages(Runner& runner, const RunRequest& request, HostIn input, const std::stop_token& stop, int runs,
                        double seconds) {
  HostArray output(request.algorithm->output_shape(request.params, input.shape));
  const auto start = std::chrono::steady_clock::now();
  (void)measure_once(runner, request, input, output.view(), stop);  // Memory is touched for the first time.
  std::vector<StageRun> samples;
  while (samples.empty() || (static_cast<int>(samples.size()) < runs &&
                             std::chrono::steady_clock::now() - start < std::chrono::duration<double>(seconds)))
    samples.push_back(measure_once(runner, request, input, output.view(), stop));
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::ranges::nth_element(samples, middle, {}, &StageRun::total_ms);
  return std::move(*middle);
}

}  // namespace threadscape
