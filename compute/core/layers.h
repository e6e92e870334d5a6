#pragma once
// Runs on volumes that need not fit into memory: the input is read layer by layer while the run works on it.

#include <cstddef>
#include <cstdint>
#include <stop_token>

#include "compute/core/backend.h"
#include "compute/core/data.h"
#include "compute/core/progress.h"

namespace threadscape {

namespace gpu {
class Device;
}

/// A volume of floats whose layers are read on demand. A layer is a slice with constant z (Shape::depth counts them).
class LayerReader {
 public:
  virtual ~LayerReader() = default;
  [[nodiscard]] virtual const Shape& shape() const = 0;
  /// Reads the layers [first, end) to memory of the caller, contiguously. Throws EnvironmentError if that fails.
  virtual void read(std::int64_t first, std::int64_t end, float* to) = 0;
};

/// A run that reads its input while it computes. The whole result is in host memory, contiguously.
struct LayerRun {
  LayerReader* in = nullptr;
  HostOut out;
  Backend backend = Backend::openmp;
  int variant = 0;
  int threads = 1;
  gpu::Device* device = nullptr;  ///< Of the CUDA backend; unused by the others.
  std::size_t memory = 0;         ///< Maximum bytes of layers and scratch memory; 0 for no limit.
  std::stop_token stop;
  Progress* progress = nullptr;  ///< May be null.
};

/// A run that computes some layers of its result from all layers of its input, of which some are in memory at a time.
struct SlabRun {
  LayerReader* in = nullptr;
  HostOut out;                    ///< The layers of the result alone.
  std::int64_t first = 0;         ///< The first of them.
  std::int64_t input_layers = 1;  ///< The most layers of the input in memory.
  Backend backend = Backend::openmp;
  int variant = 0;
  int threads = 1;
  std::stop_token stop;
};

}  // namespace threadscape
