#pragma once

#include <cstdint>
#include <string>

#include "app/panels/code/code_editor.h"
#include "app/panels/panel.h"
#include "app/scenes/microscope/microscope_view.h"
#include "app/ui/held_keys.h"

namespace threadscape::app {

/// The page of a sketch: its text, what compiling and running it has found, and the tries so far. It is there while a
/// sketch is open.
class CodePanel final : public Panel {
 public:
  void draw(Desk& desk) override;
  void update(Desk& desk) override;
  [[nodiscard]] bool is_there(Desk& desk) override { return desk.sketch().is_open(); }
  [[nodiscard]] std::string badge(Desk& desk) const override;

 private:
  void draw_toolbar(Desk& desk);
  /// Draws what is said about the last try.
  void draw_state(Desk& desk);
  void draw_tries(Desk& desk);
  /// Draws registers and occupancy, and, with `lists`, the instructions of the line of the cursor.
  void draw_code(Desk& desk, bool lists);

  /// What is listed of a line.
  enum class Listing : std::uint8_t { none, ptx, sass };

  CodeEditor editor_;
  std::string needle_;  ///< What is looked for.
  bool finds_ = false;  ///< The field for it is shown.
  WantedFocus find_focus_;
  LineFigure figure_ = LineFigure::instructions;
  Listing listing_ = Listing::ptx;
  float below_ = 0.0f;  ///< The height of what was below the text.
  bool low_ = false;    ///< If true, the panel is so low that lists below the text are short.
};

}  // namespace threadscape::app
