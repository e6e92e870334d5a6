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
  /// Of the whole run, without preparation, transfers, and what was done only to be measured.
  double total_ms = 0.0;
  int threads = 1;      ///< Among which the time of the stages is divided.
  std::string variant;  ///< "" if the backend has one variant.
  std::string problem;  ///< Why the backend cannot run; "" if it was measured.

  /// What no stage has: waiting of threads, launches, memory.
  [[nodiscard]] double rest_ms() const;
};

/// Runs the request once to warm up, then repeatedly: up to `runs` times or for two seconds, at least once. Returns the
/// times of the run whose total is the median. An error of the backend becomes StageCosts::problem. Throws Cancelled.
[[nodiscard]] StageCosts measure_stages(Runner& runner, RunRequest request, HostIn mesh, const std::stop_token& stop,
                                        int runs = 9);

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
