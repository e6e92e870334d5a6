#pragma once

#include <optional>

#include "app/session/workspace.h"
#include "app/window/widgets/theme.h"

namespace threadscape::app {

/// What the user has asked for in draw_ab().
enum class AbAction : std::uint8_t { nothing, swap, forget };

/// Draws the comparison of the present setting, A, with the kept one, B: what differs, the times of both with their
/// ratio, and whether pictures are compared. `a_ms` is the time of a run of A in milliseconds, if known. Only while
/// `workspace.slot` is filled.
[[nodiscard]] AbAction draw_ab(Workspace& workspace, std::optional<double> a_ms, const Fonts& fonts);

}  // namespace threadscape::app
