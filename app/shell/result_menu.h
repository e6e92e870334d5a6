#pragma once

#include <imgui.h>

#include <string>

#include "app/ui/held_keys.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape::app {

/// The popup that offers the algorithms that take a result, each of which can work on it next.
class ResultMenu {
 public:
  static constexpr const char* popup_name = "result menu";

  /// Opens the popup at the next draw(), with this sentence above the algorithms.
  void open(const char* title) {
    title_ = title;
    search_focus_.want();
  }
  /// Draws the popup, if it is open, in the middle of this rectangle of the screen. `kind` is the kind of the result.
  /// Returns the algorithm that was clicked, or the best that a search with Enter has found; else null.
  [[nodiscard]] const AlgorithmInfo* draw(Kind kind, ImVec2 low, ImVec2 high);

 private:
  const char* title_ = nullptr;  ///< Set by open() until the next draw().
  const char* shown_title_ = "";
  std::string search_;
  WantedFocus search_focus_;
};

}  // namespace threadscape::app
