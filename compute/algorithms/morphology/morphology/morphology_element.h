#pragma once
// Structuring elements: which pixels around the origin belong to them, and with which grey levels.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compute/registry/preview.h"

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

/// Without a pixel; an origin of -1 is the centre. Throws UsageError for origins outside.
[[nodiscard]] StructuringElement blank_element(int width, int height, int origin_x, int origin_y);
/// The set of a built-in form: see Morphology::Params.
[[nodiscard]] StructuringElement make_element(Form form, int width, int height, int origin_x, int origin_y,
                                              float angle);
/// An element from a picture of at most 255 x 255 pixels, by its luma: white (128 and more) belongs to it. For
/// hit-or-miss white (192 and more) must be foreground, black (below 64) background, grey is either. A non-flat element
/// consists of all pixels but the black (0) ones; their value is their grey level. Throws EnvironmentError for files
/// that cannot be read and UsageError for pictures that are too large.
[[nodiscard]] StructuringElement load_element(const std::filesystem::path& path, int origin_x, int origin_y, bool flat,
                                              bool hit_or_miss);

/// Elements that were painted are text, not files: "3x3:010/111/010". So a preset, the remembered settings, a step of a
/// chain or a --set is complete by itself: there is no file that could be lost, be overwritten while a run reads it, or
/// be missing on the next machine, and two pieces of work differ exactly where their parameters do.
///
/// Behind the size stands one character per pixel, row by row: 1 = part of the element, 0 = not (background for
/// hit-or-miss), x = not, and of no matter to hit-or-miss. Or two per pixel: the grey level in hexadecimal digits, -- =
/// not part of the element. Slashes are there for people.
inline constexpr int largest_painted = Preview::largest_painted;
/// Whether `text` begins like one; anything else is a path. (A file of such a name is ./3x3:...)
[[nodiscard]] bool is_painted(std::string_view text);
/// With levels if the text has some, with the centre as origin. Throws UsageError.
[[nodiscard]] StructuringElement parse_painted(std::string_view text);
[[nodiscard]] std::string painted_text(const StructuringElement& element);
/// The middle part, or with a border that is not part of the element; the centre stays the centre.
[[nodiscard]] StructuringElement resized(const StructuringElement& element, int width, int height);

/// Gives an element levels: a dome over its box, `peak` in the middle, 0 in the corners of the box.
void make_dome(StructuringElement& element, float peak);

/// Of the pixels that `chosen` marks (StructuringElement::part or background). Without any, its box is 0 x 0.
[[nodiscard]] Window make_window(const StructuringElement& element, const std::vector<std::uint8_t>& chosen,
                                 bool reflected);
[[nodiscard]] Window rect_window(int left, int top, int width, int height);

}  // namespace threadscape::morphology
