#pragma once
// In how many parts the GPU reduces.

namespace threadscape::normalise {

inline constexpr int reduce_threads = 256;
inline constexpr int most_blocks = 1024;  ///< of the first pass; the second reads one range of each

}  // namespace threadscape::normalise
