#pragma once
// Runs on volumes that need not fit into memory: the result is computed in slabs of layers while it is written. Slabs
// follow from the HaloFacet, or from the SlabsFacet, whose slabs read all of the input; results have the bits of a run
// on the whole.

#include "compute/core/layers.h"
#include "compute/run/runner.h"

namespace threadscape {

/// How a run is cut into slabs.
struct VolumePlan {
  std::int64_t layers = 0;  ///< Each slab has so many layers of the result; the last one may have fewer.
  std::int64_t slabs = 0;
  std::int64_t input_layers = 0;  ///< The most layers of the input that are in memory at a time.
  bool reads_all = false;         ///< Each slab reads all of the input.
  std::size_t bytes = 0;          ///< The most memory that the run adds to what the process has.
};

/// Plans the thickest slabs for which the run takes at most `memory` bytes, with those that reading and writing take
/// beside it. Throws UsageError for an algorithm or parameters whose results cannot be cut, and EnvironmentError if the
/// thinnest slabs need more memory.
[[nodiscard]] VolumePlan plan_volume(const RunRequest& request, const Shape& input, std::size_t beside,
                                     std::size_t memory);

/// The result of a planned run, whose slabs are computed when their layers are read, from the first to the last.
/// Reading throws what Runner::run() and the input throw.
class VolumeResult final : public LayerReader {
 public:
  /// All that is handed over has to outlive the result. `progress` may be null.
  VolumeResult(Runner& runner, const RunRequest& request, const VolumePlan& plan, LayerReader& input,
               std::stop_token stop = {}, Progress* progress = nullptr);

  [[nodiscard]] const Shape& shape() const override { return shape_; }
  void read(std::int64_t first, std::int64_t end, float* to) override;
  /// The times of all slabs so far. Runs that read all of the input for each slab compute while they read.
  [[nodiscard]] const StageTimes& times() const { return times_; }
  [[nodiscard]] double read_ms() const { return read_ms_; }

 private:
  void compute(std::int64_t first);

  Runner& runner_;
  const RunRequest& request_;
  VolumePlan plan_;
  LayerReader& input_;
  std::stop_token stop_;
  Progress* progress_;
  Shape shape_;
  HostArray part_, made_;
  std::int64_t first_ = 0, end_ = 0;  ///< The layers that are in memory.
  std::int64_t offset_ = 0;           ///< The place of layer first_ in made_.
  StageTimes times_;
  double read_ms_ = 0;
};

}  // namespace threadscape
