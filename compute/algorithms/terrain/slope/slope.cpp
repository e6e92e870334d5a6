#include "compute/algorithms/terrain/slope/slope.h"

#include "compute/registry/algorithm_info.h"

namespace threadscape {

Shape Slope::output_shape(const Params& params, const Shape& input) {
  terrain::require_heights("slope", input);
  return Shape::image(Element::u8, params.map == slope::Map::slope ? 1 : 4, input.width, input.height);
}

AlgorithmInfo describe_slope() {
  return describe<Slope>("slope");
}

}  // namespace threadscape
