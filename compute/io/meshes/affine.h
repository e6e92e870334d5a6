#pragma once
// Places of the nodes of a scene, and of its textures.

#include <array>
#include <cmath>
#include <cstddef>

#include "compute/io/meshes/polygon.h"
#include "compute/kernel/mesh_view.h"

namespace threadscape::io {

/// An affine map: three rows of four.
using Matrix = std::array<double, 12>;

inline constexpr Matrix identity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

[[nodiscard]] inline Matrix product(const Matrix& a, const Matrix& b) {
  Matrix made{};
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 4; ++c) {
      double sum = c == 3 ? a[4 * r + 3] : 0.0;
      for (std::size_t k = 0; k < 3; ++k)
        sum += a[4 * r + k] * b[4 * k + c];
      made[4 * r + c] = sum;
    }
  return made;
}

[[nodiscard]] inline Point moved(const Matrix& m, const Point& p) {
  return {m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3], m[4] * p[0] + m[5] * p[1] + m[6] * p[2] + m[7],
          m[8] * p[0] + m[9] * p[1] + m[10] * p[2] + m[11]};
}

/// The matrix of cofactors, which normals are multiplied with, without a fourth column.
[[nodiscard]] inline Matrix cofactors(const Matrix& m) {
  Matrix made{};
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
      made[4 * r + c] = m[4 * r1 + c1] * m[4 * r2 + c2] - m[4 * r1 + c2] * m[4 * r2 + c1];
    }
  return made;
}

/// How the coordinates of a texture are read: the set of the vertices, and KHR_texture_transform.
struct TextureUse {
  std::size_t set = 0;
  std::array<double, 2> offset{0, 0}, scale{1, 1};
  double rotation = 0.0;

  [[nodiscard]] Float2 at(double u, double v) const {
    const double c = std::cos(rotation), s = std::sin(rotation), x = scale[0] * u, y = scale[1] * v;
    // The first row of a picture has v = 0 in glTF, and 1 in a mesh.
    return {static_cast<float>(offset[0] + c * x + s * y), static_cast<float>(1.0 - (offset[1] - s * x + c * y))};
  }
};

}  // namespace threadscape::io
