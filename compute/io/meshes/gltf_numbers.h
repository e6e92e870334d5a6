#pragma once
// The numbers in the binary data of glTF.

#include <cstddef>
#include <string>

#include "compute/io/bytes.h"

namespace threadscape::io {

/// The code of 32-bit floats among the types of components.
inline constexpr std::size_t gltf_float = 5126;

/// The bytes of a component. Throws UsageError for a type that glTF has not.
[[nodiscard]] std::size_t component_bytes(std::size_t type);
/// A component, whose bytes begin at `at`. Normalised integers become -1..1.
[[nodiscard]] double component(Bytes data, std::size_t at, std::size_t type, bool normalised);
/// The number of components of "SCALAR" to "VEC4". Throws UsageError for other words.
[[nodiscard]] std::size_t parts_of(const std::string& type);
/// Throws UsageError unless `count` items, `stride` bytes apart, are within the data from `offset` on.
void require_items(Bytes data, std::size_t offset, std::size_t count, std::size_t stride, std::size_t item);

}  // namespace threadscape::io
