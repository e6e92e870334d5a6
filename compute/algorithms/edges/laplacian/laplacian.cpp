#include "compute/algorithms/edges/laplacian/laplacian.h"

#include "compute/engines/planes/require_planes.h"
#include "compute/engines/sixteen_bit/sixteen_bit.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

convolution::Plan Laplacian::plan(const Params& params) {
  Convolution::Params mask;
  mask.preset = Convolution::Preset::custom;
  switch (params.kind) {
    case Neighbours::four:
      mask.mask = {0, 1, 0, 1, -4, 1, 0, 1, 0};
      break;
    case Neighbours::eight:
      mask.mask = {1, 1, 1, 1, -8, 1, 1, 1, 1};
      break;
    case Neighbours::five:
      mask.size = 5;
      mask.mask = {0, 0, 1, 0, 0, 0, 1, 2, 1, 0, 1, 2, -16, 2, 1, 0, 1, 2, 1, 0, 0, 0, 1, 0, 0};
      break;
  }
  mask.absolute = params.output == Output::absolute;
  mask.bias = params.output == Output::offset ? 128.0f : 0.0f;
  mask.border = params.border;
  mask.channels = params.channels;
  convolution::Plan plan = Convolution::plan(mask);
  plan.finish.positive = params.output == Output::clamp;
  return plan;
}

Shape Laplacian::output_shape(const Params&, const Shape& input) {
  require_planes_of<std::uint8_t, float>("laplacian", "8-bit, 16-bit and float images, grey or RGBA", input);
  return input;
}

AlgorithmInfo describe_laplacian() {
  return describe<SixteenBit<Laplacian>>("laplacian");
}

}  // namespace threadscape
