#pragma once
// `threadscape run` on a moving picture: every frame of a video, of numbered pictures, of a camera or of the test
// scene.

#include <vector>

#include "app/cli/run_files.h"

namespace threadscape::app {

/// Returns true if the options ask for a run on every frame: the only input is a moving one (io::is_moving()), or a
/// folder of pictures, an animated WebP file or a TIFF of several pages whose results become a video, an animation,
/// pages or numbered pictures. Pictures from which an algorithm in time makes one picture are a clip, and no moving
/// input; to them .webp means one picture. Throws UsageError for an unknown algorithm.
[[nodiscard]] bool is_moving_run(const RunOptions& options);

/// Runs the step, or the list of steps, on every frame: one thread decodes ahead, one writes, and the caller computes.
/// Prints a line with the number of frames and the times. Ctrl-C ends the file with the frames so far. Throws
/// UsageError for steps that do not take and make pictures, and Error; what was computed before an error is written.
/// A step that takes clips, an algorithm in time, gets for every frame the clip of the newest frames up to this one, as
/// many as its parameters say, or as there are (ClipWindow): the result has a frame for every frame of the input.
int run_frames(const RunOptions& options, const std::vector<RunRequest>& steps);

}  // namespace threadscape::app
