#pragma once
// Keys that are pressed before the field that they are meant for has the keyboard.

#include <imgui_internal.h>

namespace threadscape::app {

/// Keeps all keys and characters for the next frame. Called in every frame between the one in which something asks for
/// the keyboard and the one in which its field has it, since ImGui takes some frames for that and drops what is typed
/// meanwhile. After a number of such frames in a row keys are no longer kept, so that none is kept for ever.
void hold_keys();

/// Removes what hold_keys() keeps from the queue of events, for the time of ImGui::NewFrame(). Afterwards
/// give_back_keys() puts it back to where it was, before the events that come later.
[[nodiscard]] ImVector<ImGuiInputEvent> take_held_keys();
void give_back_keys(const ImVector<ImGuiInputEvent>& keys);

/// Gives the keyboard to a field, which is drawn between before_field() and after_field(), and keeps what is typed
/// until the field has it.
class WantedFocus {
 public:
  void want() {
    asked_ = waits_ = true;
    hold_keys();
  }
  void before_field() {
    if (asked_) ImGui::SetKeyboardFocusHere();
    asked_ = false;
  }
  void after_field() {
    waits_ = waits_ && !ImGui::IsItemActive();
    if (waits_) hold_keys();
  }

 private:
  bool asked_ = false, waits_ = false;
};

}  // namespace threadscape::app
