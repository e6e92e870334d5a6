#pragma once
// `render --timings FILE`: what rendering a picture or an animation has cost, as JSON.

#include <vector>

#include "app/cli/commands/render.h"
#include "app/live/live_view.h"
#include "app/scenes/scene.h"
#include "app/session/workspace.h"
#include "app/shell/frame_costs.h"
#include "render/gl/context.h"

namespace threadscape::app {

/// Writes the times to options.timings. `latencies_ms` has for each picture the time in milliseconds from a change of
/// the work, or of the view in 3-D, until the GPU has drawn it. `costs` are those of the window's frames, null without
/// a window. Throws Error.
void write_timings(const RenderOptions& options, const Workspace& workspace, const LiveView& live, const Scene& scene,
                   const gl::Context& context, const std::vector<double>& latencies_ms, const FrameCosts* costs);

}  // namespace threadscape::app
