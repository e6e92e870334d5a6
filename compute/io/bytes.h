#pragma once
// The content of a file in memory, and what is wrong with it.

#include <cstddef>
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

}  // namespace threadscape::io
