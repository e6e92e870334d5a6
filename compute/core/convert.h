#pragma once

#include "compute/core/data.h"

namespace threadscape {

/// Converts a picture to another type of numbers. White stays white (255, 65535, 1.0). Conversions to integers round to
/// nearest and saturate; NaN becomes 0. Throws UsageError for types that pictures do not have.
[[nodiscard]] HostArray convert_picture(HostIn pixels, Element element);

}  // namespace threadscape
