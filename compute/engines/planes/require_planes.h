#pragma once

#include <string>
#include <string_view>

#include "compute/core/errors.h"
#include "compute/engines/planes/planes.h"

namespace threadscape {

/// Throws UsageError unless with_planes<Elements...>() supports the pixels of `input`, and it is an image. The message
/// names the algorithm and `images`, the images that it takes.
template <class... Elements>
void require_planes_of(std::string_view algorithm, std::string_view images, const Shape& input) {
  if (input.kind != Kind::image || !holds_planes_of<Elements...>(input))
    throw UsageError(std::string(algorithm) + " takes " + std::string(images) + ", not " + to_string(input));
}

}  // namespace threadscape
