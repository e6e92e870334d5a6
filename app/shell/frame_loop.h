#pragma once

#include <functional>

#include "app/platform/quit_signals.h"
#include "app/shell/window.h"

namespace threadscape::app {

/// Polls, updates, draws and presents until the window is closed or a signal asks the program to end. Sleeps while
/// nothing changes. `after_frame` is called at least every Platform::max_wait seconds while the window is visible.
/// Throws gl::ContextLost after the GPU was reset.
void run_frames(Platform& platform, gl::ShaderLibrary& shaders, Workspace& workspace, LiveView& live, Window& window,
                const QuitSignals& signals, const std::function<void()>& after_frame);

}  // namespace threadscape::app
