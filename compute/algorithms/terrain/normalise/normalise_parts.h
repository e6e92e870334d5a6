#pragma once
// Dimensions of the reduction on the GPU.

namespace threadscape::normalise {

inline constexpr int reduce_threads = 256;
inline constexpr int max_blocks = 1024;  ///< Maximum number of blocks, each of which writes one range.

}  // namespace threadscape::normalise
