#include "compute/core/synthetic.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <string>
#include <vector>

#include "compute/core/mesh_shapes.h"
#include "compute/core/suggestion.h"
#include "compute/kernel/philox.h"

namespace threadscape {

namespace {

struct Cell {
  std::int64_t x, y, z;
  int channel;
};

/// The four random words of a lattice point, one for each channel. Words differ between scales.
PhiloxBlock lattice(std::int64_t x, std::int64_t y, std::int64_t z, int scale, std::uint64_t seed) {
  return philox({{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z),
                  static_cast<std::uint32_t>(scale)}},
                seed);
}

/// One line of value noise: octaves of 64, 16, 4 and 1 pixels, each with half the amplitude of the one before. It uses
/// only + and * on floats, in a fixed order, so that values are equal on every machine.
class PhotoLine {
 public:
  PhotoLine(std::int64_t width, std::int64_t y, std::int64_t z, std::uint64_t seed) {
    for (std::size_t i = 0; i < octaves_.size(); ++i) {
      Octave& octave = octaves_[i];
      octave.shift = 6 - 2 * static_cast<int>(i);
      const std::int64_t step = std::int64_t{1} << octave.shift;
      const float v = static_cast<float>(y % step) / static_cast<float>(step);
      const std::int64_t points = width / step + 2;
      octave.points.resize(static_cast<std::size_t>(points));
      for (std::int64_t x = 0; x < points; ++x) {
        const PhiloxBlock top = lattice(x, y / step, z, octave.shift, seed);
        const PhiloxBlock bottom = v > 0.0f ? lattice(x, y / step + 1, z, octave.shift, seed) : top;
        for (std::size_t c = 0; c < 4; ++c)
          octave.points[static_cast<std::size_t>(x)][c] =
              unit_float(top.word[c]) * (1.0f - v) + unit_float(bottom.word[c]) * v;
      }
    }
  }
  [[nodiscard]] float at(std::int64_t x, int channel) const {
    float sum = 0.0f, weight = 0.0f, strength = 1.0f;
    for (const Octave& octave : octaves_) {
      const std::int64_t step = std::int64_t{1} << octave.shift;
      const float u = static_cast<float>(x % step) / static_cast<float>(step);
      const auto left = static_cast<std::size_t>(x >> octave.shift), c = static_cast<std::size_t>(channel & 3);
      sum += strength * (octave.points[left][c] * (1.0f - u) + octave.points[left + 1][c] * u);
      weight += strength;
      strength *= 0.5f;
    }
    return sum / weight;
  }

 private:
  struct Octave {
    int shift = 0;  ///< log2 of the distance between lattice points in pixels.
    std::vector<std::array<float, 4>>
        points;  ///< Values of this line, blended between the lattice lines above and below.
  };
  std::array<Octave, 4> octaves_;
};

float level(InputPattern pattern, const Cell& cell, const Shape& shape, std::uint64_t seed) {
  switch (pattern) {
    case InputPattern::noise:
      return unit_float(lattice(cell.x, cell.y, cell.z, 31, seed).word[cell.channel & 3]);
    case InputPattern::gradient: {
      const auto steps = shape.width + shape.height + shape.depth - 3;
      const auto here = cell.x + cell.y + cell.z;
      return steps == 0 ? 0.0f : static_cast<float>(here) / static_cast<float>(steps);
    }
    case InputPattern::impulse: {
      const bool centre = cell.x == shape.width / 2 && cell.y == shape.height / 2 && cell.z == shape.depth / 2;
      return centre ? 1.0f : 0.0f;
    }
    default:
      return 1.0f / 3.0f;
  }
}

template <class T>
T scaled(float value) {
  if constexpr (std::is_floating_point_v<T>) {
    return value;
  } else {
    // Signed and wide types stay within u16: sums over many pixels must not overflow.
    const double full =
        sizeof(T) <= 2 || std::is_unsigned_v<T> ? static_cast<double>(std::numeric_limits<T>::max()) : 65535.0;
    return static_cast<T>(std::floor(static_cast<double>(value) * full + 0.5));
  }
}

template <class T>
void fill(HostOut out, InputPattern pattern, std::uint64_t seed) {
  const Shape& shape = out.shape;
  const auto fill_line = [&](std::int64_t line) {
    T* row = reinterpret_cast<T*>(out.data + static_cast<std::size_t>(line) * out.pitch);
    Cell cell{.x = 0, .y = line % shape.height, .z = line / shape.height, .channel = 0};
    const PhotoLine photo(pattern == InputPattern::photo ? shape.width : 0, cell.y, cell.z, seed);
    for (; cell.x < shape.width; ++cell.x)
      for (cell.channel = 0; cell.channel < shape.channels; ++cell.channel)
        *row++ = scaled<T>(pattern == InputPattern::photo ? photo.at(cell.x, cell.channel)
                                                          : level(pattern, cell, shape, seed));
  };
  std::exception_ptr failure;  // An exception that leaves the loop would end the program.
#pragma omp parallel for schedule(static)
  for (std::int64_t line = 0; line < shape.height * shape.depth; ++line) {
    try {
      fill_line(line);
    } catch (...) {
#pragma omp critical(synthetic_failure)
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

InputPattern parse_input_pattern(std::string_view name) {
  const auto* const found = std::ranges::find(input_pattern_names, name);
  if (found == input_pattern_names.end())
    throw UsageError("pattern '" + std::string(name) +
                     "' is unknown: " + suggestion_and_list(name, input_pattern_names));
  return static_cast<InputPattern>(found - input_pattern_names.begin());
}

HostArray make_synthetic(InputPattern pattern, const Shape& shape, std::uint64_t seed) {
  if (shape.kind == Kind::mesh && shape.element == Element::u32 && shape.width >= smallest_random_mesh &&
      shape.width <= std::numeric_limits<std::uint32_t>::max()) {
    // Large triangles for noise, because they test more of clipping, and small ones for all other patterns.
    return make_random_mesh(static_cast<std::uint32_t>(shape.width), pattern == InputPattern::noise ? 1.0f : 0.05f,
                            seed);
  }
  HostArray array(shape);
  if (array.empty()) return array;
  switch (shape.element) {
    case Element::u8:
      fill<std::uint8_t>(array.view(), pattern, seed);
      break;
    case Element::u16:
      fill<std::uint16_t>(array.view(), pattern, seed);
      break;
    case Element::u32:
      fill<std::uint32_t>(array.view(), pattern, seed);
      break;
    case Element::i32:
      fill<std::int32_t>(array.view(), pattern, seed);
      break;
    case Element::i64:
      fill<std::int64_t>(array.view(), pattern, seed);
      break;
    case Element::f32:
      fill<float>(array.view(), pattern, seed);
      break;
    case Element::f64:
      fill<double>(array.view(), pattern, seed);
      break;
  }
  return array;
}

}  // namespace threadscape
