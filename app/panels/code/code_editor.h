#pragma once
// An editor of source text in the current window of ImGui: line numbers, figures of lines, colours of words, marks.

#include <imgui.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/code/code_words.h"
#include "app/session/code_marks.h"

namespace threadscape::app {

/// What stands beside the lines.
struct CodeGutter {
  std::span<const CodeMark> marks;
  std::map<int, double> figures;  ///< By line; lines without one show nothing.
  std::string_view figure = {};   ///< The name of the figures, for the tip.
};

/// The colour of a word, on a dark or on a light background: at least 4.5 : 1.
[[nodiscard]] ImU32 code_colour(CodeWord word);

class CodeEditor {
 public:
  /// Draws the editor into a rectangle of this size at the cursor. Keys change the text.
  void draw(std::string& text, const CodeGutter& gutter, ImFont* mono, ImVec2 size);
  /// Moves the cursor to a line, from 1 on, in the next frame.
  void go_to(int line) { wanted_line_ = line; }
  /// Gives the text the keyboard in the next frame, with the cursor where it was: Ctrl+Enter has taken it away.
  void go_on() { wanted_begin_ = wanted_end_ = cursor_; }
  /// Selects the next place behind the cursor, or from the beginning, that is like `needle`. Returns false if there is
  /// none. Capitals count if `needle` has any.
  bool find(std::string_view text, std::string_view needle);
  /// The line of the cursor, from 1 on.
  [[nodiscard]] int line(std::string_view text) const {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(cursor_, text.size()));
    return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
  }
  /// Returns whether the editor has the keyboard.
  [[nodiscard]] bool active() const { return active_; }

  /// What ImGui's text field calls while it is edited.
  int edited(ImGuiInputTextCallbackData& data);

 private:
  void indent(ImGuiInputTextCallbackData& data) const;
  /// The column of figures is `figures` wide; where that is 0, colours stand behind the numbers of the lines.
  void draw_gutter(const CodeGutter& gutter, ImVec2 low, ImVec2 size, float figures, float line_height, float scroll);
  void draw_words(ImDrawList& list, std::string_view text, ImVec2 origin, float low, float high, float line_height);

  std::string* text_ = nullptr;
  bool active_ = false;
  int wanted_line_ = 0;
  std::size_t wanted_begin_ = 0, wanted_end_ = 0;  ///< What find() has found, to be selected; both 0 if nothing is.
  std::size_t cursor_ = 0, length_ = 0;
  float scroll_ = 0.0f;   ///< The height that is scrolled away above, in the last frame.
  std::string coloured_;  ///< The text that spans_ are those of.
  std::vector<std::vector<CodeSpan>> spans_;
};

}  // namespace threadscape::app
