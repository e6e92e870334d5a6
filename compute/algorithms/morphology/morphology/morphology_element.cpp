// Structuring elements of the built-in forms, and the windows of erosions and dilations.

#include "compute/algorithms/morphology/morphology/morphology_element.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "compute/core/border.h"
#include "compute/core/errors.h"

namespace threadscape::morphology {

namespace {

/// Distance from the centre of `size` pixels, and the half-width, both in half pixels so that they are integers for
/// even sizes as well: size 2r + 1 has half-width r around the middle pixel, size 2r has half-width r around the centre
/// of the box.
int twice_centre_distance(int i, int size) {
  return 2 * i - (size - 1);
}
int half_width(int size) {
  return size % 2 == 1 ? size - 1 : size;
}

bool in_disc(int x, int y, int width, int height) {
  const std::int64_t dx = twice_centre_distance(x, width), dy = twice_centre_distance(y, height);
  const std::int64_t rx = half_width(width), ry = half_width(height);
  return dx * dx * ry * ry + dy * dy * rx * rx <= rx * rx * ry * ry;
}

/// The filled circle that the midpoint algorithm draws: dx^2 + dy^2 < r (r + 1) for the side 2 r + 1. So 3 pixels a
/// side are a cross, and 5 a square without its corners. In half pixels, r (r + 1) is side^2 - 1, for even sides as
/// well.
bool in_midpoint_disc(int x, int y, int width, int height) {
  if (width == 1 || height == 1) return true;
  const std::int64_t dx = twice_centre_distance(x, width), dy = twice_centre_distance(y, height);
  const std::int64_t across = std::int64_t{width} * width - 1, down = std::int64_t{height} * height - 1;
  return dx * dx * down + dy * dy * across < across * down;
}

bool in_diamond(int x, int y, int width, int height) {
  const int rx = half_width(width), ry = half_width(height);
  return std::abs(twice_centre_distance(x, width)) * ry + std::abs(twice_centre_distance(y, height)) * rx <= rx * ry;
}

/// The rows of the ellipse of OpenCV's getStructuringElement(), with its rounding to even.
bool in_ellipse(int x, int y, int width, int height) {
  if (width == 1 && height == 1) return true;
  const int c = width / 2, r = height / 2, dy = y - r;
  if (std::abs(dy) > r) return false;
  const double inverse = r > 0 ? 1.0 / (static_cast<double>(r) * r) : 0.0;
  const int dx = static_cast<int>(std::nearbyint(c * std::sqrt((r * r - dy * dy) * inverse)));
  return x >= c - dx && x <= c + dx;
}

/// Draws one pixel in each column of the box, or in each row where the line is steep: the pixel nearest to the line
/// through (width / 2, height / 2). Ties are rounded away from the centre.
void draw_line(StructuringElement& element, float angle) {
  const double radians = angle * std::numbers::pi / 180.0;
  const double across = std::cos(radians), up = std::sin(radians);
  const bool steep = std::abs(up) > std::abs(across);
  const double slope = steep ? -across / up : -up / across;  // Rows count downwards.
  const int middle_x = element.width / 2, middle_y = element.height / 2;
  for (int i = 0; i < (steep ? element.height : element.width); ++i) {
    const int along = i - (steep ? middle_y : middle_x), beside = static_cast<int>(std::lround(along * slope));
    const int x = steep ? middle_x + beside : i, y = steep ? i : middle_y + beside;
    if (x >= 0 && y >= 0 && x < element.width && y < element.height) element.part[element.index(x, y)] = 1;
  }
}

}  // namespace

StructuringElement blank_element(int width, int height, int origin_x, int origin_y) {
  StructuringElement element;
  element.width = width;
  element.height = height;
  element.origin_x = origin_x < 0 ? width / 2 : origin_x;
  element.origin_y = origin_y < 0 ? height / 2 : origin_y;
  if (element.origin_x >= width || element.origin_y >= height)
    throw UsageError("morphology: the origin (" + std::to_string(element.origin_x) + ", " +
                     std::to_string(element.origin_y) + ") lies outside the element of " + std::to_string(width) + "x" +
                     std::to_string(height) + " pixels; -1 is its centre");
  element.part.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0);
  return element;
}

