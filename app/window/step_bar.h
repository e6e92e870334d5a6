#pragma once

#include "app/window/step_player.h"

namespace threadscape::app {

/// The line above the view in which the user chooses a step on the way to the result. Drawn for algorithms that have
/// such steps (AlgorithmInfo::view_steps).
class StepBar {
 public:
  /// `settled` says whether the result that the workspace wants is displayed.
  void draw(Workspace& workspace, bool settled);

 private:
  void keys(Workspace& workspace);
  void draw_pace(const Workspace& workspace, float width);
  void choose(Workspace& workspace, int index);

  StepPlayer player_;
};

}  // namespace threadscape::app
