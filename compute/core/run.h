#pragma once
// The arguments of a backend: HostRun for serial and openmp, DeviceRun for CUDA.

#include <cstdint>
#include <stop_token>
#include <string_view>

#include "compute/core/data.h"
#include "compute/core/device_run.h"
#include "compute/core/progress.h"

namespace threadscape {

/// Everything a CPU backend needs. `scratch` has room for at least AlgorithmInfo::scratch_bytes(). Long runs check
/// `stop` and return early if it is requested, and report to `progress`, which may be null.
struct HostRun {
  HostIn in;
  HostOut out;
  HostScratch* scratch = nullptr;
  int threads = 1;
  int variant = 0;
  std::string_view route = {};  ///< Name of a route (route.h) that is forced; "" = the quickest.
  std::uint64_t seed = 0;
  std::uint64_t frame = 0;  ///< Number of the picture in a moving one, from 0 on; 0 for a single picture.
  std::stop_token stop;
  Progress* progress = nullptr;
  const Preparation* preparation = nullptr;  ///< Has the algorithm's own type; null if it needs no preparation.
};

}  // namespace threadscape
