#pragma once

#include <algorithm>

#include "app/session/workspace.h"

namespace threadscape::app {

/// Shows the steps on the way to a result one after another, over and over, until it is stopped.
class StepPlayer {
 public:
  static constexpr float min_pace = 0.25f, max_pace = 60.0f;  ///< In steps per second.

  /// Steps per second, if the backend is as fast. Without a chosen pace it is 1, or that at which all steps take four
  /// seconds if it is higher.
  [[nodiscard]] float pace(const Workspace& workspace) const {
    const auto count = static_cast<float>(workspace.view_steps().size());
    return pace_ > 0 ? pace_ : std::clamp(count / 4.0f, 1.0f, max_pace);
  }
  void set_pace(float steps_per_second) { pace_ = std::clamp(steps_per_second, min_pace, max_pace); }

  [[nodiscard]] bool playing() const { return playing_; }
  /// Starts with the first step. `now` is in seconds since any fixed moment.
  void play(Workspace& workspace, double now) {
    playing_ = true;
    since_ = now;
    workspace.show_step(0);
  }
  void stop() { playing_ = false; }

  /// Called once a frame. `settled` says whether the chosen step is displayed: the time of a step begins then, so slow
  /// backends are waited for.
  void update(Workspace& workspace, double now, bool settled) {
    const auto count = static_cast<int>(workspace.view_steps().size());
    if (count < 2) playing_ = false;
    if (!playing_) return;
    if (settled && now - since_ < 1.0 / static_cast<double>(pace(workspace))) return;
    since_ = now;
    if (settled) workspace.show_step((workspace.shown_step() + 1) % count);
  }

 private:
  bool playing_ = false;
  float pace_ = 0.0f;   ///< Steps per second; 0: not chosen.
  double since_ = 0.0;  ///< When the step was first displayed, or last awaited.
};

}  // namespace threadscape::app
