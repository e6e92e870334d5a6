#pragma once
// The CUDA launchers of separable filters; separable_cuda.cu chooses between them.

#include "compute/engines/separable/separable.h"

namespace threadscape::separable {

inline constexpr unsigned all_lanes = 0xffffffffu;  ///< The mask of a whole warp, for shuffles and votes.

/// Launches the tensor-core kernel for bytes, separable_matrix.cu, and returns true. Returns false and launches nothing
/// where it cannot compute the run: float pictures, luma, windows that reach more than 32 bytes to either side,
/// pictures narrower or lower than 2 radius + 16 pixels, unaligned rows, devices below compute capability 8.0.
[[nodiscard]] bool launch_matrices(const Plan& plan, const DeviceRun& run);

/// Launches the tensor-core kernel for fp16, separable_small.cu, and returns true: Result::smooth up to 9x9. Returns
/// false and launches nothing where it cannot compute the run: float pictures, luma, sides below 16 pixels, unaligned
/// rows, devices below compute capability 8.0, and taps or column sums that fp16 does not hold exactly.
[[nodiscard]] bool launch_small(const Plan& plan, const DeviceRun& run);

/// The readable kernels, separable_ladder.cu: any picture, radius and plan. `global` takes intermediate_bytes() of
/// scratch memory.
enum class Rung { global, shared };
void launch_rung(Rung rung, const Plan& plan, const DeviceRun& run);

/// For Border::shrink: computes the pixels whose window leaves the picture once more, after any of the kernels above
/// has computed the picture with zeros outside; separable_ladder.cu.
void launch_shrunk_edges(const Plan& plan, const DeviceRun& run);

}  // namespace threadscape::separable
