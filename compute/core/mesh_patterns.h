#pragma once
// The textures of the built-in meshes. Texels are words with red in the lowest byte; rows go from v = 0 upwards.

#include <cstdint>
#include <vector>

namespace threadscape {

inline constexpr std::uint32_t pattern_side = 256;  ///< Width and height of every pattern in texels.
using Texels = std::vector<std::uint32_t>;

/// A word of red, green, blue and alpha, each in 0..255.
[[nodiscard]] constexpr std::uint32_t texel(std::uint32_t r, std::uint32_t g, std::uint32_t b, std::uint32_t a = 255) {
  return r | (g << 8) | (b << 16) | (a << 24);
}

/// 16 x 16 squares in two colours, and thin lines of a third colour around each fourth square.
[[nodiscard]] Texels checkers(std::uint32_t light, std::uint32_t dark, std::uint32_t line);
/// Bricks and mortar: their colours, their normals in tangent space, and the strength of their highlights.
[[nodiscard]] Texels brick_colours();
[[nodiscard]] Texels brick_normals();
[[nodiscard]] Texels brick_highlights();
/// A transparent picture with a ring of 12 dots and a rim, to be drawn over another texture.
[[nodiscard]] Texels ornament();
/// An alpha map: a lattice that is opaque, with holes.
[[nodiscard]] Texels lattice();

}  // namespace threadscape
