#pragma once

#include "app/cli/commands/render.h"

namespace threadscape::app {

/// Takes what the command line does not state from a session file, which stands in the place of the algorithm. Throws
/// Error.
[[nodiscard]] RenderOptions with_session(RenderOptions options);

}  // namespace threadscape::app
