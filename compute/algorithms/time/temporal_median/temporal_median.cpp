#include "compute/algorithms/time/temporal_median/temporal_median.h"

namespace threadscape {

Shape TemporalMedian::output_shape(const Params&, const Shape& input) {
  return clips::picture_of_clip("temporal_median", input);
}

std::size_t TemporalMedian::scratch_bytes(const Params&, const Shape&, Backend, int) {
  return 0;
}

AlgorithmInfo describe_temporal_median() {
  return describe<TemporalMedian>("temporal_median");
}

}  // namespace threadscape
