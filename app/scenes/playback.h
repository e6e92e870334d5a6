#pragma once

#include <cmath>
#include <utility>
#include <variant>

namespace threadscape::app {

/// The playing of the steps of a scene, one after another, at a pace.
class Playback {
 public:
  /// `now` is in seconds since any fixed point in time.
  void play(double now) { state_ = Playing{.since = now}; }
  void stop() {
    if (playing()) state_ = Resting{};
  }
  /// Notes that the steps are to be played as soon as there are any.
  void await() { state_ = Awaiting{}; }
  [[nodiscard]] bool playing() const { return std::holds_alternative<Playing>(state_); }
  [[nodiscard]] bool awaiting() const { return std::holds_alternative<Awaiting>(state_); }
  [[nodiscard]] bool resting() const { return std::holds_alternative<Resting>(state_); }
  /// How many steps are due since the last call, of `pace` steps per second; 0 while nothing plays.
  double take_due(double now, double pace) {
    auto* playing = std::get_if<Playing>(&state_);
    if (playing == nullptr) return 0.0;
    playing->due += (now - std::exchange(playing->since, now)) * pace;
    const double whole = std::floor(playing->due);
    playing->due -= whole;
    return whole;
  }

 private:
  struct Resting {};
  struct Awaiting {};
  struct Playing {
    double since = 0.0, due = 0.0;  ///< When the last steps were taken, and the fraction of a step that is due.
  };
  std::variant<Resting, Awaiting, Playing> state_;
};

}  // namespace threadscape::app
