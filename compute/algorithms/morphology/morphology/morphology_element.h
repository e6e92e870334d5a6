#pragma once
// Structuring elements: the pixels around the origin that belong to them, and their grey levels.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compute/algorithms/morphology/morphology/morphology_math.h"

namespace threadscape::morphology {

enum class Form : int { rect, cross, ellipse, disc, midpoint_disc, diamond, line, file };
inline constexpr int max_element_size = 255;

/// A small picture with an origin. All vectors are row by row.
struct StructuringElement {
  int width = 0, height = 0;
  int origin_x = 0, origin_y = 0;
  std::vector<std::uint8_t> part;        ///< 1 where the pixel belongs to the element.
  std::vector<std::uint8_t> background;  ///< 1 where hit-or-miss requires background.
  std::vector<float> levels;             ///< Grey levels of a non-flat element, 0..255; empty for a flat one.

  [[nodiscard]] std::size_t index(int x, int y) const { return static_cast<std::size_t>(y * width + x); }
};

/// One pixel of an element, relative to its origin, with its grey level, which an erosion subtracts and a dilation
/// adds.
struct Term {
  int dx, dy;
  float level;
};
/// Consecutive pixels dx..dx + length - 1 of one row of an element, relative to its origin.
struct Chord {
  int dy, dx, length;
};

/// The pixels that an erosion or a dilation reads: result(x, y) is the minimum or maximum of the input at (x + dx, y +
/// dy) over all terms. For a dilation the element has been reflected through its origin.
struct Window {
  int left = 0, top = 0, width = 0, height = 0;  ///< The bounding box, relative to the origin.
  bool rect = false;                             ///< Flat, and all of the bounding box.
  bool flat = true;
  std::vector<Term> terms;    ///< By rows; empty for rectangles.
  std::vector<Chord> chords;  ///< By rows; empty for rectangles and for elements that are not flat.

  [[nodiscard]] int right() const { return left + width - 1; }
  [[nodiscard]] int bottom() const { return top + height - 1; }
};

/// An element without any pixel. An origin of -1 is the centre. Throws UsageError for origins outside.
[[nodiscard]] StructuringElement blank_element(int width, int height, int origin_x, int origin_y);
/// An element of a built-in form, see Morphology::Params.
[[nodiscard]] StructuringElement make_element(Form form, int width, int height, int origin_x, int origin_y,
                                              float angle);
/// Reads an element from a picture of at most 255 x 255 pixels, by its luma. White (128 and more) belongs to it. For
/// hit-or-miss white (192 and more) must be foreground, black (below 64) must be background, and grey can be either. A
/// non-flat element consists of all pixels except black (0) ones, with their value as grey level. Throws
/// EnvironmentError for files that cannot be read and UsageError for pictures that are too large.
[[nodiscard]] StructuringElement load_element(const std::filesystem::path& path, int origin_x, int origin_y, bool flat,
                                              bool hit_or_miss);

/// Painted elements are text, not files: "3x3:010/111/010". So a preset, the stored settings, a step of a chain or a
/// --set is complete by itself: there is no file that could be lost, be overwritten while a run reads it, or be missing
/// on another machine, and two runs differ exactly where their parameters do.
///
/// After the size comes one character per pixel, row by row: 1 = part of the element, 0 = not part (background for
/// hit-or-miss), x = not part, and ignored by hit-or-miss. Or two characters per pixel: the grey level in hexadecimal
/// digits, -- = not part of the element. Slashes are for readability and have no meaning.
inline constexpr int max_painted = 64;
/// Returns whether `text` begins like a painted element; anything else is a path. A file with such a name can be given
/// as ./3x3:...
[[nodiscard]] bool is_painted(std::string_view text);
/// Parses a painted element, with grey levels if the text has them and the centre as origin. Throws UsageError.
[[nodiscard]] StructuringElement parse_painted(std::string_view text);
[[nodiscard]] std::string painted_text(const StructuringElement& element);
/// The middle part of an element, or the element with pixels around it that are not part of it. The centre stays the
/// centre.
[[nodiscard]] StructuringElement resized(const StructuringElement& element, int width, int height);

/// Sets grey levels: a dome over the bounding box, `peak` in the middle and 0 in the corners.
void make_dome(StructuringElement& element, float peak);

/// The element of an erosion, whose grey levels are negated if it adds them.
[[nodiscard]] StructuringElement for_erosion(StructuringElement element, ErosionSign sign);
/// The window of the pixels that `chosen` marks (StructuringElement::part or background). Without any pixel its box is
/// 0 x 0.
[[nodiscard]] Window make_window(const StructuringElement& element, const std::vector<std::uint8_t>& chosen,
                                 bool reflected);
[[nodiscard]] Window rect_window(int left, int top, int width, int height);
/// The pixels of any window, including rectangles.
[[nodiscard]] std::vector<Term> all_terms(const Window& window);

}  // namespace threadscape::morphology
