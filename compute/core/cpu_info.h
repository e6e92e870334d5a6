#pragma once
// The processor as `threadscape info` and the benchmark reports name it.

#include <cstddef>
#include <string>

namespace threadscape {

struct CpuInfo {
  std::string model;       ///< as the kernel names it; "unknown CPU" where it does not
  int logical_cores = 0;   ///< that this process may use
  int physical_cores = 0;  ///< of the machine; equals its logical ones where SMT cannot be seen
  std::string simd;        ///< the Highway target that run-time dispatch chooses: AVX3 is AVX-512
  std::size_t l1d_bytes = 0, l2_bytes = 0, l3_bytes = 0;  ///< of one core, one core, one core complex; 0 = unknown
  std::size_t memory_bytes = 0;                           ///< installed
};

/// Asked once and kept.
[[nodiscard]] const CpuInfo& cpu_info();

/// Load average of the last minute; negative where the system does not tell. Benchmarks record it.
[[nodiscard]] double load_average();

}  // namespace threadscape
