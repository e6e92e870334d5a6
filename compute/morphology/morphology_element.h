#pragma once
// Structuring elements: which pixels around the origin belong to them, and with which grey levels.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "compute/core/data.h"

namespace threadscape::morphology {

enum class Form : int { rect, cross, ellipse, disc, diamond, line, file };
inline constexpr int largest_size = 255;

/// A small picture with an origin, row by row.
struct StructuringElement {
  int width = 0, height = 0;
  int origin_x = 0, origin_y = 0;
  std::vector<std::uint8_t> part;        ///< 1 where the pixel belongs to the element
  std::vector<std::uint8_t> background;  ///< 1 where hit-or-miss wants background
  std::vector<float> levels;             ///< grey levels of a non-flat element, 0..255; empty when it is flat

  [[nodiscard]] std::size_t index(int x, int y) const { return static_cast<std::size_t>(y * width + x); }
  /// 8-bit grey: the element in white (grey levels when it is not flat), background in black, the rest in mid-grey.
  [[nodiscard]] HostArray picture() const;
};

/// One pixel of an element, relative to its origin.
struct Term {
  int dx, dy;
  float level;
};
/// Neighbouring pixels of one row of an element: dx..dx + length - 1.
struct Chord {
  int dy, dx, length;
};

/// The pixels that an erosion or a dilation looks at: result(x, y) is the extreme of the input at (x + dx, y + dy) over
/// all terms. For a dilation the element has been reflected through its origin.
struct Window {
  int left = 0, top = 0, width = 0, height = 0;  ///< the smallest box around it, relative to the origin
  bool rect = false;                             ///< flat, and the whole box
  bool flat = true;
  std::vector<Term> terms;    ///< by rows; empty for rectangles
  std::vector<Chord> chords;  ///< by rows; empty for rectangles and for elements that are not flat

  [[nodiscard]] int right() const { return left + width - 1; }
  [[nodiscard]] int bottom() const { return top + height - 1; }
};

/// The set of a built-in form, all levels as `peak` asks: see Morphology::Params.
[[nodiscard]] StructuringElement make_element(Form form, int width, int height, int origin_x, int origin_y,
                                              float angle);
/// An element from a picture of at most 255 x 255 pixels, by its luma: white (128 and more) belongs to it. For
/// hit-or-miss white (192 and more) must be foreground, black (below 64) background, grey is either. A non-flat element
/// consists of all pixels but the black (0) ones; their value is their grey level. Throws EnvironmentError for files
/// that cannot be read and UsageError for pictures that are too large.
[[nodiscard]] StructuringElement load_element(const std::filesystem::path& path, int origin_x, int origin_y, bool flat,
                                              bool hit_or_miss);
/// Gives an element levels: a dome over its box, `peak` in the middle, 0 in the corners of the box.
void make_dome(StructuringElement& element, float peak);

/// Of the pixels that `chosen` marks (StructuringElement::part or background). Without any, its box is 0 x 0.
[[nodiscard]] Window make_window(const StructuringElement& element, const std::vector<std::uint8_t>& chosen,
                                 bool reflected);
[[nodiscard]] Window rect_window(int left, int top, int width, int height);

}  // namespace threadscape::morphology
