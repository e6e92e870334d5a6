#include "app/analysis/speedup.h"

#include <algorithm>

#include "app/report/text.h"

namespace threadscape::app {

std::optional<Speedup> speedup_of(const SpeedupTimes& times) {
  if (std::min({times.baseline, times.baseline_one, times.own_one, times.own}) <= 0.0) return std::nullopt;
  Speedup speedup{.over_baseline = times.baseline / times.own, .has_loops = times.loops_one > 0.0};
  speedup.code = speedup.has_loops ? times.baseline_one / times.loops_one : 1.0;
  speedup.vectors = (speedup.has_loops ? times.loops_one : times.baseline_one) / times.own_one;
  speedup.threads = times.own_one / times.own * (times.baseline / times.baseline_one);
  speedup.loop_threads = speedup.has_loops && times.loops > 0.0 ? times.loops_one / times.loops : 0.0;
  return speedup;
}

std::optional<DeviceSpeedup> device_speedup_of(const DeviceTimes& times) {
  if (std::min(times.baseline, times.kernels) <= 0.0) return std::nullopt;
  DeviceSpeedup speedup{.has_cpu = times.cpu > 0.0, .has_transfers = times.whole > 0.0};
  if (speedup.has_cpu) speedup.cpu = times.baseline / times.cpu;
  speedup.kernels = (speedup.has_cpu ? times.cpu : times.baseline) / times.kernels;
  if (speedup.has_transfers) speedup.transfers = times.kernels / times.whole;
  return speedup;
}

std::string factor_text(double factor) {
  return format_number(factor) + "x";
}

std::string product_text(const Speedup& speedup, const std::string& threads) {
  return (speedup.has_loops ? factor_text(speedup.code) + " (loops, 1 thread) * " : "") + factor_text(speedup.vectors) +
         " (method and vectors, 1 thread) * " + factor_text(speedup.threads) + " (" + threads + ")";
}

std::string kernels_text(const DeviceSpeedup& speedup, const std::string& cpu) {
  return (speedup.has_cpu ? factor_text(speedup.cpu) + " (" + cpu + ") * " : "") + factor_text(speedup.kernels) +
         " (kernels alone)";
}

bool ratios_differ(double of_medians, double of_pairs) {
  constexpr double a_tenth = 1.1;
  return of_medians > of_pairs * a_tenth || of_pairs > of_medians * a_tenth;
}

}  // namespace threadscape::app
