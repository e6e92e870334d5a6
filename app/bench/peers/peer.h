#pragma once
// What `threadscape bench --peers` compares with.

#include <functional>
#include <string_view>

#include "compute/core/backend.h"
#include "compute/core/data.h"
#include "compute/core/params.h"
#include "compute/core/run.h"
#include "compute/core/shape.h"

namespace threadscape::app {

/// Queues one run on a stream, from device memory to device memory.
using DeviceWork = std::function<void(DeviceIn in, DeviceOut out, CudaStream stream)>;

/// A function of another library, or of a textbook, that computes the same function as one of our algorithms. It
/// has either `run` or `on_device`.
struct Peer {
  std::string_view algorithm;  ///< Name of our algorithm in the registry.
  std::string_view name;       ///< Shown beside our figures.
  /// Filters `in` into `out` on this many threads, one strip of rows each. Call it only if supports() returns true.
  std::function<void(HostIn in, HostOut out, int threads, const ParamBox& params)> run = {};
  /// Returns true if the peer computes the same function for these parameters and inputs of this shape.
  std::function<bool(const ParamBox& params, const Shape& shape)> supports = {};
  Backend backend = Backend::openmp;  ///< The backend that the peer is compared with.
  /// Allocates on the device what runs with these parameters and inputs of this shape take, and returns the run. It is
  /// timed between CUDA events, over as many buffers as runs of ours. Call it only if supports() returns true.
  std::function<DeviceWork(const ParamBox& params, const Shape& input, gpu::Device& device)> on_device = {};
};

}  // namespace threadscape::app
