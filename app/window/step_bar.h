#pragma once

#include "app/window/step_player.h"

namespace threadscape::app {

/// The step view: which picture on the way to the result is on show. A line above the view where there is a choice.
class StepBar {
 public:
  /// `settled`: what the workspace wants is on show.
  void draw(Workspace& workspace, bool settled);

 private:
  void keys(Workspace& workspace);
  void draw_pace(const Workspace& workspace, float width);
  void choose(Workspace& workspace, int index);

  StepPlayer player_;
};

}  // namespace threadscape::app
