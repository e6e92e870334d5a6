#pragma once

#include <optional>
#include <string_view>

namespace threadscape::app {

/// Processor time in seconds since the machine was started, of all logical cores together.
struct CpuTimes {
  double busy = 0.0;
  double total = 0.0;  ///< Busy and idle.
};

/// Reads the first line of /proc/stat, whose numbers are in units of 1 / `ticks_per_second` seconds; none if it is not
/// such a line.
[[nodiscard]] std::optional<CpuTimes> parse_cpu_times(std::string_view stat, double ticks_per_second);

/// The share of the processor time between two readings that other programs took, 0 to 1. `own` is the time in seconds
/// that this program took.
[[nodiscard]] double share_of_others(const CpuTimes& before, const CpuTimes& after, double own);

/// Watches how busy other programs keep the processor, which makes measured times longer.
class MachineLoad {
 public:
  /// Takes a reading if the last one is more than a second old. `now` is the time in seconds, of any origin.
  void update(double now);
  /// The share of the processor time that other programs took between the last two readings, 0 to 1; 0 if it is not
  /// known.
  [[nodiscard]] double others() const { return others_; }

 private:
  std::optional<CpuTimes> times_;
  double own_ = 0.0;      ///< Processor time of this program at the last reading, in seconds.
  double reading_ = 0.0;  ///< Time of the last reading.
  double others_ = 0.0;
};

}  // namespace threadscape::app
