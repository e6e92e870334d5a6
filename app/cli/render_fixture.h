#pragma once
// Fixed facts and times for pictures of the interface that tests compare.

#include "app/session/workspace.h"
#include "app/shell/window.h"

namespace threadscape::app {

/// Replaces the facts about the machine by fixed ones, so that pictures of the interface are the same everywhere.
void use_fixture_machine(Workspace& workspace, MachineFacts& facts);
/// Replaces the measured times by fixed ones, so that pictures of the interface are the same everywhere.
void use_fixture_timings(Workspace& workspace);

}  // namespace threadscape::app
