#pragma once
// `render --play`: a moving picture is played through an algorithm and drawn, and what that costs is measured.

#include "app/cli/commands/render.h"
#include "app/scenes/scene_set.h"

namespace threadscape::app {

/// Plays `options.play` frames of the moving input of the workspace, or as many as there are, at options.speed times
/// its rate, and draws each as a window without panels does. Every frame is shown. The picture of the last one is
/// written to options.output, and the rates and times are printed and written to options.timings. Returns the exit
/// code. Throws Error.
int play_frames(const RenderOptions& options, Workspace& workspace, const SceneType& type, int width, int height);

}  // namespace threadscape::app
