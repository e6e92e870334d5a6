#include "compute/algorithms/smoothing/threshold_mean/threshold_mean.h"

#include "compute/engines/planes/require_planes.h"
#include "compute/engines/sixteen_bit/sixteen_bit.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

Shape ThresholdMean::output_shape(const Params&, const Shape& input) {
  require_planes_of<std::uint8_t, float>("threshold_mean", "8-bit, 16-bit or float grey or RGBA images", input);
  return input;
}

std::size_t ThresholdMean::scratch_bytes(const Params&, const Shape&, Backend, int) {
  return 0;
}

AlgorithmInfo describe_threshold_mean() {
  return describe<SixteenBit<ThresholdMean>>("threshold_mean");
}

}  // namespace threadscape
