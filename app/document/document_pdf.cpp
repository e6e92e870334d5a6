#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string_view>

#include "app/document/byte_picture.h"
#include "app/document/document.h"
#include "app/document/html.h"
#include "app/document/pdf_file.h"

namespace threadscape::app {

namespace {

constexpr double margin = 45.0, line_height = 1.35;
constexpr double text_room = PdfFile::page_width - 2 * margin;
constexpr unsigned soft_colour = 0xf2f4f7, rule_colour = 0xb6bec9, quiet_colour = 0x5a6270;

/// The lines into which letters break at their spaces, and words that are longer than a line between letters.
std::vector<std::string> lines_within(std::string_view letters, PdfFont font, double size, double width) {
  std::vector<std::string> lines;
  std::string line;
  const auto end_line = [&] {
    lines.push_back(line);
    line.clear();
  };
  while (!letters.empty()) {
    const std::size_t end = std::min(letters.find(' '), letters.size());
    std::string word(letters.substr(0, end));
    letters.remove_prefix(std::min(end + 1, letters.size()));
    if (!line.empty() && pdf_width(line + " " + word, font, size) > width) end_line();
    while (pdf_width(word, font, size) > width && word.size() > 1) {
      std::size_t fits = 1;
      while (fits < word.size() && pdf_width(word.substr(0, fits + 1), font, size) <= width)
        ++fits;
      line = word.substr(0, fits);
      word.erase(0, fits);
      end_line();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty() || lines.empty()) end_line();
  return lines;
}

/// The columns of a table: their widths, and the size of the type.
struct TableForm {
  std::vector<double> widths;
  double size = 8.0;
};
constexpr double cell_padding = 3.0;

double longest_word(std::string_view letters, PdfFont font) {
  double longest = 0.0;
  while (!letters.empty()) {
    const std::size_t end = std::min(letters.find(' '), letters.size());
    longest = std::max(longest, pdf_width(letters.substr(0, end), font, 1.0));
    letters.remove_prefix(std::min(end + 1, letters.size()));
  }
  return longest;
}

/// The layout with the largest type with which the table fits on a page: the type becomes smaller, and then columns
/// become narrower whose lines can break between words, and after them those whose words have to.
TableForm form_of(const std::vector<std::vector<std::string>>& rows) {
  constexpr double largest = 8.0, smallest = 5.5, narrowest = 30.0;
  const std::size_t columns = rows.front().size();
  TableForm form{.widths = std::vector<double>(columns, 0.0), .size = largest};
  std::vector<double> words(columns, 0.0);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size() && i < columns; ++i) {
      const PdfFont font = &row == &rows.front() ? PdfFont::bold : PdfFont::regular;
      form.widths[i] = std::max(form.widths[i], pdf_width(row[i], font, 1.0));
      words[i] = std::max(words[i], longest_word(row[i], font));
    }
  const double natural = std::accumulate(form.widths.begin(), form.widths.end(), 0.0);
  const double paddings = 2 * cell_padding * static_cast<double>(columns);
  if (natural > 0.0) form.size = std::clamp((text_room - paddings) / natural, smallest, largest);
  for (std::size_t i = 0; i < columns; ++i) {
    form.widths[i] = form.widths[i] * form.size + 2 * cell_padding;
    words[i] = words[i] * form.size + 2 * cell_padding;
  }
  for (;;) {
    const double over = std::accumulate(form.widths.begin(), form.widths.end(), -text_room);
    if (over <= 0.01) return form;
    std::size_t chosen = 0;
    for (std::size_t i = 1; i < columns; ++i)
      if (form.widths[i] - words[i] > form.widths[chosen] - words[chosen]) chosen = i;
    const double spare = form.widths[chosen] - words[chosen];
    if (spare > 0.01) {
      form.widths[chosen] -= std::min({over, spare, std::max(spare * 0.2, 1.0)});
      continue;
    }
    const auto widest = std::ranges::max_element(form.widths);
    if (*widest <= narrowest) return form;
    *widest = std::max(*widest - std::min(over, *widest * 0.1), narrowest);
  }
}

/// Places the blocks of a document on pages, one below the other.
class PdfLayout {
 public:
  explicit PdfLayout(const Document& document) : document_(document) { next_page(); }

