#include "app/scenes/microscope/listing.h"

#include <algorithm>
#include <cmath>

#include "app/scenes/microscope/line_figure.h"
#include "app/ui/theme.h"

namespace threadscape::app {

void Listing::scroll(int rows_down) {
  const auto first = static_cast<std::ptrdiff_t>(first_) + rows_down;
  first_ = static_cast<std::size_t>(std::max<std::ptrdiff_t>(first, 0));
}

void Listing::draw(ViewCanvas& canvas, const ViewBox& box, float unit, LineFigure figure) {
  // Glyphs of a broken size lose their thinnest lines.
  const float size = std::round(unit * 0.92f);
  box_ = box;
  row_height_ = std::round(unit * 1.32f);
  canvas.text({box.low.x, box.low.y + unit * 0.5f}, title, size, muted_ink(), Align::left, box.width());
  top_ = box.low.y + 1.4f * unit;
  const auto room = static_cast<std::size_t>(std::max(1.0f, (box.high.y - top_) / row_height_));
  if (revealed_ && (*revealed_ < first_ || *revealed_ >= first_ + room)) centred_ = revealed_;
  if (centred_) first_ = *centred_ > room * 2 / 5 ? *centred_ - room * 2 / 5 : 0;
  centred_.reset();
  revealed_.reset();
  if (first_ + room > rows.size()) first_ = rows.size() > room ? rows.size() - room : 0;
  drawn_ = std::min(room, rows.size() - first_);
  ImFont* const mono = mono_font();
  const auto width = [&](const std::string& text) {
    return mono->CalcTextSizeA(size, 1e9f, 0, text.data(), text.data() + text.size()).x;
  };
  const float digit = width("0");
  const float numbers = digit * static_cast<float>(std::to_string(first_ + drawn_).size());
  const float figures = has_figures ? digit * 8 : 0.0f;
  const float text_at = box.low.x + figures + numbers + 3 * digit;
  // Lines of a function begin with blanks that all of them have.
  std::size_t blanks = std::string::npos;
  double most = 0;
  for (std::size_t i = first_; i < first_ + drawn_; ++i)
    if (const std::size_t at = rows[i].text.find_first_not_of(' '); at != std::string::npos)
      blanks = std::min(blanks, at);
  for (const Row& row : rows)
    most = std::max(most, row.figure);
  const bool missing_is_hot = figure == LineFigure::lanes;
  canvas.list().PushClipRect(box.low, box.high, true);
  for (std::size_t i = first_; i < first_ + drawn_; ++i) {
    const Row& row = rows[i];
    const float top = top_ + static_cast<float>(i - first_) * row_height_;
    const auto write = [&](float x, const std::string& text, ImU32 colour) {
      canvas.list().AddText(mono, size, {x, top + (row_height_ - size) / 2}, colour, text.data(),
                            text.data() + text.size());
    };
    if (row.marked)
      canvas.list().AddRectFilled({box.low.x, top}, {box.high.x, top + row_height_}, faint_ink(), 0.2f * unit);
    if (row.counted && row.figure > 0) {
      const double share = missing_is_hot ? 1 - row.figure / 32 : row.figure / std::max(most, 1e-9);
      canvas.list().AddRectFilled({box.low.x, top + 1}, {box.low.x + figures, top + row_height_ - 1}, heat(share),
                                  0.2f * unit);
    }
    // Lines that do nothing of the kind have no figure, so that the others are seen.
    if (has_figures && row.counted && (row.figure > 0 || figure == LineFigure::instructions)) {
      const std::string text = figure_text(row.figure);
      write(box.low.x + figures - width(text) - digit * 0.5f, text, ink());
    }
    const std::string number = std::to_string(row.number);
    write(box.low.x + figures + numbers + digit - width(number), number, muted_ink());
    if (row.text.size() > blanks)
      write(text_at, row.text.substr(blanks), row.marked || row.counted ? ink() : muted_ink());
  }
  canvas.list().PopClipRect();
}

std::optional<std::size_t> Listing::row_at(ImVec2 at) const {
  if (drawn_ == 0 || !box_.contains(at) || at.y < top_ || row_height_ <= 0) return {};
  const auto row = static_cast<std::size_t>((at.y - top_) / row_height_);
  if (row >= drawn_) return {};
  return first_ + row;
}

}  // namespace threadscape::app
