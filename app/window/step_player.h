#pragma once

#include <algorithm>

#include "app/session/workspace.h"

namespace threadscape::app {

/// Walks through the pictures on the way to a result, over and over, until it is stopped.
class StepPlayer {
 public:
  static constexpr float slowest = 0.25f, fastest = 60.0f;  ///< steps per second

  /// Steps per second, slower where the backend is. Unless one was chosen: one, and many steps as a whole in four
  /// seconds.
  [[nodiscard]] float pace(const Workspace& workspace) const {
    const auto count = static_cast<float>(workspace.view_steps().size());
    return pace_ > 0 ? pace_ : std::clamp(count / 4.0f, 1.0f, fastest);
  }
  void set_pace(float steps_per_second) { pace_ = std::clamp(steps_per_second, slowest, fastest); }

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
    if (settled && now - since_ < 1.0 / static_cast<double>(pace(workspace))) return;
    since_ = now;
    if (settled) workspace.show_step((workspace.shown_step() + 1) % count);
  }

 private:
  bool playing_ = false;
  float pace_ = 0.0f;   ///< 0: not chosen
  double since_ = 0.0;  ///< the picture was seen, or was still awaited
};

}  // namespace threadscape::app
