#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace threadscape::app {

/// A dialog that asks at the start whether to go on with a session that ended without being closed.
class RecoveryPrompt {
 public:
  /// Opens the dialog in the next frame, with sentences that say what has happened. `answered` is called once, in
  /// draw(), with true if the user goes on with the session.
  void ask(std::string text, std::function<void(bool go_on)> answered);
  /// Draws the dialog while it is open. Called once a frame.
  void draw();
  [[nodiscard]] bool is_open() const { return state_ != State::closed; }

 private:
  enum class State : std::uint8_t { closed, opening, open };
  State state_ = State::closed;
  std::string text_;
  std::function<void(bool)> answered_;
};

}  // namespace threadscape::app
