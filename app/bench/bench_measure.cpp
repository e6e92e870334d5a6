#include "app/bench/bench_measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "compute/core/timings.h"
#include "compute/run/device_bench.h"

namespace threadscape::app {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr std::size_t min_samples = 3;
/// Minimum duration of a sample on the device. CUDA events resolve about half a microsecond, so the error stays below
/// 0.1 %.
constexpr double min_sample_ms = 2.0;
constexpr int max_batch = 1000;

/// Calls each of `contenders`, which takes one sample, in turns until the rule is met.
void sample_in_turns(const std::vector<std::function<void()>>& contenders, const SamplingRule& rule,
                     const std::stop_token& stop) {
  const auto start = Clock::now();
  for (std::size_t samples = 0; !rule.enough(samples, seconds_since(start)); ++samples)
    for (const auto& sample : contenders) {
      if (stop.stop_requested()) throw Cancelled();
      sample();
    }
}

std::vector<BenchResult> measure_cpu(const BenchPoint& point, HostIn input, std::span<const Peer> candidates,
                                     const SamplingRule& rule, const std::stop_token& stop) {
  std::vector<BenchResult> results{{.point = point, .series = {}, .peer = "", .skipped = ""}};
  std::vector<const Peer*> chosen;
  for (const Peer& peer : candidates) {
    const bool comparable = point.request.backend == Backend::openmp &&
                            peer.algorithm == point.request.algorithm->name &&
                            peer.supports(point.request.params, point.input);
    if (!comparable) continue;
    chosen.push_back(&peer);
    results.push_back({.point = point, .series = {}, .peer = std::string(peer.name), .skipped = ""});
  }

  Runner runner;
  HostArray output(point.output);
  // Functions that make one run and return its duration in milliseconds, in the order of `results`.
  std::vector<std::function<double()>> runs;
  runs.emplace_back([&] { return runner.run_into(point.request, input, output.view(), stop).compute_ms; });
  for (const Peer* peer : chosen)
    runs.emplace_back([&, peer] {
      const auto start = Clock::now();
      peer->run(input, output.view(), point.threads(), point.request.params);
      return seconds_since(start) * 1e3;
    });

  std::vector<std::function<void()>> contenders;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (int n = 0; n < rule.warm_up_runs; ++n)
      results[i].series.warm_up.push_back(runs[i]());
    contenders.emplace_back([&, i] { results[i].series.compute.push_back(runs[i]()); });
  }
  sample_in_turns(contenders, rule, stop);
  const double ours = summarize(results[0].series.compute).median;
  for (std::size_t i = 1; i < results.size(); ++i)
    results[i].ratio_to_ours = summarize(results[i].series.compute).median / ours;
  return results;
}

std::vector<BenchResult> measure_cuda(const BenchPoint& point, HostIn input, const SamplingRule& rule,
                                      const std::stop_token& stop) {
  BenchResult result{.point = point, .series = {}, .peer = "", .skipped = ""};
  Series& series = result.series;
  HostArray output(point.output);
  cuda::DeviceBench device(point.request, input, point.output);
  series.buffers = device.pairs();
  for (int n = 0; n < std::max(rule.warm_up_runs, 1); ++n)
    series.warm_up.push_back(device.compute_ms(series.buffers));
  const double once = std::max(series.warm_up.back(), 1e-4);
  series.batch = std::clamp(static_cast<int>(std::ceil(min_sample_ms / once)), 1, max_batch);
  sample_in_turns({[&] { series.compute.push_back(device.compute_ms(series.batch)); }}, rule, stop);

  // Transfers take long and vary little, so only the minimum number of samples is taken.
  for (std::size_t n = 0; n <= min_samples; ++n) {
    const double up = input.shape.items() > 0 ? device.upload_ms(input) : 0.0;
    const double down = device.download_ms(output.view());
    if (n == 0) continue;  // The first transfer touches memory pages for the first time and is not counted.
    series.upload.push_back(up);
    series.download.push_back(down);
  }
  return {result};
}

}  // namespace

bool SamplingRule::enough(std::size_t samples, double seconds) const {
  if (samples < std::min(min_samples, static_cast<std::size_t>(repetitions))) return false;
  if (seconds > max_seconds) return true;
  return samples >= static_cast<std::size_t>(repetitions) && seconds >= min_seconds;
}

int BenchPoint::threads() const {
  if (request.backend != Backend::openmp) return 1;
  return request.threads > 0 ? request.threads : hardware_threads();
}

const Shape& work_shape(const BenchPoint& point) {
  return point.input.kind == Kind::none ? point.output : point.input;
}

double CopyLimits::of(const BenchPoint& point) const {
  if (point.request.backend == Backend::cuda) return device;
  const auto found = host.find(point.threads());
  return found == host.end() ? 0.0 : found->second;
}

std::vector<BenchResult> measure(const BenchPoint& point, HostIn input, std::span<const Peer> candidates,
                                 const SamplingRule& rule, const std::stop_token& stop) {
  if (point.request.backend == Backend::cuda) return measure_cuda(point, input, rule, stop);
  return measure_cpu(point, input, candidates, rule, stop);
}

}  // namespace threadscape::app
