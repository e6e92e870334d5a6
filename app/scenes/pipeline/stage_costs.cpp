#include "app/scenes/pipeline/stage_costs.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "compute/core/errors.h"
#include "compute/run/stage_run.h"

namespace threadscape::app {

StageCosts stage_costs_of(Runner& runner, const RunRequest& request, HostIn mesh, const std::stop_token& stop) {
  constexpr int runs = 9;
  constexpr double seconds = 2.0;
  StageCosts costs;
  try {
    const StageRun run = measure_stages(runner, request, mesh, stop, runs, seconds);
    for (const StageTime& stage : run.stages) {
      const auto i = static_cast<std::size_t>(std::ranges::find(rasterize::timed_stage_names, stage.name) -
                                              rasterize::timed_stage_names.begin());
      costs.stages.ms.at(i) = stage.ms;
      costs.stages.present.at(i) = true;
    }
    costs.total_ms = run.total_ms;
    costs.rest_ms = run.rest_ms();
    costs.threads = run.threads;
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
      StageCosts costs = stage_costs_of(runner, request, mesh.picture.pixels.view(), stop);
      const std::scoped_lock lock(mutex_);
      results_[i] = std::move(costs);
    }
  } catch (const Cancelled&) {
    return;  // What is measured so far stays.
  }
}

}  // namespace threadscape::app
