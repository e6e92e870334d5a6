#pragma once

#include "app/window/window.h"

namespace threadscape::app {

/// Polls, updates, draws and presents until the window is closed. Sleeps while nothing changes.
void run_frames(Platform& platform, gl::ShaderLibrary& shaders, Workspace& workspace, LiveView& live, Window& window);

}  // namespace threadscape::app
