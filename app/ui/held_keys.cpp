#include "app/ui/held_keys.h"

#include <utility>

namespace threadscape::app {

namespace {

bool keys_are_wanted_later = false;
int frames_with_held_keys = 0;

}  // namespace

void hold_keys() {
  keys_are_wanted_later = true;
}

ImVector<ImGuiInputEvent> take_held_keys() {
  constexpr int most_frames = 12;
  ImVector<ImGuiInputEvent> held;
  frames_with_held_keys = std::exchange(keys_are_wanted_later, false) ? frames_with_held_keys + 1 : 0;
  if (frames_with_held_keys == 0 || frames_with_held_keys > most_frames) return held;
  ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
  ImVector<ImGuiInputEvent> others;
  for (const ImGuiInputEvent& event : queue)
    (event.Type == ImGuiInputEventType_Key || event.Type == ImGuiInputEventType_Text ? held : others).push_back(event);
  queue.swap(others);
  return held;
}

void give_back_keys(const ImVector<ImGuiInputEvent>& keys) {
  ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
  ImVector<ImGuiInputEvent> all = keys;
  for (const ImGuiInputEvent& event : queue)
    all.push_back(event);
  queue.swap(all);
}

}  // namespace threadscape::app
