#include "compute/algorithms/editing/levels/levels.h"

#include "compute/core/scratch.h"
#include "compute/engines/planes/require_planes.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

Shape Levels::output_shape(const Params&, const Shape& input) {
  require_planes_of<std::uint8_t, std::uint16_t, float>("levels", "8-bit, 16-bit or float images", input);
  return input;
}

std::size_t Levels::scratch_bytes(const Params&, const Shape& input, Backend backend, int) {
  if (backend == Backend::cuda || input.element == Element::f32) return 0;
  return HostScratch::padded(input.element == Element::u8 ? 256 : 2 * 65536);  // The curve as a table.
}

AlgorithmInfo describe_levels() {
  return describe<Levels>("levels");
}

}  // namespace threadscape
