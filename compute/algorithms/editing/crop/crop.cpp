#include "compute/algorithms/editing/crop/crop.h"

#include <algorithm>
#include <string>

#include "compute/engines/planes/require_planes.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

namespace {

/// How many of `all` columns or rows are kept from `first` on.
std::int64_t kept_length(std::int64_t all, int first, int wanted, const char* parameter, const char* what) {
  if (first >= all)
    throw UsageError("crop: " + std::string(parameter) + "=" + std::to_string(first) + " lies outside of a picture " +
                     std::to_string(all) + " pixels " + what + "; at most " + std::to_string(all - 1));
  return wanted == 0 ? all - first : std::min<std::int64_t>(wanted, all - first);
}

}  // namespace

Shape Crop::output_shape(const Params& params, const Shape& input) {
  require_planes_of<std::uint8_t, std::uint16_t, float>("crop", "8-bit, 16-bit or float images", input);
  Shape output = input;
  output.width = kept_length(input.width, params.left, params.width, "left", "wide");
  output.height = kept_length(input.height, params.top, params.height, "top", "high");
  return output;
}

AlgorithmInfo describe_crop() {
  return describe<Crop>("crop");
}

}  // namespace threadscape
