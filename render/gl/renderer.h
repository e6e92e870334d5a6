#pragma once
// What draws: a GPU, or the CPU.

#include <string>

namespace threadscape::gl {

/// The name of the current context's renderer, as OpenGL states it; "unknown" if it states none.
[[nodiscard]] std::string renderer_name();
/// Returns whether a renderer of this name runs on the CPU: llvmpipe, softpipe, swrast.
[[nodiscard]] bool is_software(const std::string& renderer);

}  // namespace threadscape::gl
