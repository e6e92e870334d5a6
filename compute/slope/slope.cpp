#include "compute/slope/slope.h"

namespace threadscape {

Shape Slope::output_shape(const Params& params, const Shape& input) {
  terrain::require_heights("slope", input);
  return Shape::image(Element::u8, params.map == slope::Map::slope ? 1 : 4, input.width, input.height);
}

std::size_t Slope::scratch_bytes(const Params&, const Shape&, Backend, int) {
  return 0;
}

AlgorithmInfo describe_slope() {
  return describe<Slope>("slope");
}

}  // namespace threadscape