  std::string draw() {
    lines(document_.title, PdfFont::bold, 18.0);
    lines(document_.summary, PdfFont::regular, 10.0);
    for (std::size_t i = 0; i < document_.blocks.size(); ++i) {
      if (std::holds_alternative<DocumentHeading>(document_.blocks[i])) reserve(room_with_next(i));
      std::visit([this](const auto& one) { add(one); }, document_.blocks[i]);
    }
    return file_.finish(document_.title);
  }

 private:
  static constexpr double bottom = PdfFile::page_height - margin;

  void next_page() {
    file_.begin_page();
    const std::string number = std::to_string(file_.pages());
    const PdfText small{.size = 8.0, .colour = quiet_colour};
    file_.text(margin, bottom + 20.0, pdf_letters(document_.title), small);
    file_.text(margin + text_room - pdf_width(number, PdfFont::regular, small.size), bottom + 20.0, number, small);
    y_ = margin;
  }
  /// Begins a new page unless this one has so much room.
  void reserve(double height) {
    if (y_ + height > bottom && y_ > margin) next_page();
  }
  void lines(std::string_view text, PdfFont font, double size, double indent = 0.0) {
    for (const std::string& line : lines_within(pdf_letters(text), font, size, text_room - indent)) {
      reserve(size * line_height);
      y_ += size * line_height;
      file_.text(margin + indent, y_ - 0.3 * size, line, {.font = font, .size = size});
    }
    y_ += 0.4 * size;
  }

  /// The height of a heading with what has to be on its page: the figure that follows, or some lines.
  [[nodiscard]] double room_with_next(std::size_t heading) const {
    constexpr double lines = 90.0, figure = 380.0;
    if (heading + 1 == document_.blocks.size()) return lines;
    const DocumentBlock& next = document_.blocks[heading + 1];
    const bool is_figure = std::holds_alternative<DocumentChart>(next) || std::holds_alternative<DocumentPicture>(next);
    return is_figure ? figure : lines;
  }
  void add(const DocumentHeading& heading) {
    y_ += 10.0;
    lines(heading.text, PdfFont::bold, 13.0);
  }
  void add(const DocumentText& text) { lines(text.text, PdfFont::regular, 10.0); }
  void add(const DocumentList& list) {
    constexpr double indent = 12.0, size = 10.0;
    for (const std::string& item : list.items) {
      reserve(size * line_height);
      file_.text(margin + 3.0, y_ + size * (line_height - 0.3), pdf_letters("\u2022"), {.size = size});
      lines(item, PdfFont::regular, size, indent);
    }
  }
  void add(const DocumentCommands& commands) {
    constexpr double size = 8.5, inset = 6.0;
    std::string_view text = commands.text;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      for (const std::string& line :
           lines_within(pdf_letters(text.substr(0, end)), PdfFont::code, size, text_room - 2 * inset)) {
        reserve(size * line_height);
        file_.rectangle(margin, y_, text_room, size * line_height, {.fill = soft_colour});
        y_ += size * line_height;
        file_.text(margin + inset, y_ - 0.35 * size, line, {.font = PdfFont::code, .size = size});
      }
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    y_ += size;
  }
  void add(const DocumentPicture& picture) {
    // A small picture has no more than 96 pixels per inch, and a large one the width of the text or half of a page.
    constexpr double per_pixel = 0.75, highest = 380.0;
    const HostArray bytes = byte_picture(picture.pixels.view());
    const auto width = static_cast<double>(bytes.shape().width), height = static_cast<double>(bytes.shape().height);
    const double scale = std::min({per_pixel, text_room / width, highest / height});
    reserve(height * scale + 30.0);
    file_.picture(margin, y_, width * scale, height * scale, bytes.view());
    y_ += height * scale + 4.0;
    caption(picture.caption);
  }
  void add(const DocumentChart& chart) {
    const Drawing drawing = draw_shapes(chart.chart);
    const double scale =
        std::min(text_room / (drawing.right - drawing.left), (bottom - margin - 40.0) / (drawing.bottom - drawing.top));
    reserve((drawing.bottom - drawing.top) * scale + 30.0);
    left_ = margin - drawing.left * scale;
    top_ = y_ - drawing.top * scale;
    scale_ = scale;
    for (const DrawnShape& shape : drawing.shapes)
      std::visit([this](const auto& one) { draw(one); }, shape);
    y_ += (drawing.bottom - drawing.top) * scale;
    caption(chart.caption);
  }
  void caption(std::string_view text) {
    lines(text, PdfFont::regular, 9.0);
    y_ += 8.0;
  }

