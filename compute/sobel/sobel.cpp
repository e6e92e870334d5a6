#include "compute/sobel/sobel.h"

#include "compute/neighbourhood/planes.h"

namespace threadscape {

Shape Sobel::output_shape(const Params&, const Shape& input) {
  if (input.kind != Kind::image || !holds_planes_of<std::uint8_t>(input))
    throw UsageError("sobel takes 8-bit grey or RGBA images, not " + to_string(input));
  return input;
}

std::size_t Sobel::scratch_bytes(const Params&, const Shape&, Backend, int) {
  return 0;
}

AlgorithmInfo describe_sobel() {
  return describe<Sobel>("sobel");
}

}  // namespace threadscape
