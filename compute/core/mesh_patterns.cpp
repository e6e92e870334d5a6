#include "compute/core/mesh_patterns.h"

#include <algorithm>
#include <cmath>

namespace threadscape {

namespace {

constexpr std::uint32_t brick_width = 64, brick_height = 32, mortar = 3;

template <class At>
Texels pattern(const At& at) {
  Texels texels(std::size_t{pattern_side} * pattern_side);
  for (std::uint32_t y = 0; y < pattern_side; ++y)
    for (std::uint32_t x = 0; x < pattern_side; ++x)
      texels[std::size_t{y} * pattern_side + x] = at(x, y);
  return texels;
}

/// The distances of a texel from the edges of its brick in texels, and the number of the brick.
struct BrickPlace {
  std::uint32_t left, right, below, above, number;
};

BrickPlace brick_at(std::uint32_t x, std::uint32_t y) {
  const std::uint32_t row = y / brick_height, shift = row % 2 * (brick_width / 2);
  const std::uint32_t along = (x + shift) % pattern_side, u = along % brick_width, v = y % brick_height;
  return {u, brick_width - 1 - u, v, brick_height - 1 - v, row * 4 + along / brick_width};
}

bool is_mortar(const BrickPlace& place) {
  return std::min({place.left, place.right, place.below, place.above}) < mortar;
}

}  // namespace

Texels checkers(std::uint32_t light, std::uint32_t dark, std::uint32_t line) {
  return pattern([&](std::uint32_t x, std::uint32_t y) {
    if (std::min(x % 64, y % 64) == 0) return line;
    return (x / 16 + y / 16) % 2 == 0 ? light : dark;
  });
}

Texels brick_colours() {
  return pattern([](std::uint32_t x, std::uint32_t y) {
    const BrickPlace place = brick_at(x, y);
    if (is_mortar(place)) return texel(205, 200, 188);
    // Each brick has a shade of its own.
    const std::uint32_t shade = place.number * 2654435761u >> 27;
    return texel(150 + 2 * shade, 72 + shade, 58 + shade / 2);
  });
}

Texels brick_normals() {
  return pattern([](std::uint32_t x, std::uint32_t y) {
    const BrickPlace place = brick_at(x, y);
    // The edge of a brick is bevelled over two texels next to the mortar.
    const auto slope = [](std::uint32_t towards, std::uint32_t away) {
      const auto on = [](std::uint32_t distance) { return distance >= mortar && distance < mortar + 2; };
      return on(towards) ? -90 : on(away) ? 90 : 0;
    };
    const bool flat = is_mortar(place);
    const int nx = flat ? 0 : slope(place.left, place.right), ny = flat ? 0 : slope(place.below, place.above);
    const auto nz = static_cast<int>(std::sqrt(static_cast<double>(std::max(0, 127 * 127 - nx * nx - ny * ny))));
    return texel(static_cast<std::uint32_t>(128 + nx), static_cast<std::uint32_t>(128 + ny),
                 static_cast<std::uint32_t>(128 + nz));
  });
}

Texels brick_highlights() {
  return pattern([](std::uint32_t x, std::uint32_t y) {
    return is_mortar(brick_at(x, y)) ? texel(10, 10, 10) : texel(170, 170, 170);
  });
}

Texels ornament() {
  return pattern([](std::uint32_t x, std::uint32_t y) {
    const std::uint32_t blue = texel(38, 70, 140), clear = texel(38, 70, 140, 0);
    const int dx = static_cast<int>(x % 64) - 32, dy = static_cast<int>(y % 128) - 64;
    const int d = dx * dx + dy * dy;
    const bool dot = d<12 * 12, ring = d> 17 * 17 && d < 20 * 20;
    const bool rim = y % 128 < 4 || y % 128 > 123;
    return dot || ring || rim ? blue : clear;
  });
}

Texels lattice() {
  return pattern([](std::uint32_t x, std::uint32_t y) {
    const bool bar = (x + y) % 64 < 14 || (x + pattern_side - y) % 64 < 14;
    return bar ? texel(255, 255, 255) : texel(40, 40, 40);
  });
}

}  // namespace threadscape
