#pragma once
// How long each stage of `rasterize` takes on each backend, measured on a thread of its own while the window goes on
// drawing.

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "app/session/sources.h"
#include "compute/algorithms/graphics/rasterize/rasterize.h"
#include "compute/algorithms/graphics/rasterize/rasterize_clock.h"
#include "compute/run/runner.h"

namespace threadscape::app {

inline constexpr std::array stage_cost_backends{Backend::serial, Backend::openmp, Backend::cuda};

/// The times of one backend.
struct StageCosts {
  rasterize::StageMilliseconds stages;
  double total_ms = 0.0;  ///< The time of the whole run (StageRun::total_ms).
  double rest_ms = 0.0;   ///< What no stage has (StageRun::rest_ms()).
  int threads = 1;        ///< The number of threads among which the times of the stages are divided.
  std::string variant;    ///< "" if the backend has one variant.
  std::string problem;    ///< Why the backend cannot run; "" if it was measured.
};

/// Measures the stages of the request, by the median of up to nine runs or for two seconds. An error of the backend
/// becomes StageCosts::problem. Throws Cancelled.
[[nodiscard]] StageCosts stage_costs_of(Runner& runner, const RunRequest& request, HostIn mesh,
                                        const std::stop_token& stop);

/// Measures all backends one after another. The owner's thread starts and stops it, and takes what is measured.
class StageMeasurement {
 public:
  using Results = std::array<std::optional<StageCosts>, stage_cost_backends.size()>;

  StageMeasurement() = default;
  /// Waits until the run in progress has stopped.
  ~StageMeasurement() { cancel(); }
  StageMeasurement(const StageMeasurement&) = delete;
  StageMeasurement& operator=(const StageMeasurement&) = delete;

  /// Starts, unless it is running(), and forgets the results. `request` is that of the chosen backend; the others run
  /// with their first variant.
  void start(RunRequest request, std::shared_ptr<const Source> mesh);
  /// Asks it to stop after the run in progress, and does not wait for that. What was measured stays.
  void cancel() { thread_.request_stop(); }
  [[nodiscard]] bool running() const;
  /// What has been measured since start(), in the order of stage_cost_backends.
  [[nodiscard]] Results results() const;

 private:
  void measure(RunRequest request, const Source& mesh, const std::stop_token& stop);

  mutable std::mutex mutex_;  ///< Guards the two members that follow.
  Results results_;
  bool running_ = false;
  std::jthread thread_;  ///< The last member: ends before the others.
};

}  // namespace threadscape::app
