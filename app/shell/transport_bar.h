#pragma once

#include <string>

#include "app/live/frame_player.h"

namespace threadscape::app {

/// The line below the view that plays a moving picture: in two rows where the view is narrow.
class TransportBar {
 public:
  /// Height of the bar in a view of this width.
  [[nodiscard]] static float height(float width);
  /// Draws the bar. Behind its last row, `reserved` units stay free.
  static void draw(FramePlayer& player, float width, float reserved);
  /// The keys of the bar.
  static void keys(FramePlayer& player);

 private:
  static void draw_buttons(FramePlayer& player);
  /// Draws the slider over all frames, or the number of the frame where there is no choice.
  static void draw_scrub(FramePlayer& player, float width);
  /// Draws time, speed and counters.
  static void draw_details(FramePlayer& player, float reserved);
};

/// A time of a video for the user: "4.25 s", or "12:05.3" from a minute on.
[[nodiscard]] std::string format_time(double seconds);

}  // namespace threadscape::app