  void add(const DocumentTable& table) {
    if (table.rows.empty() || table.rows.front().empty()) return;
    lines(table.caption, PdfFont::regular, 9.0);
    std::vector<std::vector<std::string>> rows = table.rows;
    for (auto& row : rows)
      for (std::string& cell : row)
        cell = pdf_letters(cell);
    const TableForm form = form_of(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double height = height_of(rows[i], form, i == 0);
      if (y_ + height > bottom) {
        next_page();
        if (i > 0) add_row(rows.front(), form, true);
      }
      add_row(rows[i], form, i == 0);
    }
    y_ += 10.0;
  }
  static std::vector<std::string> lines_of_cell(const std::string& cell, const TableForm& form, std::size_t column,
                                                bool head) {
    return lines_within(cell, head ? PdfFont::bold : PdfFont::regular, form.size,
                        form.widths[column] - 2 * cell_padding + 0.01);
  }
  static double height_of(const std::vector<std::string>& row, const TableForm& form, bool head) {
    std::size_t most = 1;
    for (std::size_t i = 0; i < row.size() && i < form.widths.size(); ++i)
      most = std::max(most, lines_of_cell(row[i], form, i, head).size());
    return static_cast<double>(most) * form.size * line_height + 2.0;
  }
  void add_row(const std::vector<std::string>& row, const TableForm& form, bool head) {
    const double height = height_of(row, form, head);
    if (head)
      file_.rectangle(margin, y_, std::accumulate(form.widths.begin(), form.widths.end(), 0.0), height,
                      {.fill = soft_colour});
    double x = margin;
    for (std::size_t i = 0; i < row.size() && i < form.widths.size(); ++i) {
      const PdfFont font = head ? PdfFont::bold : PdfFont::regular;
      double y = y_;
      for (const std::string& line : lines_of_cell(row[i], form, i, head)) {
        y += form.size * line_height;
        const double right = x + form.widths[i] - cell_padding - pdf_width(line, font, form.size);
        file_.text(!head && is_number_cell(row[i]) ? right : x + cell_padding, y - 0.25 * form.size, line,
                   {.font = font, .size = form.size});
      }
      x += form.widths[i];
    }
    file_.path({{margin, y_ + height}, {x, y_ + height}}, {.stroke = rule_colour, .width = 0.5}, false);
    y_ += height;
  }

  // The shapes of a chart.
  [[nodiscard]] double at_x(double x) const { return left_ + x * scale_; }
  [[nodiscard]] double at_y(double y) const { return top_ + y * scale_; }
  [[nodiscard]] Ink scaled(Ink ink) const {
    ink.width *= scale_;
    return ink;
  }
  void draw(const DrawnLine& line) {
    std::vector<std::pair<double, double>> points;
    for (const auto& [x, y] : line.points)
      points.emplace_back(at_x(x), at_y(y));
    file_.path(points, scaled(line.ink), line.closed);
  }
  void draw(const DrawnRectangle& box) {
    file_.rectangle(at_x(box.x), at_y(box.y), box.width * scale_, box.height * scale_, scaled(box.ink));
  }
  void draw(const DrawnCircle& circle) {
    file_.circle(at_x(circle.x), at_y(circle.y), circle.radius * scale_, scaled(circle.ink));
  }
  void draw(const DrawnText& text) {
    const std::string letters = pdf_letters(text.text);
    const PdfText style{.font = text.style.bold ? PdfFont::bold : PdfFont::regular,
                        .size = text.style.size * scale_,
                        .degrees = text.style.degrees,
                        .colour = text.style.colour};
    const double before = text.style.anchor == TextAnchor::start    ? 0.0
                          : text.style.anchor == TextAnchor::middle ? 0.5
                                                                    : 1.0;
    const double back = before * pdf_width(letters, style.font, style.size);
    const double angle = style.degrees * std::numbers::pi / 180.0;
    file_.text(at_x(text.x) - back * std::cos(angle), at_y(text.y) - back * std::sin(angle), letters, style);
  }

  const Document& document_;
  PdfFile file_;
  double y_ = margin;                            ///< Where the next block begins.
  double left_ = 0.0, top_ = 0.0, scale_ = 1.0;  ///< Where a chart is, and points per unit of its drawing.
};

}  // namespace

std::string document_pdf(const Document& document) {
  return PdfLayout(document).draw();
}

}  // namespace threadscape::app
