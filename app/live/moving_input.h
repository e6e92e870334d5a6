#pragma once
// Lets the frames of a moving picture become the input of the workspace, one after another.

#include <chrono>
#include <functional>
#include <string>

#include "app/live/frame_player.h"
#include "app/live/live_view.h"

namespace threadscape::app {

/// Follows the opened picture of a workspace: one whose file moves is played from its first frame, and one that does
/// not move ends the playback. A frame follows only when the result of the one before is on the screen.
class MovingInput {
 public:
  using Clock = FramePlayer::Clock;

  /// `log` is told what is wrong with a source. `wake` is called on another thread when update() has something to do.
  MovingInput(LogBook& log, std::function<void()> wake, FrameDecoder::Opener open = io::open_frames)
      : player_(log, std::move(wake), std::move(open)) {}

  /// Gives the workspace the frame that is due. Returns true if it has: LiveView::update() then starts its run.
  bool update(Workspace& workspace, const LiveView& live, Clock::time_point now = Clock::now());
  /// Called after a picture was drawn and shown: if it was the result of the present frame, the next one may follow.
  void drawn(const Workspace& workspace, const LiveView& live, Clock::time_point now = Clock::now());

  [[nodiscard]] FramePlayer& player() { return player_; }
  [[nodiscard]] const FramePlayer& player() const { return player_; }
  /// Returns whether the opened picture moves.
  [[nodiscard]] bool active() const { return player_.active(); }
  /// Why the frames are not used, as text for the user: the chosen algorithm takes no pictures; "" if they are.
  [[nodiscard]] const std::string& why_ignored() const { return ignored_; }
  /// Keeps the next frames back, for example because what records the results has no room.
  void hold(bool hold) { held_ = hold; }

 private:
  void follow(const Workspace& workspace);

  FramePlayer player_;
  std::uint64_t opened_ = 0;  ///< Source::id of the first frame of what is played; 0 if nothing was looked at.
  std::uint64_t given_ = 0;   ///< Source::id of the frame that was given to the workspace last.
  std::string ignored_;
  bool held_ = false;
};

}  // namespace threadscape::app
