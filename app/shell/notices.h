#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/session/log_book.h"

namespace threadscape::app {

/// The messages of the log that are shown, each for some seconds, with what they offer as buttons: the latest fact in
/// the status line, warnings and errors one below another.
class Notices {
 public:
  /// Takes the messages that the log got since the last call, except details and the one whose text is
  /// `shown_elsewhere`. `now` is the time in seconds, of any origin, that draw() is called with too.
  void collect(const LogBook& log, double now, const std::string& shown_elsewhere = {});
  /// Draws the warnings and errors below each other from the upper right corner of a rectangle of the screen, at most
  /// as wide as that, and all messages if there is no status line. Returns the offer whose button was pressed.
  [[nodiscard]] std::optional<Offer> draw(ImVec2 low, ImVec2 high, double now, bool has_status_line);
  /// Returns whether there is a fact for the status line.
  [[nodiscard]] bool has_fact() const;
  /// Draws the latest fact behind the last item of the status line, at most `room` units wide, with its offers. Returns
  /// the offer whose button was pressed.
  [[nodiscard]] std::optional<Offer> draw_fact(float room, double now);
  /// Number of warnings and errors since the log was looked at last.
  [[nodiscard]] int unread() const { return unread_; }
  /// Tells that the log is being looked at.
  void read() { unread_ = 0; }
  /// Returns whether a message has just come, and has not reached its place on screen.
  [[nodiscard]] bool settling() const { return settling_ > 0; }
  /// The texts of the messages that are shown, the oldest first.
  [[nodiscard]] std::vector<std::string> texts() const;

 private:
  struct Notice {
    LogBook::Entry entry;
    double end = 0.0;  ///< Time at which it disappears.
    /// The ImGui window that it is drawn in, which no other shown message has; -1 until it has one. ImGui keeps every
    /// window for ever, so that later messages use the windows of earlier ones.
    int window = -1;
  };
  /// Gives the lowest free window to every message that has none.
  void assign_windows();
  /// The latest fact, or null.
  [[nodiscard]] Notice* fact();
  /// Draws a message in its frame. Returns false if the user closes it.
  bool draw_notice(Notice& notice, float width, double now, std::optional<Offer>& pressed);

  std::vector<Notice> shown_;  ///< The oldest first.
  std::uint64_t seen_ = 0;     ///< Number of the last message that was taken.
  int unread_ = 0;
  int settling_ = 0;  ///< Frames until the messages are in their places.
};

/// Draws what stands in the way of a result in a frame at `low` in screen coordinates, `width` units wide, with the
/// offers as buttons. Returns the offer whose button was pressed.
[[nodiscard]] std::optional<Offer> draw_refusal(const std::string& text, const std::vector<Offer>& offers, ImVec2 low,
                                                float width);

}  // namespace threadscape::app
