#pragma once
// Phantoms that need not fit into memory: their layers are computed when they are asked for.

#include <stop_token>

#include "compute/algorithms/tomography/phantom/phantom.h"
#include "compute/core/layers.h"

namespace threadscape {

class PhantomLayers final : public LayerReader {
 public:
  /// `progress` may be null.
  PhantomLayers(const PhantomVolume::Params& params, int threads, std::stop_token stop, Progress* progress);
  [[nodiscard]] const Shape& shape() const override { return shape_; }
  /// Computes the layers with the threads of the constructor, the same voxels as PhantomVolume::serial(). Throws
  /// Cancelled once a stop is requested.
  void read(std::int64_t first, std::int64_t end, float* to) override;

 private:
  volumes::PhantomPlan plan_;
  Shape shape_;
  int threads_;
  std::stop_token stop_;
  Progress* progress_;
};

}  // namespace threadscape
