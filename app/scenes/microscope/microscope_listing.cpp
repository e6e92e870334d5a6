// The listing of the microscope: lines of the source, or instructions in PTX, with their counts.

#include <algorithm>
#include <cmath>
#include <map>

#include "app/scenes/microscope/line_figure.h"
#include "app/scenes/microscope/microscope_scene.h"
#include "app/ui/widgets.h"
#include "compute/warp/ptx_text.h"

namespace threadscape::app {

void MicroscopeScene::list_rows() {
  rows_.clear();
  most_ = 0;
  const warp::Module& module = stepper_->launch().module();
  const warp::LaunchResult& launch = kernel()->study.launch;
  const auto file = static_cast<std::size_t>(place_.file);
  const std::vector<std::string>* source = nullptr;
  if (show_ == MicroscopeShow::source && file > 0 && file < module.files.size())
    source = &sources_.of(module.files[file]);
  const auto count = [this](Row& row, const warp::Counts& counts) {
    row.figure = figure_of(view_.as<MicroscopeView>().figure, counts);
    row.counted = counts.ptx_instructions > 0;
    most_ = std::max(most_, row.figure);
  };
  if (source != nullptr && !source->empty()) {
    const std::string& name = module.files[file];
    listed_ = name.substr(name.rfind('/') + 1);
    current_ = place_.line;
    for (std::size_t i = 0; i < source->size(); ++i)
      rows_.push_back({.number = static_cast<int>(i) + 1, .text = (*source)[i]});
    for (const warp::LineCounts& line : launch.lines)
      if (line.file == static_cast<int>(file) && line.line >= 1 && line.line <= static_cast<int>(rows_.size()))
        count(rows_[static_cast<std::size_t>(line.line) - 1], line.counts);
    return;
  }
  const warp::Function& function = *step_->function;
  listed_ = "PTX";
  current_ = static_cast<int>(step_->instruction) + 1;
  const bool is_kernel = function.name == stepper_->launch().kernel();
  for (std::size_t i = 0; i < function.instructions.size(); ++i) {
    Row& row = rows_.emplace_back();
    row.number = static_cast<int>(i) + 1;
    row.text = warp::text_of(module, function, function.instructions[i]);
    if (is_kernel && i < launch.instructions.size()) count(row, launch.instructions[i]);
  }
}

void MicroscopeScene::draw_listing(ViewCanvas& canvas, const Box& box, float unit) {
  const float size = unit * 0.92f;
  row_height_ = std::round(unit * 1.32f);
  canvas.text({box.low.x, box.low.y + unit * 0.5f}, listed_, size, muted_ink());
  rows_top_ = box.low.y + 1.4f * unit;
  const auto room = static_cast<std::size_t>(std::max(1.0f, (box.high.y - rows_top_) / row_height_));
  // The shown instruction stays in the upper half, and at the ends of the listing nothing is empty.
  const auto before = static_cast<std::size_t>(std::max(0, current_ - 1));
  first_row_ = before > room * 2 / 5 ? before - room * 2 / 5 : 0;
  if (first_row_ + room > rows_.size()) first_row_ = rows_.size() > room ? rows_.size() - room : 0;
  rows_drawn_ = std::min(room, rows_.size() - first_row_);
  rows_right_ = box.high.x;
  ImFont* const mono = mono_font();
  const auto width = [&](const std::string& text) {
    return mono->CalcTextSizeA(size, 1e9f, 0, text.data(), text.data() + text.size()).x;
  };
  const float digit = width("0");
  const float numbers = digit * static_cast<float>(std::to_string(first_row_ + rows_drawn_).size());
  const float figures = digit * 8;
  const float text_at = box.low.x + figures + numbers + 3 * digit;
  // Lines of a function begin with blanks that all of them have.
  std::size_t blanks = std::string::npos;
  for (std::size_t i = first_row_; i < first_row_ + rows_drawn_; ++i)
    if (const std::size_t at = rows_[i].text.find_first_not_of(' '); at != std::string::npos)
      blanks = std::min(blanks, at);
  const bool missing_is_hot = view_.as<MicroscopeView>().figure == LineFigure::lanes;
  canvas.list().PushClipRect(box.low, box.high, true);
  for (std::size_t i = first_row_; i < first_row_ + rows_drawn_; ++i) {
    const Row& row = rows_[i];
    const float top = rows_top_ + static_cast<float>(i - first_row_) * row_height_;
    const auto write = [&](float x, const std::string& text, ImU32 colour) {
      canvas.list().AddText(mono, size, {x, top + (row_height_ - size) / 2}, colour, text.data(),
                            text.data() + text.size());
    };
    if (row.number == current_)
      canvas.list().AddRectFilled({box.low.x, top}, {box.high.x, top + row_height_}, faint_ink(), 0.2f * unit);
    if (row.counted && row.figure > 0) {
      const double share = missing_is_hot ? 1 - row.figure / 32 : row.figure / std::max(most_, 1e-9);
      canvas.list().AddRectFilled({box.low.x, top + 1}, {box.low.x + figures, top + row_height_ - 1}, heat(share),
                                  0.2f * unit);
    }
    // Lines that do nothing of the kind have no figure, so that the others are seen.
    if (row.counted && (row.figure > 0 || view_.as<MicroscopeView>().figure == LineFigure::instructions)) {
      const std::string text = figure_text(row.figure);
      write(box.low.x + figures - width(text) - digit * 0.5f, text, ink());
    }
    const std::string number = std::to_string(row.number);
    write(box.low.x + figures + numbers + digit - width(number), number, muted_ink());
    if (row.text.size() > blanks)
      write(text_at, row.text.substr(blanks), row.number == current_ || row.counted ? ink() : muted_ink());
  }
  canvas.list().PopClipRect();
}

int MicroscopeScene::row_at(float y) const {
  if (rows_drawn_ == 0 || y < rows_top_ || row_height_ <= 0) return 0;
  const auto row = static_cast<std::size_t>((y - rows_top_) / row_height_);
  return row < rows_drawn_ ? rows_[first_row_ + row].number : 0;
}

}  // namespace threadscape::app
