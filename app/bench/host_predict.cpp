#include "app/bench/host_predict.h"

#include <algorithm>
#include <string>

#include "app/bench/bench_plan.h"
#include "app/bench/bench_predict.h"
#include "compute/core/bandwidth.h"
#include "compute/core/ceilings.h"
#include "compute/core/cpu_info.h"
#include "compute/core/errors.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

/// The height of a part, in rows, is a multiple of this where the input has room for it: bands and tiles are whole.
constexpr std::int64_t rows_together = 64;

double bytes_of(const BenchPoint& point) {
  return bytes_moved(*point.request.algorithm, point.request.params, point.input, point.output);
}
/// The work that the time of a run grows with.
double operations_of(const BenchPoint& point) {
  const AlgorithmInfo& algorithm = *point.request.algorithm;
  return algorithm.operations != nullptr ? algorithm.operations(point.request.params, point.input)
                                         : static_cast<double>(work_shape(point).items());
}

/// The rows of the larger part: what the caches of the cores hold twice over, and at most half of all.
std::int64_t rows_of_part(const BenchPoint& point, std::int64_t all) {
  const double of_row = bytes_of(point) / static_cast<double>(all);
  const double held = static_cast<double>(std::max(cpu_info().l2_bytes, std::size_t{1} << 18)) / 2 * point.threads();
  const auto wanted = std::max(static_cast<std::int64_t>(held / of_row), 2 * rows_together * point.threads());
  const std::int64_t rows = std::min(wanted, all / 2);
  return rows >= 2 * rows_together ? rows / (2 * rows_together) * (2 * rows_together) : rows / 2 * 2;
}

/// The shortest time of a part: parts are so short that other programs disturb most of their runs or none.
double seconds_of(const BenchPoint& part, const std::stop_token& stop) {
  const SamplingRule rule{.repetitions = 5, .min_seconds = 0.02, .max_seconds = 0.5, .warm_up_runs = 2};
  const HostArray input = make_input(part);
  const Measurement measured = measure(part, input.view(), {}, rule, stop).front();
  return *std::ranges::min_element(measured.samples.compute) / 1e3;
}

}  // namespace

HostRates::Rate HostRates::of(const BenchPoint& point, double bytes) {
  const int threads = point.threads();
  const std::size_t last = cpu_info().l3_bytes;
  if (last > 0 && bytes <= static_cast<double>(last) / 2) {
    double& rate = last_cache_[threads];
    if (rate == 0.0)
      for (const NamedRate& reading : host_ceilings(threads).reading)
        if (reading.name == "L3") rate = reading.per_second;
    return {"L3", rate};
  }
  const bool reads = point.output.kind == Kind::scalar;
  double& rate = (reads ? measured_.host_read : measured_.host)[threads];
  if (rate == 0.0) rate = reads ? host_read_bandwidth(threads) : host_copy_bandwidth(threads);
  return {"memory", rate};
}

PredictedTime predicted_on_host(const BenchPoint& point, HostRates& rates, const std::stop_token& stop) {
  if (has_fixed_size(point)) throw UsageError("no part of its input can be run alone");
  const std::int64_t all = point.input.*rows_of(point.input.kind), rows = rows_of_part(point, all);
  if (rows < 2) throw UsageError("its input has too few rows for parts of it");
  const BenchPoint larger = with_rows(point, rows), smaller = with_rows(point, rows / 2);
  const double of_larger = seconds_of(larger, stop), of_smaller = seconds_of(smaller, stop);
  const double work = operations_of(larger), less = operations_of(smaller);
  // The clock and other programs may make the smaller part seem as slow as the larger one, or slower than half.
  double start = std::max(0.0, of_smaller - (of_larger - of_smaller) / (work - less) * less);
  start = std::min(start, of_larger / 2);
  const double computing = (of_larger - start) / work * operations_of(point);
  const double bytes = bytes_of(point);
  const HostRates::Rate rate = rates.of(point, bytes);
  const double moving = rate.per_second > 0.0 ? bytes / rate.per_second : 0.0;
  const bool computes = computing >= moving;
  return {.ms = 1e3 * (start + std::max(computing, moving)),
          .bound = start > std::max(computing, moving) ? "start"
                   : computes                          ? "cores"
                                                       : rate.name,
          .gpu = cpu_info().model};
}

}  // namespace threadscape::app
