#pragma once
// The arguments of a CUDA backend.

#include <cstdint>
#include <limits>
#include <string_view>

#include "compute/core/data_view.h"
#include "compute/core/preparation.h"
#include "compute/core/scratch.h"

struct CUstream_st;  // the CUDA runtime's stream, so that no CUDA header is needed above compute/gpu

namespace threadscape {

struct HostRun;  // compute/core/run.h

namespace gpu {
class Device;
}

/// A stream of work on a device. It converts to the stream of the CUDA runtime.
struct CudaStream {
  CUstream_st* handle = nullptr;
  gpu::Device* device = nullptr;

  operator CUstream_st*() const { return handle; }
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

/// The layers or rows [first, end) of a result that a run is to make (AlgorithmInfo::makes_layers); all by default.
struct LayerRange {
  static constexpr int all = std::numeric_limits<int>::max();
  int first = 0, end = all;
};

/// Everything a CUDA backend needs. All work is queued on `stream`; the call returns without waiting for it.
struct DeviceRun {
  DeviceIn in;
  DeviceSink out;
  DeviceScratch* scratch = nullptr;
  CudaStream stream = {};
  int variant = 0;
  std::string_view route = {};  ///< Name of a route (route.h) that is forced; "" = the quickest.
  std::uint64_t seed = 0;
  std::uint64_t frame = 0;  ///< Number of the picture in a moving one, from 0 on; 0 for a single picture.
  PartRange parts = {};     ///< All parts, unless the algorithm has parts().
  LayerRange layers = {};   ///< All layers, unless the algorithm makes some alone.
  const Preparation* preparation = nullptr;  ///< Has the algorithm's own type; null if it needs no preparation.
};

}  // namespace threadscape
