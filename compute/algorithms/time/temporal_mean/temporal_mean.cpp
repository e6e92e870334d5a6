#include "compute/algorithms/time/temporal_mean/temporal_mean.h"

namespace threadscape {

Shape TemporalMean::output_shape(const Params&, const Shape& input) {
  return clips::picture_of_clip("temporal_mean", input);
}

std::size_t TemporalMean::scratch_bytes(const Params&, const Shape&, Backend, int) {
  return 0;
}

AlgorithmInfo describe_temporal_mean() {
  return describe<TemporalMean>("temporal_mean");
}

}  // namespace threadscape
