#pragma once
// The processor and the memory of this machine, for `threadscape info` and the benchmark reports.

#include <cstddef>
#include <string>

namespace threadscape {

struct CpuInfo {
  std::string model;       ///< Model name from /proc/cpuinfo, or "unknown CPU".
  int logical_cores = 0;   ///< Hardware threads that this process may use.
  int physical_cores = 0;  ///< Cores of the machine; its logical cores if SMT cannot be detected.
  std::string simd;        ///< Highway target chosen by run-time dispatch; "AVX3" is AVX-512.
  std::size_t l1d_bytes = 0, l2_bytes = 0, l3_bytes = 0;  ///< Per core, per core, per core complex; 0 if unknown.
  std::size_t memory_bytes = 0;                           ///< Installed memory.
};

/// The facts about this machine, read at the first call.
[[nodiscard]] const CpuInfo& cpu_info();

/// The load average of the last minute, which benchmark reports record; negative if the system does not report it.
[[nodiscard]] double load_average();

}  // namespace threadscape
