#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/measure/plot/chart_plot.h"
#include "app/panels/lesson/lesson_pictures.h"
#include "app/panels/lesson/markdown_view.h"
#include "app/panels/panel.h"

namespace threadscape::app {

/// A lesson that can be opened.
struct LessonEntry {
  std::filesystem::path folder;
  std::string title, time, summary;
};

/// The page of a lesson: its text with buttons that show states, questions that are judged at once, and sketches that
/// are opened and checked. Without an open lesson it offers those that come with the program.
class LessonPanel final : public Panel {
 public:
  void draw(Desk& desk) override;
  void update(Desk& desk) override { desk.lesson().update(); }
  [[nodiscard]] bool animating() const override { return pictures_.loading(); }
  [[nodiscard]] bool is_beside_picture(Desk& desk) const override { return desk.lesson().is_open(); }
  void draw_slide(Desk& desk) override;

 private:
  /// Something that a page shows: a part of a text, or another block.
  struct Item {
    std::vector<MarkdownBlock> text;  ///< From one heading up to the next one; empty for other blocks.
    std::size_t block = 0;            ///< The place of the block in the page.
  };

  /// Draws the lessons that come with the program, to be opened.
  void draw_offered(Desk& desk);
  /// Reads the page that is shown, if it is another one than before.
  void follow(Desk& desk);
  void draw_toolbar(Desk& desk);
  void draw_more(Desk& desk);
  void draw_items(Desk& desk, std::size_t begin, std::size_t end);
  /// Draws what is left to do, and the lesson that follows this one.
  void draw_end(Desk& desk);
  /// The items of a slide end where those of the next one begin.
  [[nodiscard]] std::size_t end_of_slide(std::size_t slide) const;
  /// Turns slides by keys.
  void turn(Desk& desk);
  void step(Desk& desk, int by);

  // Blocks of a page (lesson_blocks.cpp).
  void draw_block(Desk& desk, BlockPlace place);
  void draw_state(Desk& desk, BlockPlace place, const LessonState& state);
  void draw_figures(Desk& desk, BlockPlace place, const std::string& caption, const char* verb);
  /// Draws the plots and the table that a block has computed.
  void draw_found(Desk& desk, BlockPlace place, const BlockFigures& found);
  void draw_sweep(Desk& desk, BlockPlace place, const LessonSweep& sweep);
  void draw_report(Desk& desk, BlockPlace place, const LessonReport& report);
  void draw_question(Desk& desk, std::size_t index);
  /// Draws what an answer is written into, or chosen from. Returns whether it was given with the keyboard.
  bool draw_answer(const LessonQuestion& question, std::string& entered, const MarkdownLook& look);
  void draw_exercise(Desk& desk, std::size_t index);
  void draw_exercise_buttons(Desk& desk, std::size_t index);
  void draw_marks(Desk& desk, std::size_t index);
  /// Draws the hints and the solution that are shown after so many failed tries, or once all is done.
  void draw_help(Desk& desk, const std::vector<LessonHint>& hints, const std::optional<LessonSolution>& solution,
                 int failed, bool done);
  [[nodiscard]] MarkdownLook look(Desk& desk);

  std::optional<std::vector<LessonEntry>> offered_;  ///< What draw_offered() lists, read when it is needed first.
  int opened_ = 0;                                   ///< The lesson and the page that items_ are those of.
  std::size_t page_ = 0;
  std::vector<Item> items_;
  std::vector<std::size_t> slides_;  ///< The first item of each slide of the page.
  std::size_t slide_ = 0;
  std::filesystem::path
      next_lesson_;  ///< The folder of the lesson that follows; "" for none, and before the last page.
  std::string next_title_;
  std::filesystem::path wanted_;  ///< The folder of a lesson that is opened in the next frame.
  bool to_top_ = false;           ///< The page begins at its first line in this frame.
  bool to_last_ = false;          ///< The last slide of the page is shown, because it was reached from behind.
  std::map<std::size_t, std::string> entered_;                    ///< The answer that is being given, by question.
  std::map<BlockPlace, std::map<std::size_t, FittedAxes>> axes_;  ///< By block, and by its plots.
  std::map<std::string, std::string> sources_;                    ///< The texts of solutions, by file.
  LessonPictures pictures_;
};

}  // namespace threadscape::app
