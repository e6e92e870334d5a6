#pragma once

#include "app/shell/intermediate_player.h"

namespace threadscape::app {

/// The line above the view in which the user chooses an intermediate result of the algorithm. It is drawn for
/// algorithms that have such results (AlgorithmInfo::intermediates).
class IntermediateBar {
 public:
  /// `settled` says whether the result that the workspace wants is displayed.
  void draw(Workspace& workspace, bool settled);

 private:
  void keys(Workspace& workspace);
  void draw_pace(const Workspace& workspace, float width);
  void choose(Workspace& workspace, int index);

  IntermediatePlayer player_;
};

}  // namespace threadscape::app
