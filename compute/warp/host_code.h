#pragma once
// Host functions in CUDA C++ sources. NVRTC accepts none; a file of kernels with the main() that calls them has some.

#include <span>
#include <string>
#include <string_view>

namespace threadscape::warp {

/// A place in a source: line and column, both from 1.
struct SourcePlace {
  int line = 0, column = 0;
};

/// Replaces definitions of functions, and declarations, by spaces, so that all other text keeps its line and column.
/// Each place is one in the head of a definition, or in a declaration that is in no function. Functions for the device
/// stay, and those that are constexpr, because constant expressions call them. Other places change nothing.
[[nodiscard]] std::string without_functions(std::string_view source, std::span<const SourcePlace> places);

}  // namespace threadscape::warp
