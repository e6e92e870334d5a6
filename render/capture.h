#pragma once
// Reads drawn pictures back to the CPU.

#include "compute/core/data.h"
#include "render/gl/framebuffer.h"

namespace threadscape::render {

/// The colours of a framebuffer as an RGBA8 picture with the top row first, as io::save_picture() takes it. Waits for
/// the GPU.
[[nodiscard]] HostArray capture(const gl::Framebuffer& framebuffer);

}  // namespace threadscape::render
