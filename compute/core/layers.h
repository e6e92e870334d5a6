#pragma once
// Runs on volumes that need not fit into memory: the input is read layer by layer while the run works on it.

#include <cstddef>
#include <cstdint>
#include <stop_token>

#include "compute/core/backend.h"
#include "compute/core/data.h"
#include "compute/core/progress.h"

namespace threadscape {

/// A volume of floats of which layers are read when they are wanted; a layer is a slice along `depth`.
class LayerReader {
 public:
  virtual ~LayerReader() = default;
  [[nodiscard]] virtual const Shape& shape() const = 0;
  /// Reads the layers [first, end), without gaps, to memory of the caller. Throws EnvironmentError.
  virtual void read(std::int64_t first, std::int64_t end, float* to) = 0;
};

/// A run whose input is read on the way. The result is in host memory as a whole, without gaps.
struct LayerRun {
  LayerReader* in = nullptr;
  HostOut out;
  Backend backend = Backend::openmp;
  int variant = 0;
  int threads = 1;
  std::size_t memory = 0;  ///< Bytes that layers and scratch memory may take; 0 for no limit.
  std::stop_token stop;
  Progress* progress = nullptr;  ///< May be null.
};

}  // namespace threadscape
