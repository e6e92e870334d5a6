#pragma once
// Headers of the standard library that sources of kernels use, and NVRTC has none of.

#include <span>

namespace threadscape::warp {

struct NamedHeader;

/// Integers, limits and mathematical functions.
[[nodiscard]] std::span<const NamedHeader> rtc_headers();

}  // namespace threadscape::warp
