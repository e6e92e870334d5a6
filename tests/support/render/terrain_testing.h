#pragma once
// Heightmaps for tests that are computed, so that they are equal on every machine.

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/support/render/gl_test.h"

namespace threadscape::testing {

using Height = std::function<float(float x, float y)>;  // The height at x and y from 0 to 1.

/// Smooth hills. Some are so small that coarse patches cannot show them.
[[nodiscard]] inline float hills(float x, float y) {
  float sum = 0.0f, strength = 1.0f;
  for (const float frequency : {3.1f, 7.3f, 17.9f, 41.0f, 97.0f}) {
    sum += strength * std::sin(frequency * x + 1.3f * frequency * y) * std::cos(frequency * y - 0.4f);
    strength *= 0.42f;
  }
  return sum;
}

[[nodiscard]] inline gl::Texture heightmap(int width, int height, const Height& at) {
  HostArray heights({Kind::heightfield, Element::f32, 1, width, height, 1});
  const auto values = heights.image<float>();
  const auto last = static_cast<float>(std::max({width - 1, height - 1, 1}));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      values(x, y) = at(static_cast<float>(x) / last, static_cast<float>(y) / last);
  gl::Texture texture(heights.shape());
  texture.write(heights.view());
  return texture;
}

}  // namespace threadscape::testing
