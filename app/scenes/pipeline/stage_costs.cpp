#include "app/scenes/pipeline/stage_costs.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <numeric>
#include <utility>
#include <vector>

#include "compute/core/errors.h"
#include "compute/core/machine.h"

namespace threadscape::app {

namespace {

/// Runs once with a clock.
StageCosts measure_once(Runner& runner, const RunRequest& request, HostIn mesh, const rasterize::Plan& plan,
                        HostOut output, const std::stop_token& stop) {
  rasterize::StageClock clock;
  auto prepared = std::make_shared<rasterize::Prepared>();
  prepared->plan = plan;
  prepared->clock = &clock;
  RunRequest timed = request;
  timed.preparation = std::move(prepared);
  const StageTimes times = runner.run_into(timed, mesh, output, stop);
  StageCosts costs;
  if (request.backend == Backend::openmp) costs.threads = request.threads > 0 ? request.threads : hardware_threads();
  costs.stages = clock.times(costs.threads);
  costs.total_ms = std::max(times.compute_ms - clock.repeated_ms(costs.threads), 0.0);
  return costs;
}

}  // namespace

double StageCosts::rest_ms() const {
  return std::max(total_ms - std::accumulate(stages.ms.begin(), stages.ms.end(), 0.0), 0.0);
}

StageCosts measure_stages(Runner& runner, RunRequest request, HostIn mesh, const std::stop_token& stop, int runs) {
  StageCosts costs;
  try {
    const rasterize::Plan plan = Rasterize::plan(request.params.as<Rasterize::Params>(), mesh);
    HostArray output(Rasterize::output_shape(request.params.as<Rasterize::Params>(), mesh.shape));
    const auto start = std::chrono::steady_clock::now();
    (void)measure_once(runner, request, mesh, plan, output.view(), stop);  // Memory is touched for the first time.
    std::vector<StageCosts> samples;
    while (samples.empty() || (static_cast<int>(samples.size()) < runs &&
                               std::chrono::steady_clock::now() - start < std::chrono::seconds(2)))
      samples.push_back(measure_once(runner, request, mesh, plan, output.view(), stop));
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::ranges::nth_element(samples, middle, {}, &StageCosts::total_ms);
    costs = std::move(*middle);
    if (const auto variants = request.algorithm->variants_of(request.backend); variants.size() > 1)
      costs.variant = variants[static_cast<std::size_t>(request.variant)].name;
  } catch (const Cancelled&) {
    throw;
  } catch (const std::bad_alloc&) {
    costs.problem = "not enough memory";
  } catch (const std::exception& error) {
    costs.problem = error.what();
  }
  return costs;
}

void StageMeasurement::start(RunRequest request, std::shared_ptr<const Source> mesh) {
  if (running()) return;
  if (thread_.joinable()) thread_.join();
  results_ = {};
  running_ = true;
  thread_ = std::jthread([this, request = std::move(request), mesh = std::move(mesh)](const std::stop_token& stop) {
    measure(request, *mesh, stop);
    const std::scoped_lock lock(mutex_);
    running_ = false;
  });
}

bool StageMeasurement::running() const {
  const std::scoped_lock lock(mutex_);
  return running_;
}

StageMeasurement::Results StageMeasurement::results() const {
  const std::scoped_lock lock(mutex_);
  return results_;
}

void StageMeasurement::measure(RunRequest request, const Source& mesh, const std::stop_token& stop) {
  try {
    Runner runner;
    const Backend chosen = request.backend;
    const int variant = request.variant;
    for (std::size_t i = 0; i < stage_cost_backends.size(); ++i) {
      request.backend = stage_cost_backends[i];
      request.variant = request.backend == chosen ? variant : 0;
      StageCosts costs = measure_stages(runner, request, mesh.picture.pixels.view(), stop);
      const std::scoped_lock lock(mutex_);
      results_[i] = std::move(costs);
    }
  } catch (const Cancelled&) {
    return;  // What is measured so far stays.
  }
}

}  // namespace threadscape::app
