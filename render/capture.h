#pragma once

#include "compute/core/data.h"
#include "render/gl/framebuffer.h"

namespace threadscape::render {

/// What was drawn, as an RGBA8 picture with the top row first; io::save_picture writes it. Waits for the GPU.
[[nodiscard]] HostArray capture(const gl::Framebuffer& framebuffer);

}  // namespace threadscape::render
