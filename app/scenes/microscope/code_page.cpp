#include "app/scenes/microscope/code_page.h"

#include <algorithm>

#include "app/scenes/microscope/line_figure.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"
#include "compute/warp/ptx_text.h"

namespace threadscape::app {

namespace {

/// So many characters fit into a column that can be read.
constexpr float source_characters = 46, instruction_characters = 34;

std::string name_of_file(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

bool intersects(const std::set<int>& a, const std::set<int>& b) {
  return std::ranges::any_of(a, [&](int line) { return b.contains(line); });
}

}  // namespace

void CodePage::list(const CodePageContent& content) {
  const bool same = kernel_ == content.kernel && function_ == content.function && machine_ == content.machine &&
                    file_ == content.file && source_lines_ == content.source->size() && figure_ == content.figure;
  if (same) return;
  if (kernel_ != content.kernel) hovered_.reset();
  kernel_ = content.kernel;
  function_ = content.function;
  machine_ = content.machine;
  file_ = content.file;
  source_lines_ = content.source->size();
  figure_ = content.figure;
  const warp::Module& module = *kernel_->module;
  const std::vector<warp::Counts>& counts = kernel_->study.launch.instructions;
  const bool counted = counts.size() == function_->instructions.size();
  const auto row_of = [&](std::size_t index, std::string text, const warp::Counts* own) {
    Listing::Row row{.number = static_cast<int>(index) + 1, .text = std::move(text)};
    if (own == nullptr) return row;
    row.figure = figure_of(figure_, *own);
    row.counted = own->ptx_instructions > 0;
    return row;
  };
  Listing& ptx = column_of(Column::ptx);
  ptx.title = "PTX";
  ptx.rows.clear();
  ptx_lines_.clear();
  counts_.clear();
  for (std::size_t i = 0; i < function_->instructions.size(); ++i) {
    const warp::Instruction& instruction = function_->instructions[i];
    const std::vector<int> lines = lines_of(module, instruction, file_);
    ptx_lines_.emplace_back(lines.begin(), lines.end());
    ptx.rows.push_back(row_of(i, warp::text_of(module, *function_, instruction), counted ? &counts[i] : nullptr));
    if (!counted) continue;
    for (const int line : ptx_lines_.back())
      counts_[line] += counts[i];
  }
  Listing& source = column_of(Column::source);
  source.title = name_of_file(file_) + (content.source->empty() ? ", which is not at hand" : "");
  source.rows.clear();
  for (std::size_t i = 0; i < content.source->size(); ++i) {
    const auto found = counts_.find(static_cast<int>(i) + 1);
    source.rows.push_back(row_of(i, (*content.source)[i], found != counts_.end() ? &found->second : nullptr));
  }
  Listing& machine = column_of(Column::machine);
  machine.title = "SASS";
  machine.has_figures = false;
  machine.rows.clear();
  machine_lines_.clear();
  if (machine_ == nullptr) return;
  for (const PlacedInstruction& instruction : machine_->instructions) {
    machine.rows.push_back(row_of(machine.rows.size(), instruction.text, nullptr));
    machine_lines_.push_back(instruction.lines);
  }
}

void CodePage::mark(const CodePageContent& content) {
  // The places of a frame before may be rows that are gone.
  if (hovered_ && hovered_->row >= column_of(hovered_->column).rows.size()) hovered_.reset();
  const bool on_source = hovered_ && hovered_->column == Column::source;
  std::set<int> lines;
  if (on_source)
    lines = {static_cast<int>(hovered_->row) + 1};
  else if (hovered_)
    lines = (hovered_->column == Column::ptx ? ptx_lines_ : machine_lines_)[hovered_->row];
  else if (content.instruction < ptx_lines_.size())
    lines = ptx_lines_[content.instruction];
  const auto mark_rows = [&](Column column, const auto& belongs) {
    Listing& listing = column_of(column);
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < listing.rows.size(); ++i) {
      listing.rows[i].marked = belongs(i);
      if (listing.rows[i].marked && !first) first = i;
    }
    // What is under the mouse stays there.
    if (first && (!hovered_ || hovered_->column != column)) listing.reveal(*first);
  };
  mark_rows(Column::source, [&](std::size_t i) { return lines.contains(static_cast<int>(i) + 1); });
  // Where code is inlined, the instructions of one place are marked, and not all of the line that calls it.
  const auto belongs = [&](const std::set<int>& own) { return on_source ? intersects(own, lines) : own == lines; };
  mark_rows(Column::ptx, [&](std::size_t i) { return !lines.empty() && belongs(ptx_lines_[i]); });
  mark_rows(Column::machine, [&](std::size_t i) { return !lines.empty() && belongs(machine_lines_[i]); });
  if (!hovered_ && content.instruction < ptx_lines_.size()) column_of(Column::ptx).reveal(content.instruction);
  sentence_ = lines.empty() ? "" : line_text(*lines.rbegin());
}

std::string CodePage::line_text(int line) const {
  const std::string name = "line " + std::to_string(line);
  const auto found = counts_.find(line);
  if (found == counts_.end()) return name + ": no instructions";
  const warp::Counts& counts = found->second;
  std::string text = name + ": " + std::to_string(marked(Column::ptx)) + " of PTX";
  if (machine_ != nullptr && !machine_->instructions.empty())
    text += ", " + std::to_string(marked(Column::machine)) + " of SASS";
  const auto add = [&](double value, const char* what) {
    if (value > 0) text += ", " + figure_text(value) + " " + what;
  };
  add(static_cast<double>(counts.warp_instructions), "warp instructions (modelled)");
  add(counts.active_lanes(), "active lanes");
  add(static_cast<double>(counts.global_load_sectors), "load sectors");
  add(static_cast<double>(counts.global_store_sectors), "store sectors");
  add(static_cast<double>(counts.shared_load_wavefronts + counts.shared_store_wavefronts), "shared wavefronts");
  add(static_cast<double>(counts.shared_load_conflicts + counts.shared_store_conflicts), "conflicts");
  add(static_cast<double>(counts.divergent_branches), "divergent branches");
  add(static_cast<double>(counts.atomics), "atomics");
  return text;
}

void CodePage::draw(ViewCanvas& canvas, const ViewBox& box, float unit, const CodePageContent& content) {
  list(content);
  mark(content);
  const float character = mono_font()->CalcTextSizeA(unit * 0.92f, 1e9f, 0, "0").x;
  const float characters = box.width() / character;
  const bool has_machine = machine_ != nullptr && !machine_->instructions.empty();
  const bool two = characters >= source_characters + instruction_characters;
  const bool three = has_machine && characters >= source_characters + 2 * instruction_characters;
  std::string below = sentence_;
  if (machine_ == nullptr) below += (below.empty() ? "" : "   ") + std::string("Machine code is being made.");
  if (machine_ != nullptr && !has_machine) below += (below.empty() ? "" : "   ") + machine_->why_none;
  if (has_machine && !three) below += (below.empty() ? "" : "   ") + std::string("A wider view shows SASS.");
  const float foot = 2.8f * unit, gap = unit;
  const float bottom = std::max(box.low.y, box.high.y - foot);
  hide();
  shown_ = three ? 3 : 2;
  const auto draw_column = [&](Column column, const ViewBox& place) {
    column_of(column).draw(canvas, place, unit, figure_);
  };
  if (two) {
    const float source = box.width() * (three ? 0.42f : 0.55f);
    draw_column(Column::source, {box.low, {box.low.x + source - gap, bottom}});
    const float ptx = three ? (box.width() - source) * 0.5f : box.width() - source;
    draw_column(Column::ptx, {{box.low.x + source, box.low.y}, {box.low.x + source + ptx - gap, bottom}});
    if (three) draw_column(Column::machine, {{box.low.x + source + ptx, box.low.y}, {box.high.x, bottom}});
  } else {
    const float middle = box.low.y + (bottom - box.low.y) * 0.6f;
    draw_column(Column::source, {box.low, {box.high.x, middle}});
    draw_column(Column::ptx, {{box.low.x, middle + 0.4f * unit}, {box.high.x, bottom}});
  }
  // A long sentence takes two lines of small text instead of being shrunk.
  canvas.list().PushClipRect({box.low.x, bottom}, box.high, true);
  ImFont* const font = ImGui::GetFont();
  canvas.list().AddText(font, unit * 0.92f, {box.low.x, bottom + 0.3f * unit}, muted_ink(), below.data(),
                        below.data() + below.size(), box.width());
  canvas.list().PopClipRect();
}

void CodePage::hover(std::optional<ImVec2> mouse) {
  hovered_ = mouse ? place_at(*mouse) : std::nullopt;
}

void CodePage::scroll(ImVec2 mouse, int rows_down) {
  for (Listing& listing : columns_)
    if (listing.is_at(mouse)) listing.scroll(rows_down);
}

std::optional<CodePage::Place> CodePage::place_at(ImVec2 mouse) const {
  for (const Column column : {Column::source, Column::ptx, Column::machine})
    if (const auto row = column_of(column).row_at(mouse)) return Place{.column = column, .row = *row};
  return {};
}

std::size_t CodePage::marked(Column column) const {
  return static_cast<std::size_t>(std::ranges::count_if(column_of(column).rows, &Listing::Row::marked));
}

void CodePage::hide() {
  for (Listing& listing : columns_)
    listing.hide();
  shown_ = 0;
}

}  // namespace threadscape::app
