#include "compute/algorithms/smoothing/rotating_mask/rotating_mask.h"

#include "compute/engines/planes/require_planes.h"
#include "compute/engines/sixteen_bit/sixteen_bit.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

Shape RotatingMask::output_shape(const Params&, const Shape& input) {
  require_planes_of<std::uint8_t, float>("rotating_mask", "8-bit, 16-bit or float grey or RGBA images", input);
  return input;
}

std::size_t RotatingMask::scratch_bytes(const Params&, const Shape&, Backend, int) {
  return 0;
}

AlgorithmInfo describe_rotating_mask() {
  return describe<SixteenBit<RotatingMask>>("rotating_mask");
}

}  // namespace threadscape
