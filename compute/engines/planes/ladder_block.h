#pragma once

namespace threadscape::ladder {

/// The block of threads of the kernels that compute one pixel by each thread: a warp is a row.
inline constexpr int block_width = 32, block_height = 8;

}  // namespace threadscape::ladder
