#pragma once

#include "app/shell/desk.h"

namespace threadscape::app {

/// Draws the comparison of the present setting, A, with the kept one, B: what differs, the times of both with their
/// ratio, and whether pictures are compared. Only while the slot of the workspace is filled.
void draw_ab(Desk& desk);

}  // namespace threadscape::app
