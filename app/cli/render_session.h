#pragma once

#include "app/cli/commands/render.h"

namespace threadscape::app {

/// Takes what the command line does not state from a session file, which stands in the place of the algorithm. Throws
/// Error.
[[nodiscard]] RenderOptions with_session(RenderOptions options);

/// Takes what the command line does not state from a page of a lesson, which stands in the place of the algorithm: the
/// first state that it shows, or else the first one of the lesson. Throws Error.
[[nodiscard]] RenderOptions with_lesson(RenderOptions options, const std::filesystem::path& name);

}  // namespace threadscape::app
