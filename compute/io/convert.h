#pragma once

#include "compute/io/image_file.h"

namespace threadscape::io {

/// The same picture with other numbers: white stays white (255, 65535, 1.0). Towards integers values are rounded to
/// nearest and saturated; NaN becomes 0. Throws UsageError for elements that pictures do not have.
[[nodiscard]] HostArray convert(HostIn pixels, Element element);

}  // namespace threadscape::io
