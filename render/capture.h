#pragma once
// Reads drawn pictures back to the CPU.

#include "compute/core/data.h"
#include "render/gl/framebuffer.h"
#include "render/gl/pending_read.h"

namespace threadscape::render {

/// The colours of a framebuffer as an RGBA8 picture with the top row first, as io::save_picture() takes it. Waits for
/// the GPU.
[[nodiscard]] HostArray capture(const gl::Framebuffer& framebuffer);

/// Queues the read of the colours of a framebuffer without waiting for it. The rows arrive in the order of GL, with the
/// bottom row first. Throws EnvironmentError if there is not enough memory.
[[nodiscard]] gl::PendingRead begin_capture(const gl::Framebuffer& framebuffer);
/// A copy with the rows in reverse order: the picture of capture() from the contents of begin_capture(). Runs on any
/// thread.
[[nodiscard]] HostArray flip_rows(HostIn picture);

}  // namespace threadscape::render
