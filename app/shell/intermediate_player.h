#pragma once

#include <algorithm>

#include "app/session/workspace.h"

namespace threadscape::app {

/// Shows the intermediate results of the algorithm one after another, again and again until it is stopped.
class IntermediatePlayer {
 public:
  static constexpr float min_pace = 0.25f, max_pace = 60.0f;  ///< Limits of the pace, in results per second.

  /// Results per second, if the backend is fast enough. Unless a pace was chosen, it is the pace at which all of them
  /// take four seconds, but at least 1.
  [[nodiscard]] float pace(const Workspace& workspace) const {
    const auto count = static_cast<float>(workspace.intermediates().size());
    return pace_ > 0 ? pace_ : std::clamp(count / 4.0f, 1.0f, max_pace);
  }
  void set_pace(float results_per_second) { pace_ = std::clamp(results_per_second, min_pace, max_pace); }

  [[nodiscard]] bool playing() const { return playing_; }
  /// Starts with the first one. `now` is in seconds since any fixed point in time.
  void play(Workspace& workspace, double now) {
    playing_ = true;
    since_ = now;
    workspace.show_intermediate(0);
  }
  void stop() { playing_ = false; }

  /// Called once a frame. `settled` says whether the chosen one is displayed. The time of each begins when it is
  /// displayed, so slow backends get as much time as they need.
  void update(Workspace& workspace, double now, bool settled) {
    const auto count = static_cast<int>(workspace.intermediates().size());
    if (count < 2) playing_ = false;
    if (!playing_) return;
    if (settled && now - since_ < 1.0 / static_cast<double>(pace(workspace))) return;
    since_ = now;
    if (settled) workspace.show_intermediate((workspace.shown_intermediate() + 1) % count);
  }

 private:
  bool playing_ = false;
  float pace_ = 0.0f;  ///< Pace that the user has chosen, in results per second; 0 = none.
  /// Time in seconds at which the result was first displayed, or at which it was last not yet displayed.
  double since_ = 0.0;
};

}  // namespace threadscape::app
