#pragma once
// Rendering of several frames: the moving input that they come from, and the file that they go to.

#include <memory>

#include "app/cli/commands/render.h"
#include "compute/io/video/frame_writer.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape::app {

/// Returns true if the input is a moving picture, whose frames are drawn one after another. Numbered pictures are one
/// clip for an algorithm in time, as they are in the window.
[[nodiscard]] bool is_moving_render(const RenderOptions& options, const AlgorithmInfo& algorithm);

/// Returns true if the output is an animation. A single frame is a picture in formats that hold both.
[[nodiscard]] bool wants_animation(const RenderOptions& options);

/// Replaces the numbers of frames and of frames per second that are not stated. Throws Error.
void set_frames(RenderOptions& options, const AlgorithmInfo& algorithm);

/// Opens the file of the drawn frames. Sound of the input that does not go along is told on stderr. Throws Error.
[[nodiscard]] std::unique_ptr<io::FrameWriter> open_animation(const RenderOptions& options,
                                                              const AlgorithmInfo& algorithm);

}  // namespace threadscape::app
