#pragma once
// The time of a run on the CPU before it is measured. A run on few of its rows, whose data stay in a cache, says what a
// row costs the cores, and what starting costs; the whole takes
//
//   the start                                          where the lines through two parts meets zero rows
//   + the longer of its rows, and of its bytes over what the memory delivers that holds them
//
// so that rows whose time is not as predicted are bound by something that smaller ones do not show.

#include <map>
#include <stop_token>

#include "app/bench/bench_measure.h"
#include "app/measure/report_file.h"

namespace threadscape::app {

/// What the memories of this machine deliver, by the number of threads.
class HostRates {
 public:
  explicit HostRates(const CopyLimits& measured) : measured_(measured) {}
  struct Rate {
    const char* name = "memory";
    double per_second = 0;  ///< Bytes.
  };
  /// The rate at which so many bytes are moved: that of the plain copy, or of reading alone where the result is one
  /// number, and for data that stay in the last cache the reading from that. Measures what was not measured before.
  [[nodiscard]] Rate of(const BenchPoint& point, double bytes);

 private:
  CopyLimits measured_;
  std::map<int, double> last_cache_;
};

/// Measures the point on two parts of its input, and predicts its time. Throws UsageError where no part is to be had,
/// and what a run throws.
[[nodiscard]] PredictedTime predicted_on_host(const BenchPoint& point, HostRates& rates, const std::stop_token& stop);

}  // namespace threadscape::app
