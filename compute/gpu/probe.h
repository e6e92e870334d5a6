#pragma once

namespace threadscape::cuda {

/// A kernel of this build, for asking the runtime whether it has code for the GPU at hand.
[[nodiscard]] const void* probe_kernel();

}  // namespace threadscape::cuda
