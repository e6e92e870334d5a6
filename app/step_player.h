#pragma once

#include "app/workspace.h"

namespace threadscape::app {

/// Walks through the pictures on the way to a result, over and over, until it is stopped.
class StepPlayer {
 public:
  static constexpr double pace = 1.0;  ///< seconds that each picture stays, at least

  [[nodiscard]] bool playing() const { return playing_; }
  /// Begins with the first picture. Times are in seconds, from any start.
  void play(Workspace& workspace, double now) {
    playing_ = true;
    since_ = now;
    workspace.show_step(0);
  }
  void stop() { playing_ = false; }

  /// Once a frame. A picture's time begins when it is on show, `settled`: slow backends are waited for.
  void update(Workspace& workspace, double now, bool settled) {
    const auto count = static_cast<int>(workspace.view_steps().size());
    if (count < 2) playing_ = false;
    if (!playing_) return;
    if (settled && now - since_ < pace) return;
    since_ = now;
    if (settled) workspace.show_step((workspace.shown_step() + 1) % count);
  }

 private:
  bool playing_ = false;
  double since_ = 0.0;  ///< the picture was seen, or was still awaited
};

}  // namespace threadscape::app
