#pragma once

#include "app/session/workspace.h"

namespace threadscape::app {

/// Draws the list of steps as a line above the view, if there is a list: a button for each step, which shows its
/// result, and buttons that move and remove the chosen step. Returns true if the user asks for another step.
[[nodiscard]] bool draw_step_list(Workspace& workspace);

}  // namespace threadscape::app
