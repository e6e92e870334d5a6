#pragma once
// The content of a file in memory, and what is wrong with it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace threadscape::io {

/// The content of a file.
using Bytes = std::span<const std::byte>;

/// The exception for a file whose content cannot be decoded. Decoders throw it. load_picture() and similar functions
/// turn it into an EnvironmentError with the path, so it never leaves compute/io.
struct DecodeFailure {
  std::string cause;
};

/// The number that `bytes` bytes, 1 to 8, stand for, the lowest one first. Throws DecodeFailure beyond the end.
[[nodiscard]] inline std::uint64_t little_endian_at(Bytes file, std::size_t at, std::size_t bytes) {
  if (at > file.size() || file.size() - at < bytes) throw DecodeFailure{"it is truncated"};
  std::uint64_t value = 0;
  for (std::size_t i = bytes; i > 0; --i)
    value = value << 8 | std::to_integer<std::uint64_t>(file[at + i - 1]);
  return value;
}

}  // namespace threadscape::io
