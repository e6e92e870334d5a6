#pragma once
// Geometry of the rasteriser, shared by all backends: vertices, clipping, screen triangles, coverage and depth. Every
// function states one order of float operations, which are IEEE 754 without contraction on all backends, so results
// are equal to the bit.
//
// Conventions are those of OpenGL: the camera looks along -z, clip space is -w..w in x, y and z, window depth is 0..1,
// and front faces are counter-clockwise. Row 0 of the picture is the top row. Screen coordinates are integers in
// 1/256 pixel (8 bits of sub-pixel precision, OpenGL demands 4), with the centre of pixel (x, y) at (256 x, 256 y).

#include "compute/algorithms/graphics/rasterize/rasterize_plan.h"
#include "compute/kernel/std.h"

namespace threadscape::rasterize {

inline constexpr int subpixel = 256;

// ---- Small vectors

TS_HD inline Float3 operator+(Float3 a, Float3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
TS_HD inline Float3 operator-(Float3 a, Float3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
TS_HD inline Float3 operator*(Float3 a, float s) {
  return {a.x * s, a.y * s, a.z * s};
}
TS_HD inline Float3 operator*(Float3 a, Float3 b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
TS_HD inline float dot(Float3 a, Float3 b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
TS_HD inline Float3 cross(Float3 a, Float3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
TS_HD inline float min_of(float a, float b) {
  return a < b ? a : b;
}
TS_HD inline float max_of(float a, float b) {
  return a > b ? a : b;
}
TS_HD inline int min_of(int a, int b) {
  return a < b ? a : b;
}
TS_HD inline int max_of(int a, int b) {
  return a > b ? a : b;
}
TS_HD inline float clamp_of(float v, float low, float high) {
  return min_of(max_of(v, low), high);
}
/// The vector with length 1; (0, 0, 0) stays as it is.
TS_HD inline Float3 unit(Float3 v) {
  const float length2 = dot(v, v);
  const float scale = 1.0f / sqrtf(length2 > 0.0f ? length2 : 1.0f);
  return v * scale;
}

/// Returns true if the value is neither infinite nor NaN.
TS_HD inline bool is_finite(float v) {
  return v - v == 0.0f;
}
/// Rounds to the nearest integer, and halves to the even one. |v| is less than 2^31.
TS_HD inline int round_to_int(float v) {
#if defined(__CUDA_ARCH__)
  return __float2int_rn(v);
#else
  // The sum has a unit in the last place of 1, so its lower bits are the integer.
  const double shifted = static_cast<double>(v) + 6755399441055744.0;
  return static_cast<int>(__builtin_bit_cast(std::int64_t, shifted));
#endif
}

// ---- Vertex stage

/// A vertex in clip space.
struct ClipVertex {
  float x, y, z, w;
};

TS_HD inline ClipVertex transform(const Matrix& t, Float3 p) {
  const float* const m = t.m;
  return {((m[0] * p.x + m[1] * p.y) + m[2] * p.z) + m[3], ((m[4] * p.x + m[5] * p.y) + m[6] * p.z) + m[7],
          ((m[8] * p.x + m[9] * p.y) + m[10] * p.z) + m[11], ((m[12] * p.x + m[13] * p.y) + m[14] * p.z) + m[15]};
}
TS_HD inline Float3 transform_point(const Matrix& t, Float3 p) {
  const ClipVertex v = transform(t, p);
  return {v.x, v.y, v.z};
}
TS_HD inline Float3 transform_normal(const float* m, Float3 n) {
  return {(m[0] * n.x + m[1] * n.y) + m[2] * n.z, (m[3] * n.x + m[4] * n.y) + m[5] * n.z,
          (m[6] * n.x + m[7] * n.y) + m[8] * n.z};
}

// ---- Clipping

/// The planes of the view volume in the order of clipping: z >= -w, z <= w, x >= -w, x <= w, y >= -w, y <= w.
inline constexpr int planes = 6;

/// Distance from a plane, positive inside.
TS_HD inline float plane_distance(const ClipVertex& v, int plane) {
  const float coordinate = plane < 2 ? v.z : plane < 4 ? v.x : v.y;
  return plane % 2 == 0 ? v.w + coordinate : v.w - coordinate;
}

/// A bit for each plane that the vertex is outside of. The sides of the volume are `scale` times as far away.
TS_HD inline unsigned outcode(const ClipVertex& v, float scale) {
  const float side = v.w * scale;
  return (v.z < -v.w ? 1u : 0u) | (v.z > v.w ? 2u : 0u) | (v.x < -side ? 4u : 0u) | (v.x > side ? 8u : 0u) |
         (v.y < -side ? 16u : 0u) | (v.y > side ? 32u : 0u);
}

/// A corner of a clipped triangle: where it is, and its weights of the corners 1 and 2 of the triangle before clipping.
struct PolygonVertex {
  ClipVertex at;
  float weight1, weight2;
};
/// A triangle clipped by six planes has at most nine corners.
struct Polygon {
  static constexpr int most = 3 + planes;
  int count = 0;
  PolygonVertex corner[most];
};

/// The point on the edge from `in` to `out` that lies on the plane. Edges that two triangles share are always cut from
/// the inside to the outside, so both get the same point.
TS_HD inline PolygonVertex cut(const PolygonVertex& in, const PolygonVertex& out, float d_in, float d_out) {
  const float t = d_in / (d_in - d_out);
  const auto mix = [t](float a, float b) { return a + (b - a) * t; };
  return {{mix(in.at.x, out.at.x), mix(in.at.y, out.at.y), mix(in.at.z, out.at.z), mix(in.at.w, out.at.w)},
          mix(in.weight1, out.weight1),
          mix(in.weight2, out.weight2)};
}

/// Clips the polygon against one plane (Sutherland and Hodgman, Reentrant polygon clipping, CACM 17(1), 1974).
TS_HD inline void clip_polygon(Polygon& polygon, int plane) {
  Polygon result;
  for (int i = 0; i < polygon.count; ++i) {
    const PolygonVertex& a = polygon.corner[i];
    const PolygonVertex& b = polygon.corner[i + 1 < polygon.count ? i + 1 : 0];
    const float da = plane_distance(a.at, plane), db = plane_distance(b.at, plane);
    if (da >= 0.0f) result.corner[result.count++] = a;
    if (da >= 0.0f && db < 0.0f) result.corner[result.count++] = cut(a, b, da, db);
    if (da < 0.0f && db >= 0.0f) result.corner[result.count++] = cut(b, a, db, da);
    // Rounding can make a polygon slightly concave; more corners than a convex one has are left out.
    if (result.count > Polygon::most - 2) break;
  }
  polygon = result;
}

/// What became of a triangle on its way to the screen.
enum class Fate : int {
  drawn,            ///< It has a polygon on the screen, which may still contain no centre of a pixel.
  outside,          ///< All of it is on the outer side of one plane, or clipping left nothing.
  culled,           ///< Its back, or front, faces the camera, and such faces are not drawn.
  degenerate,       ///< Its area is 0 after rounding to 1/256 pixel.
  too_small,        ///< Its area is below the threshold of contribution culling.
  too_transparent,  ///< The opacity of its material is below the threshold of contribution culling.
  not_finite        ///< A corner is infinite or not a number after the transform.
};

TS_HD inline bool is_finite(const ClipVertex& v) {
  return is_finite(v.x) && is_finite(v.y) && is_finite(v.z) && is_finite(v.w);
}

/// The polygon of a triangle inside of the view volume. `clipped` is set if planes cut it; otherwise the polygon is the
/// triangle itself. With a guard band, a side plane cuts only triangles that reach beyond twice the size of the view;
/// what is outside of the view is then left out pixel by pixel.
TS_HD inline Fate clip_triangle(const ClipVertex& a, const ClipVertex& b, const ClipVertex& c, bool guard_band,
                                Polygon& polygon, bool& clipped) {
  clipped = false;
  if (!is_finite(a) || !is_finite(b) || !is_finite(c)) return Fate::not_finite;
  const unsigned ca = outcode(a, 1.0f), cb = outcode(b, 1.0f), cc = outcode(c, 1.0f);
  if ((ca & cb & cc) != 0) return Fate::outside;
  polygon.count = 3;
  polygon.corner[0] = {a, 0.0f, 0.0f};
  polygon.corner[1] = {b, 1.0f, 0.0f};
  polygon.corner[2] = {c, 0.0f, 1.0f};
  unsigned cutting = ca | cb | cc;
  if (guard_band && cutting != 0) cutting = outcode(a, 2.0f) | outcode(b, 2.0f) | outcode(c, 2.0f);
  if (cutting == 0) return Fate::drawn;
  clipped = true;
  for (int plane = 0; plane < planes; ++plane) {
    if ((cutting >> plane & 1u) == 0) continue;
    clip_polygon(polygon, plane);
    if (polygon.count < 3) return Fate::outside;
  }
  return Fate::drawn;
}

// ---- Screen triangles

/// A corner on the screen: coordinates in 1/256 pixel, window depth 0..1, and 1 / w.
struct ScreenVertex {
  int x, y;
  float z, inverse_w;
};

/// Returns false if w is not positive, which only happens for corners without a place on the screen.
TS_HD inline bool to_screen(const ClipVertex& v, int width, int height, ScreenVertex& out) {
  if (!(v.w > 1e-30f)) return false;
  const float inverse_w = 1.0f / v.w;
  const float half_width = 0.5f * static_cast<float>(width), half_height = 0.5f * static_cast<float>(height);
  // OpenGL leaves the rounding of this step to the driver. One rounding for product and sum is what Mesa's llvmpipe
  // has, so both cover the same pixels.
  const float x = fmaf(v.x * inverse_w, half_width, half_width);
  const float y = fmaf(v.y * inverse_w, -half_height, half_height);
  // Corners that rounding put outside of the guard band of the largest picture are moved to its rim, so that edge
  // functions of 64 x 64 pixels fit into 32 bits.
  constexpr float low = -8448.0f * subpixel, high = 24832.0f * subpixel;
  out.x = round_to_int(clamp_of((x - 0.5f) * subpixel, low, high));
  out.y = round_to_int(clamp_of((y - 0.5f) * subpixel, low, high));
  out.z = clamp_of((v.z * inverse_w) * 0.5f + 0.5f, 0.0f, 1.0f);
  out.inverse_w = inverse_w;
  return is_finite(inverse_w);
}

/// A triangle that is ready to be drawn. Edge function i is a[i] x + b[i] y + c[i] at the centre of pixel (x, y). It is
/// the exact 64-bit edge function of the edge opposite to corner i, less 1 if that edge is neither a top nor a left
/// one, divided by 256 and rounded down. A pixel is covered if all three are at least 0, so a pixel on an edge that two
/// triangles share belongs to one of them.
struct ScreenTriangle {
  int a[3], b[3];
  std::int64_t c[3];
  int x0, y0, x1, y1;   ///< The pixels of the bounding box inside of the picture, inclusive; empty if x1 < x0.
  float z, z_dx, z_dy;  ///< Depth at pixel (x0, y0) and its change from pixel to pixel.
  float z_low, z_high;  ///< The range of the corners' depths.
  bool back;            ///< It shows its back to the camera.
};

TS_HD inline bool covers(const ScreenTriangle& t, int x, int y) {
  bool inside = true;
  for (int i = 0; i < 3; ++i)
    inside = inside && static_cast<std::int64_t>(t.a[i]) * x + static_cast<std::int64_t>(t.b[i]) * y + t.c[i] >= 0;
  return inside;
}

/// Twice the area in units of 1/65536 pixel; positive if the corners are clockwise on the screen, where y points down.
TS_HD inline std::int64_t doubled_area(const ScreenVertex& a, const ScreenVertex& b, const ScreenVertex& c) {
  return static_cast<std::int64_t>(b.x - a.x) * (c.y - a.y) - static_cast<std::int64_t>(c.x - a.x) * (b.y - a.y);
}

/// The first pixel whose centre is not left of a coordinate in 1/256 pixel, and the last one not right of it.
TS_HD inline int first_pixel(int coordinate) {
  return (coordinate + subpixel - 1) >> 8;
}
TS_HD inline int last_pixel(int coordinate) {
  return coordinate >> 8;
}

/// Fills in the plane of depth through the three corners. All is computed in double and rounded once.
TS_HD inline void set_depth_plane(ScreenTriangle& t, const ScreenVertex* v, std::int64_t area) {
  const auto z0 = static_cast<double>(v[0].z), z1 = static_cast<double>(v[1].z) - z0,
             z2 = static_cast<double>(v[2].z) - z0;
  const double scale = static_cast<double>(subpixel) / static_cast<double>(area);
  const double dx = (z1 * (v[2].y - v[0].y) - z2 * (v[1].y - v[0].y)) * scale;
  const double dy = (z2 * (v[1].x - v[0].x) - z1 * (v[2].x - v[0].x)) * scale;
  constexpr double pixel = 1.0 / subpixel;
  t.z = static_cast<float>((z0 + dx * (t.x0 - v[0].x * pixel)) + dy * (t.y0 - v[0].y * pixel));
  t.z_dx = static_cast<float>(dx);
  t.z_dy = static_cast<float>(dy);
  t.z_low = min_of(min_of(v[0].z, v[1].z), v[2].z);
  t.z_high = max_of(max_of(v[0].z, v[1].z), v[2].z);
}

/// Prepares a triangle for drawing in a picture of width x height. `v` are its corners; they are reordered so that they
/// are clockwise on the screen, and `swapped` says so. Returns drawn, culled, degenerate or too_small. Pieces of a
/// clipped triangle are never too small, because the triangle is larger than they are.
TS_HD inline Fate set_up(ScreenVertex* v, const Plan& plan, ScreenTriangle& t, bool& swapped, bool clipped = false) {
  std::int64_t area = doubled_area(v[0], v[1], v[2]);
  if (area == 0) return Fate::degenerate;
  t.back = area > 0;
  if (plan.culling == (t.back ? Culling::back : Culling::front)) return Fate::culled;
  if ((area < 0 ? -area : area) < plan.min_doubled_area && !clipped) return Fate::too_small;
  swapped = area < 0;
  if (swapped) {
    const ScreenVertex kept = v[1];
    v[1] = v[2];
    v[2] = kept;
    area = -area;
  }
  t.x0 = max_of(0, first_pixel(min_of(min_of(v[0].x, v[1].x), v[2].x)));
  t.y0 = max_of(0, first_pixel(min_of(min_of(v[0].y, v[1].y), v[2].y)));
  t.x1 = min_of(plan.width - 1, last_pixel(max_of(max_of(v[0].x, v[1].x), v[2].x)));
  t.y1 = min_of(plan.height - 1, last_pixel(max_of(max_of(v[0].y, v[1].y), v[2].y)));
  if (t.x1 < t.x0 || t.y1 < t.y0) return Fate::drawn;  // It covers nothing, and the rest is not needed.
  for (int i = 0; i < 3; ++i) {
    const ScreenVertex& p = v[(i + 1) % 3];
    const ScreenVertex& q = v[(i + 2) % 3];
    t.a[i] = p.y - q.y;
    t.b[i] = q.x - p.x;
    const bool top_left = t.a[i] > 0 || (t.a[i] == 0 && t.b[i] > 0);
    const std::int64_t exact = -(static_cast<std::int64_t>(t.a[i]) * p.x + static_cast<std::int64_t>(t.b[i]) * p.y);
    t.c[i] = (exact - (top_left ? 0 : 1)) >> 8;
  }
  set_depth_plane(t, v, area);
  return Fate::drawn;
}

// ---- Depth

/// Depth at the centre of a pixel inside of the triangle.
TS_HD inline float depth_at(const ScreenTriangle& t, int x, int y) {
  const float row = t.z + static_cast<float>(y - t.y0) * t.z_dy;
  return clamp_of(row + static_cast<float>(x - t.x0) * t.z_dx, t.z_low, t.z_high);
}

/// The integer that stands for depth 1 in a buffer of fixed point.
TS_HD inline float depth_scale(DepthBits bits) {
  switch (bits) {
    case DepthBits::float32:
    case DepthBits::fixed24:
      break;
    case DepthBits::fixed16:
      return 65535.0f;
    case DepthBits::fixed8:
      return 255.0f;
    case DepthBits::fixed4:
      return 15.0f;
  }
  return 16777215.0f;
}

/// The depth as the integer that the depth buffer compares. The bits of floats from 0 to 1 have the order of the
/// floats; fewer bits are rounded to the nearest step, as OpenGL does it for fixed point.
TS_HD inline std::uint32_t depth_key(float z, DepthBits bits) {
  if (bits == DepthBits::float32) return __builtin_bit_cast(std::uint32_t, z);
  return static_cast<std::uint32_t>(z * depth_scale(bits) + 0.5f);
}
/// The depth that a key stands for.
TS_HD inline float depth_of(std::uint32_t key, DepthBits bits) {
  if (bits == DepthBits::float32) return __builtin_bit_cast(float, key);
  return static_cast<float>(key) / depth_scale(bits);
}

/// What the visibility buffer holds for a pixel: the key of the depth, and below it the number of the triangle. The
/// smaller value is in front, and of two surfaces at equal depth the triangle that comes first in the mesh, as OpenGL
/// draws it with GL_LESS.
using Visible = std::uint64_t;

TS_HD inline Visible visible(std::uint32_t key, std::uint32_t triangle) {
  return static_cast<Visible>(key) << 32 | triangle;
}
/// An empty pixel. Its depth is 1 and its number is 0, so that nothing at depth 1 is drawn, as with GL_LESS.
TS_HD inline Visible nothing_visible(DepthBits bits) {
  return visible(depth_key(1.0f, bits), 0);
}

/// The depth that decides in a fragment: that of its pixel, or with painter that of the farthest corner.
TS_HD inline float deciding_depth(const ScreenTriangle& t, int x, int y, Visibility visibility) {
  return visibility == Visibility::painter ? t.z_high : depth_at(t, x, y);
}

// ---- Whole triangles

/// One of the triangles that a polygon is drawn as: a fan around its corner 0.
struct Piece {
  ScreenTriangle screen;
  ScreenVertex corner[3];
  int polygon_corner[3];  ///< Which corners of the polygon these are.
};

/// Calls use(piece, polygon, clipped) for every triangle that is drawn of the triangle with these corners, in order.
/// Returns what became of the whole; it is `culled`, `degenerate` or `too_small` if all of its pieces are.
template <class Use>
TS_HD Fate for_each_piece(const ClipVertex& a, const ClipVertex& b, const ClipVertex& c, const Plan& plan,
                          const Use& use) {
  Polygon polygon;
  bool clipped = false;
  const Fate fate = clip_triangle(a, b, c, plan.guard_band, polygon, clipped);
  if (fate != Fate::drawn) return fate;
  Fate whole = Fate::degenerate;
  Piece piece{};
  for (int k = 1; k + 1 < polygon.count; ++k) {
    const int from[3] = {0, k, k + 1};
    bool visible_corners = true;
    for (int i = 0; i < 3; ++i) {
      piece.polygon_corner[i] = from[i];
      visible_corners =
          to_screen(polygon.corner[from[i]].at, plan.width, plan.height, piece.corner[i]) && visible_corners;
    }
    if (!visible_corners) continue;
    bool swapped = false;
    const Fate one = set_up(piece.corner, plan, piece.screen, swapped, clipped);
    if ((one == Fate::culled || one == Fate::too_small) && whole != Fate::drawn) whole = one;
    if (one != Fate::drawn) continue;
    whole = one;
    if (swapped) {
      piece.polygon_corner[1] = from[2];
      piece.polygon_corner[2] = from[1];
    }
    if (piece.screen.x1 < piece.screen.x0 || piece.screen.y1 < piece.screen.y0) continue;
    use(piece, polygon, clipped);
  }
  return whole;
}

/// The piece of a triangle that is visible at a pixel: of those that cover it, the one that is in front. Calls
/// use(piece, polygon) for it.
template <class Use>
TS_HD void with_visible_piece(const ClipVertex* corner, const Plan& plan, int x, int y, const Use& use) {
  std::uint32_t best = 0xffffffffu;
  Piece found{};
  Polygon found_polygon;
  for_each_piece(corner[0], corner[1], corner[2], plan, [&](const Piece& piece, const Polygon& polygon, bool) {
    if (!covers(piece.screen, x, y)) return;
    const std::uint32_t key = depth_key(deciding_depth(piece.screen, x, y, plan.visibility), plan.depth_bits);
    if (key >= best) return;
    best = key;
    found = piece;
    found_polygon = polygon;
  });
  if (best != 0xffffffffu) use(found, found_polygon);
}

}  // namespace threadscape::rasterize
