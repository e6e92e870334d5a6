#pragma once
// Writes PDF 1.4: pages with texts in the fonts that every reader has, shapes and pictures.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/measure/chart_drawing.h"
#include "compute/core/data_view.h"

namespace threadscape::app {

enum class PdfFont : std::uint8_t { regular, bold, code };

/// The text in the letters of the fonts, which are those of Windows-1252; others become similar ones, or "?".
[[nodiscard]] std::string pdf_letters(std::string_view text);
/// The width of a text of such letters in points. That of bold letters is an upper bound.
[[nodiscard]] double pdf_width(std::string_view letters, PdfFont font, double size);

/// How a text is set. Colours are 0xRRGGBB.
struct PdfText {
  PdfFont font = PdfFont::regular;
  double size = 10.0;
  double degrees = 0.0;  ///< Clockwise around the beginning of the baseline.
  unsigned colour = 0x202530;
};

/// Lengths are in points, from the upper left corner of the page.
class PdfFile {
 public:
  static constexpr double page_width = 595.0, page_height = 842.0;  ///< A4.

  /// What is drawn from now on is on a new page.
  void begin_page() { pages_.emplace_back(); }
  [[nodiscard]] std::size_t pages() const { return pages_.size(); }

  /// `letters` are those of pdf_letters(), and (x, y) is the beginning of their baseline.
  void text(double x, double y, std::string_view letters, const PdfText& style);
  void path(const std::vector<std::pair<double, double>>& points, const Ink& ink, bool closed);
  void rectangle(double x, double y, double width, double height, const Ink& ink);
  void circle(double x, double y, double radius, const Ink& ink);
  /// A picture of bytes with 1 channel, or with 4, of which the last one is opacity over white.
  void picture(double x, double y, double width, double height, HostIn pixels);

  /// The bytes of the file.
  [[nodiscard]] std::string finish(std::string_view title) const;

 private:
  /// Sets the colours of what follows, and returns the operator that paints it.
  std::string begin(const Ink& ink, bool closed);

  std::vector<std::string> pages_;     ///< The operators of each page.
  std::vector<std::string> pictures_;  ///< Dictionaries and data.
};

}  // namespace threadscape::app
