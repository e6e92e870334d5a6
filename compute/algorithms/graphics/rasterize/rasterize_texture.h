#pragma once
// Texture sampling by the rules of OpenGL, in floats: wrapping, the four filters, and the level of detail from the
// derivatives of the texture coordinates. Unlike a GPU, which takes differences between the four pixels of a quad, the
// derivatives are those of the exact projection at the pixel, so a pixel's colour does not depend on its neighbours.

#include "compute/algorithms/graphics/rasterize/rasterize_math.h"

namespace threadscape::rasterize {

/// Red, green, blue and opacity.
struct Colour {
  float r, g, b, a;
};

TS_HD inline Colour operator+(Colour p, Colour q) {
  return {p.r + q.r, p.g + q.g, p.b + q.b, p.a + q.a};
}
TS_HD inline Colour operator*(Colour p, float s) {
  return {p.r * s, p.g * s, p.b * s, p.a * s};
}
TS_HD inline Colour mix(Colour p, Colour q, float t) {
  return p * (1.0f - t) + q * t;
}
/// The four bytes of a word as values 0..255, red from the lowest byte.
TS_HD inline Colour unpacked(std::uint32_t word) {
  return {static_cast<float>(word & 255u), static_cast<float>(word >> 8 & 255u), static_cast<float>(word >> 16 & 255u),
          static_cast<float>(word >> 24)};
}

/// The largest integer not above v. Floats of 2^23 and above are integers already.
TS_HD inline float floor_of(float v) {
  if (!(v > -8388608.0f && v < 8388608.0f)) return v;
  const auto cut = static_cast<float>(static_cast<int>(v));
  return cut > v ? cut - 1.0f : cut;
}

/// Logarithm to base 2 of a positive normal float. The relative error is below 2e-7 except close to 1, where the
/// absolute error is below 1e-7. The series of atanh((m - 1) / (m + 1)) with m in 0.707..1.414.
TS_HD inline float log2_of(float v) {
  const auto bits = __builtin_bit_cast(std::int32_t, v);
  const std::int32_t exponent = (bits - 0x3f3504f3) >> 23;
  const float m =
      __builtin_bit_cast(float, bits - static_cast<std::int32_t>(static_cast<std::uint32_t>(exponent) << 23));
  const float s = (m - 1.0f) / (m + 1.0f), s2 = s * s;
  const float series = (((s2 * 0.32059889f + 0.41219858f) * s2 + 0.57707802f) * s2 + 0.96179669f) * s2 + 2.88539008f;
  return static_cast<float>(exponent) + s * series;
}

/// 2 to the power of v, for v in -126..126, with a relative error below 3e-7: a Taylor series around the nearest
/// integer.
TS_HD inline float exp2_of(float v) {
  const int whole = static_cast<int>(v + (v < 0.0f ? -0.5f : 0.5f));
  const float f = v - static_cast<float>(whole);
  const float series =
      ((((((f * 1.52527338e-5f + 1.54035304e-4f) * f + 1.33335581e-3f) * f + 9.61812911e-3f) * f + 5.55041087e-2f) * f +
        2.40226507e-1f) *
           f +
       6.93147181e-1f) *
          f +
      1.0f;
  return series * __builtin_bit_cast(float, (whole + 127) << 23);
}

/// `base` to the power of `exponent`, for a base in 0..1 and an exponent of at least 0. Powers below 2^-120 are 0.
TS_HD inline float power_of(float base, float exponent) {
  const float e = log2_of(max_of(base, 1e-30f)) * exponent;
  const float value = exp2_of(max_of(e, -120.0f));
  return e > -120.0f ? value : 0.0f;
}

/// A texture coordinate moved into 0..1. What is not a number becomes 0.
TS_HD inline float wrapped(float t, Wrap wrap) {
  if (wrap == Wrap::repeat) t = t - floor_of(t);
  if (wrap == Wrap::mirror) {
    const float even = t - 2.0f * floor_of(t * 0.5f);
    t = even > 1.0f ? 2.0f - even : even;
  }
  return clamp_of(t, 0.0f, 1.0f);
}

/// The index of a neighbour texel that is at most one outside of 0..size - 1.
TS_HD inline int wrapped_index(int i, int size, Wrap wrap) {
  if (wrap == Wrap::repeat) return i < 0 ? size - 1 : i >= size ? 0 : i;
  return i < 0 ? 0 : i >= size ? size - 1 : i;
}

/// The nearest texel, or the weighted mean of four, of a level of width x height texels. Values are 0..255.
TS_HD inline Colour sample_level(const std::uint32_t* texels, int width, int height, float u, float v, Wrap wrap,
                                 bool nearest) {
  const float x = wrapped(u, wrap) * static_cast<float>(width), y = wrapped(v, wrap) * static_cast<float>(height);
  if (nearest) {
    const int column = min_of(static_cast<int>(x), width - 1), row = min_of(static_cast<int>(y), height - 1);
    return unpacked(texels[static_cast<std::int64_t>(row) * width + column]);
  }
  const float left = floor_of(x - 0.5f), below = floor_of(y - 0.5f);
  const float fx = (x - 0.5f) - left, fy = (y - 0.5f) - below;
  const int i0 = wrapped_index(static_cast<int>(left), width, wrap),
            i1 = wrapped_index(static_cast<int>(left) + 1, width, wrap);
  const std::uint32_t* const row0 =
      texels + static_cast<std::int64_t>(wrapped_index(static_cast<int>(below), height, wrap)) * width;
  const std::uint32_t* const row1 =
      texels + static_cast<std::int64_t>(wrapped_index(static_cast<int>(below) + 1, height, wrap)) * width;
  return mix(mix(unpacked(row0[i0]), unpacked(row0[i1]), fx), mix(unpacked(row1[i0]), unpacked(row1[i1]), fx), fy);
}

/// Texture coordinates at a pixel, and their change to the next pixel to the right and below.
struct TextureCoordinates {
  float u, v, u_dx, v_dx, u_dy, v_dy;
};

/// log2 of the number of texels of level 0 that a pixel is long, along its longer axis. At least -20.
TS_HD inline float level_of_detail(const TextureCoordinates& at, float width, float height) {
  const float ax = at.u_dx * width, ay = at.v_dx * height, bx = at.u_dy * width, by = at.v_dy * height;
  const float length2 = max_of(ax * ax + ay * ay, bx * bx + by * by);
  return 0.5f * log2_of(clamp_of(length2, 1e-12f, 1e30f));
}

/// The filtered colour, 0..1.
TS_HD inline Colour sample(const MeshView& mesh, std::uint32_t index, const TextureCoordinates& at, Filter filter,
                           Wrap wrap) {
  const MeshTexture texture = mesh.texture(index);
  const auto level = [&](std::uint32_t k) {
    return sample_level(mesh.level(texture, k), static_cast<int>(MeshView::side(texture.width, k)),
                        static_cast<int>(MeshView::side(texture.height, k)), at.u, at.v, wrap,
                        filter == Filter::nearest);
  };
  constexpr float unit_scale = 1.0f / 255.0f;
  if (filter == Filter::nearest || filter == Filter::bilinear || texture.levels <= 1) return level(0) * unit_scale;
  const auto last = static_cast<float>(texture.levels - 1);
  const float lod =
      clamp_of(level_of_detail(at, static_cast<float>(texture.width), static_cast<float>(texture.height)), 0.0f, last);
  if (filter == Filter::mipmapped) return level(static_cast<std::uint32_t>(lod + 0.5f)) * unit_scale;
  const float fine = floor_of(lod), part = lod - fine;
  const auto k = static_cast<std::uint32_t>(fine);
  if (part == 0.0f) return level(k) * unit_scale;
  return mix(level(k), level(k + 1), part) * unit_scale;
}

}  // namespace threadscape::rasterize
