#pragma once

#include <glm/vec2.hpp>

#include "compute/core/data.h"

namespace threadscape::app {

/// Scales a part of a picture of bytes, grey or RGBA, to `size` RGBA pixels without transparency. `corner` and `extent`
/// are the part's top left pixel and size. Each pixel is the mean of those it covers, and of at least one.
[[nodiscard]] HostArray shrink(HostIn picture, glm::ivec2 corner, glm::ivec2 extent, glm::ivec2 size);

}  // namespace threadscape::app
