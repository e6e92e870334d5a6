#pragma once
// The state of the machine while times are measured: other load, clocks, temperature, throttling, and the governor that
// sets the clocks. What a machine does not let a program read is left out.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "compute/gpu/device.h"

namespace threadscape::app {

/// Readings at one moment.
struct MachineState {
  double seconds = 0.0;                 ///< Steady clock.
  std::optional<double> busy_seconds;   ///< CPU time that all programs have used since the machine started.
  double own_seconds = 0.0;             ///< CPU time that this process has used.
  std::optional<double> cpu_mhz;        ///< Mean clock of all CPU cores.
  std::optional<double> cpu_celsius;    ///< Temperature of the hottest zone.
  std::optional<double> cpu_throttles;  ///< Number of times that cores were slowed down for their heat.
  std::optional<double> gpu_mhz, gpu_celsius;
  std::optional<unsigned long long> gpu_throttle_reasons;  ///< Bits as NVML defines them.
};
/// Reads the state of this machine from the folders proc and sys below `root`, which tests replace, and that of a GPU,
/// unless it is null, from the driver's library. Takes less than 5 ms.
[[nodiscard]] MachineState read_machine_state(const gpu::Device* device, const std::filesystem::path& root = "/");

/// What happened between two readings.
struct Conditions {
  std::string governor;                                  ///< Governor of the first core's clock; "" if unknown.
  std::optional<double> other_load;                      ///< CPU cores that other programs kept busy on average.
  std::optional<double> mhz_before, mhz_after, celsius;  ///< Clock of the CPU, and its temperature at the end.
  std::optional<double> throttles;             ///< Number of times that cores were slowed down for their heat.
  std::optional<double> gpu_mhz, gpu_celsius;  ///< At the end.
  bool gpu_throttled = false;                  ///< If true, heat or power limited the clock of the GPU at the end.
};
[[nodiscard]] Conditions conditions_between(const MachineState& before, const MachineState& after,
                                            const std::filesystem::path& root = "/");

/// Sentences on conditions that make times doubtful: more than 0.2 cores of other load, throttling, a clock that
/// changed by more than 5 %, a governor that saves power. Empty if there are none.
[[nodiscard]] std::vector<std::string> doubts(const Conditions& conditions);

}  // namespace threadscape::app
