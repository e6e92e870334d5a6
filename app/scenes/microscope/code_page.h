#pragma once
// A source beside what compilers have made of it: its lines with their counts, the instructions of PTX, and machine
// code. What belongs together is marked.

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/scenes/microscope/listing.h"
#include "app/session/line_code.h"
#include "compute/run/observation.h"

namespace threadscape::app {

/// What the page shows.
struct CodePageContent {
  const ObservedKernel* kernel = nullptr;
  const warp::Function* function = nullptr;          ///< The one whose PTX is listed.
  std::uint32_t instruction = 0;                     ///< The shown one, among those of the function.
  std::string file;                                  ///< The file of the source, as the module names it.
  const std::vector<std::string>* source = nullptr;  ///< Its lines; empty where they are not at hand.
  std::shared_ptr<const MachineCode> machine;        ///< Null while it is being made.
  LineFigure figure = LineFigure::instructions;
};

class CodePage {
 public:
  enum class Column : std::uint8_t { source, ptx, machine };
  struct Place {
    Column column = Column::source;
    std::size_t row = 0;  ///< Counted from 0.
    bool operator==(const Place&) const = default;
  };

  /// Draws the columns that there is room for, and below them the figures of the marked lines.
  void draw(ViewCanvas& canvas, const ViewBox& box, float unit, const CodePageContent& content);
  /// Marks what belongs to the row under the mouse, whose place in the view it is, from the next draw() on; nothing
  /// marks what belongs to the shown instruction.
  void hover(std::optional<ImVec2> mouse);
  /// Moves the column under the mouse by so many rows.
  void scroll(ImVec2 mouse, int rows_down);
  [[nodiscard]] std::optional<Place> place_at(ImVec2 mouse) const;
  [[nodiscard]] const Listing& listing(Column column) const { return column_of(column); }
  /// The number of marked rows of a column.
  [[nodiscard]] std::size_t marked(Column column) const;
  /// The number of columns that were drawn.
  [[nodiscard]] int shown() const { return shown_; }
  /// What is said below the columns.
  [[nodiscard]] const std::string& sentence() const { return sentence_; }
  void hide();
  /// Forgets the kernel, which may be gone.
  void reset() { kernel_ = nullptr; }

 private:
  [[nodiscard]] const Listing& column_of(Column column) const { return columns_[static_cast<std::size_t>(column)]; }
  [[nodiscard]] Listing& column_of(Column column) { return columns_[static_cast<std::size_t>(column)]; }
  /// Makes the rows anew where the content is another one than before.
  void list(const CodePageContent& content);
  void mark(const CodePageContent& content);
  /// The figures of a line in words.
  [[nodiscard]] std::string line_text(int line) const;

  std::array<Listing, 3> columns_;  ///< In the order of Column.
  /// The lines that each row of PTX and of the machine code belongs to.
  std::vector<std::set<int>> ptx_lines_, machine_lines_;
  std::map<int, warp::Counts> counts_;  ///< By lines; those of inlined code are also those of the line that calls it.
  std::optional<Place> hovered_;
  std::string sentence_;
  int shown_ = 0;

  // What the rows were made of.
  const ObservedKernel* kernel_ = nullptr;
  const warp::Function* function_ = nullptr;
  std::shared_ptr<const MachineCode> machine_;
  std::string file_;
  std::size_t source_lines_ = 0;
  LineFigure figure_ = LineFigure::instructions;
};

}  // namespace threadscape::app
