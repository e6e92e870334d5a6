#pragma once

#include <cstdint>
#include <string>

namespace threadscape::app {

/// A dialog that asks at the start whether to go on with a session that ended without being closed.
class RecoveryPrompt {
 public:
  enum class Answer : std::uint8_t { none, go_on, discard };

  /// Opens the dialog in the next frame, with sentences that say what has happened.
  void ask(std::string text);
  /// Draws the dialog while it is open. Called once a frame.
  void draw();
  /// What the user has chosen since the last call.
  [[nodiscard]] Answer take_answer();
  [[nodiscard]] bool is_open() const { return state_ != State::closed; }

 private:
  enum class State : std::uint8_t { closed, opening, open };
  State state_ = State::closed;
  Answer answer_ = Answer::none;
  std::string text_;
};

}  // namespace threadscape::app
