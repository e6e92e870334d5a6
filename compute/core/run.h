#pragma once
// What a backend gets when it runs: HostRun for serial and openmp, DeviceRun for CUDA.

#include <cstdint>
#include <limits>
#include <stop_token>

#include "compute/core/data.h"
#include "compute/core/preparation.h"
#include "compute/core/progress.h"
#include "compute/core/scratch.h"

struct CUstream_st;  // the CUDA runtime's stream, so that no CUDA header is needed above compute/cuda

namespace threadscape {

using CudaStream = CUstream_st*;

/// Everything a CPU backend needs. `scratch` holds at least AlgorithmInfo::scratch_bytes(). Long runs look at `stop`
/// and return early, and report to `progress`, which may be null.
struct HostRun {
  HostIn in;
  HostOut out;
  HostScratch* scratch = nullptr;
  int threads = 1;
  int variant = 0;
  std::uint64_t seed = 0;
  std::stop_token stop;
  Progress* progress = nullptr;
  const Preparation* preparation = nullptr;  ///< Of the algorithm's own type where AlgorithmInfo::preparation asks so.
};

/// Where a CUDA backend writes: linear device memory, or the surface of a GL texture of the same format.
struct DeviceSink {
  DeviceOut linear;
  std::uint64_t surface = 0;  ///< A cudaSurfaceObject_t; 0 to write to `linear`.
  Shape shape;
};

/// The parts [first, end) of a run that consists of several (registry/facets/parts.h); all by default.
struct PartRange {
  static constexpr int all = std::numeric_limits<int>::max();
  int first = 0, end = all;
};

/// Everything a CUDA backend needs. All work goes to `stream`; the call returns without waiting for it.
struct DeviceRun {
  DeviceIn in;
  DeviceSink out;
  DeviceScratch* scratch = nullptr;
  CudaStream stream = nullptr;
  int variant = 0;
  std::uint64_t seed = 0;
  PartRange parts = {};                      ///< Less than all only for algorithms with parts().
  const Preparation* preparation = nullptr;  ///< Of the algorithm's own type where AlgorithmInfo::preparation asks so.
};

}  // namespace threadscape
