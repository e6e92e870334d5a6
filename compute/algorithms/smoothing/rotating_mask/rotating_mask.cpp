#include "compute/algorithms/smoothing/rotating_mask/rotating_mask.h"

#include "compute/engines/planes/planes.h"

namespace threadscape {

Shape RotatingMask::output_shape(const Params&, const Shape& input) {
  if (input.kind != Kind::image || !holds_planes_of<std::uint8_t, float>(input))
    throw UsageError("rotating_mask takes 8-bit or float grey or RGBA images, not " + to_string(input));
  return input;
}

std::size_t RotatingMask::scratch_bytes(const Params&, const Shape&, Backend, int) {
  return 0;
}

AlgorithmInfo describe_rotating_mask() {
  return describe<RotatingMask>("rotating_mask");
}

}  // namespace threadscape
