#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "compute/core/errors.h"
#include "compute/engines/planes/planes.h"

namespace threadscape {

/// The value of the option --depth that reads pictures with numbers of this type.
template <class T>
[[nodiscard]] constexpr std::string_view depth_option() {
  return std::is_same_v<T, float> ? "float" : std::is_same_v<T, std::uint16_t> ? "16" : "8";
}

/// Throws UsageError unless with_planes<Elements...>() supports the pixels of `input`, and it is an image. The message
/// names the algorithm, `images`, the images that it takes, and the options with which this one can be read.
template <class... Elements>
void require_planes_of(std::string_view algorithm, std::string_view images, const Shape& input) {
  if (input.kind == Kind::image && holds_planes_of<Elements...>(input)) return;
  std::string cures;
  if (input.kind == Kind::image)
    ((cures += (cures.empty() ? "" : " or ") + ("--depth " + std::string(depth_option<Elements>()))), ...);
  throw UsageError(std::string(algorithm) + " takes " + std::string(images) + ", not " + to_string(input) +
                   (cures.empty() ? "" : "; converted by " + cures));
}

}  // namespace threadscape