StructuringElement make_element(Form form, int width, int height, int origin_x, int origin_y, float angle) {
  StructuringElement element = blank_element(width, height, origin_x, origin_y);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      bool inside = true;
      switch (form) {
        case Form::cross:
          inside = x == element.origin_x || y == element.origin_y;
          break;
        case Form::ellipse:
          inside = in_ellipse(x, y, width, height);
          break;
        case Form::disc:
          inside = in_disc(x, y, width, height);
          break;
        case Form::midpoint_disc:
          inside = in_midpoint_disc(x, y, width, height);
          break;
        case Form::diamond:
          inside = in_diamond(x, y, width, height);
          break;
        case Form::line:
          inside = false;
          break;
        default:
          break;
      }
      element.part[element.index(x, y)] = inside;
    }
  if (form == Form::line) draw_line(element, angle);
  element.background.resize(element.part.size());
  std::ranges::transform(element.part, element.background.begin(), [](int part) { return part == 0; });
  return element;
}

void make_dome(StructuringElement& element, float peak) {
  const auto share = [](int i, int size) {
    if (size == 1) return 0.0f;
    const float distance = static_cast<float>(twice_centre_distance(i, size)) / static_cast<float>(size - 1);
    return distance * distance / 2.0f;
  };
  element.levels.clear();
  for (int y = 0; y < element.height; ++y)
    for (int x = 0; x < element.width; ++x)
      element.levels.push_back(peak * (1.0f - share(x, element.width) - share(y, element.height)));
}

StructuringElement for_erosion(StructuringElement element, ErosionSign sign) {
  if (sign == ErosionSign::add)
    for (float& level : element.levels)
      level = -level;
  return element;
}

Window rect_window(int left, int top, int width, int height) {
  Window window;
  window.left = left;
  window.top = top;
  window.width = width;
  window.height = height;
  window.rect = true;
  return window;
}

Window make_window(const StructuringElement& element, const std::vector<std::uint8_t>& chosen, bool reflected) {
  Window window;
  window.flat = element.levels.empty();
  for (int y = 0; y < element.height; ++y)
    for (int x = 0; x < element.width; ++x) {
      // Rows and columns of a reflected element are read from their ends, so that its terms are ordered by rows as
      // well.
      const int row = reflected ? element.height - 1 - y : y, column = reflected ? element.width - 1 - x : x;
      const std::size_t i = element.index(column, row);
      if (!chosen[i]) continue;
      const int dx = reflected ? element.origin_x - column : column - element.origin_x;
      const int dy = reflected ? element.origin_y - row : row - element.origin_y;
      window.terms.push_back({dx, dy, window.flat ? 0.0f : element.levels[i]});
    }
  if (window.terms.empty()) return window;

  for (const Term& term : window.terms) {
    if (!window.chords.empty() && window.chords.back().dy == term.dy &&
        window.chords.back().dx + window.chords.back().length == term.dx)
      ++window.chords.back().length;
    else
      window.chords.push_back({term.dy, term.dx, 1});
  }
  int right = window.chords[0].dx;
  window.left = window.chords[0].dx;
  for (const Chord& chord : window.chords) {
    window.left = std::min(window.left, chord.dx);
    right = std::max(right, chord.dx + chord.length - 1);
  }
  window.top = window.chords.front().dy;
  window.width = right - window.left + 1;
  window.height = window.chords.back().dy - window.top + 1;
  const auto area = static_cast<std::size_t>(window.width) * static_cast<std::size_t>(window.height);
  if (window.flat && window.terms.size() == area)
    return rect_window(window.left, window.top, window.width, window.height);
  if (!window.flat) window.chords.clear();
  return window;
}

std::vector<Term> all_terms(const Window& window) {
  if (!window.rect) return window.terms;
  std::vector<Term> terms;
  for (int dy = window.top; dy <= window.bottom(); ++dy)
    for (int dx = window.left; dx <= window.right(); ++dx)
      terms.push_back({dx, dy, 0.0f});
  return terms;
}

}  // namespace threadscape::morphology
