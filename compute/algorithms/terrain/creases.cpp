#include "compute/algorithms/terrain/creases.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "compute/core/height_range.h"

namespace threadscape::terrain {

namespace {

/// The mean of squares of what was added.
struct MeanSquare {
  double sum = 0.0, count = 0.0;

  void add(double value) {
    sum += value * value;
    ++count;
  }
  [[nodiscard]] double value() const { return sum / count; }
};

template <class Height>
std::optional<Creases> creases_of_heights(const ImageView<const Height>& heights) {
  const int last = heights.width - 1, square = last / 8;
  MeanSquare across_lines, across_others, along_rim, along_others;
  const auto bend = [](Height before, Height here, Height after) {
    return static_cast<double>(before) - 2 * static_cast<double>(here) + static_cast<double>(after);
  };
  const int between = std::max(2, last / 2048);  // Some thousand lines of a large terrain are enough.
  for (int y = 0; y <= last; y += between)
    for (int x = 2; x < last; x += 2) {
      const double along_row = bend(heights(x - 1, y), heights(x, y), heights(x + 1, y));
      const double along_column = bend(heights(y, x - 1), heights(y, x), heights(y, x + 1));
      for (const double value : {along_row, along_column}) {
        const bool rim = y == 0 || y == last;
        if (y % square == 0 && x % square != 0) (rim ? along_rim : along_others).add(value);
        // Second differences along a line say nothing about the bend across it.
        if (y % square != 0) (x % square == 0 ? across_lines : across_others).add(value);
      }
    }
  if (!(across_others.value() > 0) || !(along_others.value() > 0)) return {};
  return Creases{std::sqrt(across_lines.value() / across_others.value()),
                 std::sqrt(along_rim.value() / along_others.value())};
}

}  // namespace

std::optional<Creases> creases_of(const HostIn& heights) {
  const std::int64_t cells = heights.shape.width - 1;
  if (heights.shape.height != heights.shape.width || cells < 32 || (cells & (cells - 1)) != 0) return {};
  std::optional<Creases> creases;
  with_heights(heights, [&](const auto& values) { creases = creases_of_heights(values); });
  return creases;
}

std::string creases_report(const HostIn& heights) {
  const std::optional<Creases> creases = creases_of(heights);
  if (!creases) return {};
  char text[160];
  std::snprintf(
      text, sizeof text,
      "second differences: across the lines of the 8 x 8 largest squares %.2f times those elsewhere, along the rim "
      "%.2f times those along the lines inside\n",
      creases->lines, creases->rim);
  return text;
}

}  // namespace threadscape::terrain
