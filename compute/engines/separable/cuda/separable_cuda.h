#pragma once
// The CUDA launchers of separable filters.

#include "compute/engines/separable/separable.h"

namespace threadscape::separable {

/// On tensor cores, separable_matrix.cu. False if it cannot: float pictures, luma, windows that reach more than 32
/// bytes beside the pixel, pictures smaller than the window and 16 pixels, unaligned rows, devices without them.
[[nodiscard]] bool launch_matrices(const Plan& plan, const DeviceRun& run);

/// On tensor cores in half floats, separable_small.cu: Result::smooth up to 9x9. False if it cannot, as above, or where
/// half floats do not hold the column sums.
[[nodiscard]] bool launch_small(const Plan& plan, const DeviceRun& run);

/// The readable kernels, separable_ladder.cu: any picture, radius and plan. `global` takes intermediate_bytes() of
/// scratch memory.
enum class Rung { global, shared };
void launch_rung(Rung rung, const Plan& plan, const DeviceRun& run);

}  // namespace threadscape::separable
