#pragma once
// Decompression of what bzip2 has compressed.

#include <cstdint>
#include <vector>

#include "compute/io/bytes.h"

namespace threadscape::io {

/// Decompresses data into exactly `bytes` bytes. Throws DecodeFailure where the data are damaged or have another
/// length, where `bytes` exceeds Limit::file_bytes, and in builds without the library bzip2.
[[nodiscard]] std::vector<std::byte> unpacked_bzip2(Bytes data, std::int64_t bytes);

}  // namespace threadscape::io
