// The fragment stage for vectors (Google Highway, compiled once per instruction set): each lane is a pixel of the same
// triangle. Every operation and its order are those of rasterize_shade.h and rasterize_texture.h, so the colours are
// equal to the bit. Edge functions are below 2^48 and therefore exact in double.

#if defined(THREADSCAPE_RASTERIZE_FRAGMENTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_RASTERIZE_FRAGMENTS_INL_H_
#undef THREADSCAPE_RASTERIZE_FRAGMENTS_INL_H_
#else
#define THREADSCAPE_RASTERIZE_FRAGMENTS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "compute/algorithms/graphics/rasterize/rasterize_shade.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::rasterize {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, 16>;
using IntTag = hn::Rebind<std::int32_t, FloatTag>;
using V = hn::Vec<FloatTag>;
using VI = hn::Vec<IntTag>;
using Mask = hn::Mask<FloatTag>;

HWY_INLINE V all_lanes(float v) {
  return hn::Set(FloatTag(), v);
}
HWY_INLINE VI all_lanes(std::int32_t v) {
  return hn::Set(IntTag(), v);
}

// ---- The functions of the same names for one pixel, lane by lane

HWY_INLINE V min_of(V a, V b) {
  return hn::IfThenElse(hn::Lt(a, b), a, b);
}
HWY_INLINE V max_of(V a, V b) {
  return hn::IfThenElse(hn::Gt(a, b), a, b);
}
HWY_INLINE V clamp_of(V v, float low, float high) {
  return min_of(max_of(v, all_lanes(low)), all_lanes(high));
}
/// The sum makes 0 of -0.
HWY_INLINE V floor_of(V v) {
  return hn::Add(hn::Floor(v), all_lanes(0.0f));
}
/// Rounds towards 0.
HWY_INLINE VI integers(V v) {
  return hn::ConvertTo(IntTag(), v);
}
HWY_INLINE V floats(VI v) {
  return hn::ConvertTo(FloatTag(), v);
}

struct Vector3 {
  V x, y, z;
};
HWY_INLINE Vector3 all_lanes(Float3 v) {
  return {all_lanes(v.x), all_lanes(v.y), all_lanes(v.z)};
}
HWY_INLINE Vector3 add(Vector3 a, Vector3 b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE Vector3 subtract(Vector3 a, Vector3 b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Vector3 times(Vector3 a, V s) {
  return {hn::Mul(a.x, s), hn::Mul(a.y, s), hn::Mul(a.z, s)};
}
HWY_INLINE Vector3 times(Vector3 a, Vector3 b) {
  return {hn::Mul(a.x, b.x), hn::Mul(a.y, b.y), hn::Mul(a.z, b.z)};
}
HWY_INLINE V dot(Vector3 a, Vector3 b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}
HWY_INLINE Vector3 cross(Vector3 a, Vector3 b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)), hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}
HWY_INLINE Vector3 unit(Vector3 v) {
  const V length2 = dot(v, v), one = all_lanes(1.0f);
  return times(v, hn::Div(one, hn::Sqrt(hn::IfThenElse(hn::Gt(length2, hn::Zero(FloatTag())), length2, one))));
}

HWY_INLINE V log2_of(V v) {
  const VI bits = hn::BitCast(IntTag(), v);
  const VI exponent = hn::ShiftRight<23>(hn::Sub(bits, all_lanes(std::int32_t{0x3f3504f3})));
  const V m = hn::BitCast(FloatTag(), hn::Sub(bits, hn::ShiftLeft<23>(exponent)));
  const V one = all_lanes(1.0f);
  const V s = hn::Div(hn::Sub(m, one), hn::Add(m, one)), s2 = hn::Mul(s, s);
  V series = hn::Add(hn::Mul(s2, all_lanes(0.32059889f)), all_lanes(0.41219858f));
  series = hn::Add(hn::Mul(series, s2), all_lanes(0.57707802f));
  series = hn::Add(hn::Mul(series, s2), all_lanes(0.96179669f));
  series = hn::Add(hn::Mul(series, s2), all_lanes(2.88539008f));
  return hn::Add(floats(exponent), hn::Mul(s, series));
}

HWY_INLINE V exp2_of(V v) {
  const V half = hn::IfThenElse(hn::Lt(v, hn::Zero(FloatTag())), all_lanes(-0.5f), all_lanes(0.5f));
  const VI whole = integers(hn::Add(v, half));
  const V f = hn::Sub(v, floats(whole));
  V series = hn::Add(hn::Mul(f, all_lanes(1.52527338e-5f)), all_lanes(1.54035304e-4f));
  for (const float c : {1.33335581e-3f, 9.61812911e-3f, 5.55041087e-2f, 2.40226507e-1f, 6.93147181e-1f, 1.0f})
    series = hn::Add(hn::Mul(series, f), all_lanes(c));
  return hn::Mul(series, hn::BitCast(FloatTag(), hn::ShiftLeft<23>(hn::Add(whole, all_lanes(std::int32_t{127})))));
}

HWY_INLINE V power_of(V base, float exponent) {
  const V e = hn::Mul(log2_of(max_of(base, all_lanes(1e-30f))), all_lanes(exponent));
  const V least = all_lanes(-120.0f);
  return hn::IfThenElseZero(hn::Gt(e, least), exp2_of(max_of(e, least)));
}

// ---- Textures

struct Colours {
  V r, g, b, a;
};
HWY_INLINE Colours mix(const Colours& p, const Colours& q, V t) {
  const V rest = hn::Sub(all_lanes(1.0f), t);
  const auto one = [&](V a, V b) HWY_ATTR { return hn::Add(hn::Mul(a, rest), hn::Mul(b, t)); };
  return {one(p.r, q.r), one(p.g, q.g), one(p.b, q.b), one(p.a, q.a)};
}
HWY_INLINE Colours select(Mask which, const Colours& p, const Colours& q) {
  return {hn::IfThenElse(which, p.r, q.r), hn::IfThenElse(which, p.g, q.g), hn::IfThenElse(which, p.b, q.b),
          hn::IfThenElse(which, p.a, q.a)};
}
HWY_INLINE Colours texels_at(const std::uint32_t* texels, VI index) {
  const VI words = hn::GatherIndex(IntTag(), reinterpret_cast<const std::int32_t*>(texels), index);
  const VI byte = all_lanes(std::int32_t{255});
  return {floats(hn::And(words, byte)), floats(hn::And(hn::ShiftRight<8>(words), byte)),
          floats(hn::And(hn::ShiftRight<16>(words), byte)), floats(hn::And(hn::ShiftRight<24>(words), byte))};
}

HWY_INLINE V wrapped(V t, Wrap wrap) {
  if (wrap == Wrap::repeat) t = hn::Sub(t, floor_of(t));
  if (wrap == Wrap::mirror) {
    const V even = hn::Sub(t, hn::Mul(all_lanes(2.0f), floor_of(hn::Mul(t, all_lanes(0.5f)))));
    t = hn::IfThenElse(hn::Gt(even, all_lanes(1.0f)), hn::Sub(all_lanes(2.0f), even), even);
  }
  return clamp_of(t, 0.0f, 1.0f);
}
HWY_INLINE VI wrapped_index(VI i, int size, Wrap wrap) {
  const VI zero = hn::Zero(IntTag()), last = all_lanes(size - 1);
  const bool repeat = wrap == Wrap::repeat;
  const VI high = hn::IfThenElse(hn::Gt(i, last), repeat ? zero : last, i);
  return hn::IfThenElse(hn::Lt(i, zero), repeat ? last : zero, high);
}

/// A level of a texture, which has less than 2^31 texels.
struct Level {
  const std::uint32_t* texels;
  int width, height;
};
HWY_INLINE Level level_of(const MeshView& mesh, const MeshTexture& texture, int level) {
  const auto k = static_cast<std::uint32_t>(level);
  return {mesh.level(texture, k), static_cast<int>(MeshView::side(texture.width, k)),
          static_cast<int>(MeshView::side(texture.height, k))};
}

/// `u` and `v` are wrapped already.
HWY_INLINE Colours sample_level(const Level& level, V u, V v, Wrap wrap, bool nearest) {
  const V x = hn::Mul(u, all_lanes(static_cast<float>(level.width)));
  const V y = hn::Mul(v, all_lanes(static_cast<float>(level.height)));
  const VI pitch = all_lanes(level.width);
  if (nearest) {
    const VI column = hn::Min(integers(x), all_lanes(level.width - 1));
    const VI row = hn::Min(integers(y), all_lanes(level.height - 1));
    return texels_at(level.texels, hn::Add(hn::Mul(row, pitch), column));
  }
  const V half = all_lanes(0.5f), x_shifted = hn::Sub(x, half), y_shifted = hn::Sub(y, half);
  const V left = floor_of(x_shifted), below = floor_of(y_shifted);
  const V fx = hn::Sub(x_shifted, left), fy = hn::Sub(y_shifted, below);
  const VI one = all_lanes(std::int32_t{1}), column = integers(left), row = integers(below);
  const VI i0 = wrapped_index(column, level.width, wrap), i1 = wrapped_index(hn::Add(column, one), level.width, wrap);
  const VI row0 = hn::Mul(wrapped_index(row, level.height, wrap), pitch);
  const VI row1 = hn::Mul(wrapped_index(hn::Add(row, one), level.height, wrap), pitch);
  const auto mixed_row = [&](VI start) HWY_ATTR {
    return mix(texels_at(level.texels, hn::Add(start, i0)), texels_at(level.texels, hn::Add(start, i1)), fx);
  };
  return mix(mixed_row(row0), mixed_row(row1), fy);
}

/// Texture coordinates, and their change from pixel to pixel.
struct Coordinates {
  V u, v, u_dx, v_dx, u_dy, v_dy;
};

HWY_INLINE V level_of_detail(const Coordinates& at, float width, float height) {
  const V w = all_lanes(width), h = all_lanes(height);
  const auto length2 = [&](V du, V dv) HWY_ATTR {
    const V along_u = hn::Mul(du, w), along_v = hn::Mul(dv, h);
    return hn::Add(hn::Mul(along_u, along_u), hn::Mul(along_v, along_v));
  };
  const V longer = max_of(length2(at.u_dx, at.v_dx), length2(at.u_dy, at.v_dy));
  return hn::Mul(all_lanes(0.5f), log2_of(clamp_of(longer, 1e-12f, 1e30f)));
}

/// The levels of the lanes mostly agree: each level that occurs is sampled for all lanes. Where `part` is 0, the second
/// level has no weight; it need not exist.
HWY_INLINE Colours sample_levels(const MeshView& mesh, const MeshTexture& texture, V u, V v, VI level, V part,
                                 Wrap wrap, bool two) {
  const int last = static_cast<int>(texture.levels) - 1;
  const int low = hn::GetLane(hn::MinOfLanes(IntTag(), level)), high = hn::GetLane(hn::MaxOfLanes(IntTag(), level));
  const bool mixes = two && !hn::AllTrue(FloatTag(), hn::Eq(part, hn::Zero(FloatTag())));
  Colours result{};
  for (int k = low; k <= high; ++k) {
    Colours one = sample_level(level_of(mesh, texture, k), u, v, wrap, false);
    if (mixes) one = mix(one, sample_level(level_of(mesh, texture, std::min(k + 1, last)), u, v, wrap, false), part);
    result = k == low ? one : select(hn::RebindMask(FloatTag(), hn::Eq(level, all_lanes(k))), one, result);
  }
  return result;
}

HWY_INLINE Colours sample(const MeshView& mesh, std::uint32_t index, const Coordinates& at, Filter filter, Wrap wrap) {
  const MeshTexture& texture = mesh.texture(index);
  const V u = wrapped(at.u, wrap), v = wrapped(at.v, wrap);
  Colours result{};
  if (filter == Filter::nearest || filter == Filter::bilinear || texture.levels <= 1) {
    result = sample_level(level_of(mesh, texture, 0), u, v, wrap, filter == Filter::nearest);
  } else {
    const V lod = clamp_of(level_of_detail(at, static_cast<float>(texture.width), static_cast<float>(texture.height)),
                           0.0f, static_cast<float>(texture.levels - 1));
    const V fine = filter == Filter::mipmapped ? hn::Add(lod, all_lanes(0.5f)) : floor_of(lod);
    result = sample_levels(mesh, texture, u, v, integers(fine), hn::Sub(lod, fine), wrap, filter == Filter::trilinear);
  }
  const V scale = all_lanes(1.0f / 255.0f);
  return {hn::Mul(result.r, scale), hn::Mul(result.g, scale), hn::Mul(result.b, scale), hn::Mul(result.a, scale)};
}

// ---- Surroundings

/// The value with the other sign in the lanes where `negative` is set.
HWY_INLINE V negated_if(Mask negative, V v) {
  return hn::IfThenElse(negative, hn::Neg(v), v);
}

HWY_INLINE Vector3 environment_at(const Environment& environment, Vector3 d) {
  const V ax = hn::Abs(d.x), ay = hn::Abs(d.y), az = hn::Abs(d.z), zero = hn::Zero(FloatTag());
  const Mask along_x = hn::And(hn::Ge(ax, ay), hn::Ge(ax, az)), along_y = hn::AndNot(along_x, hn::Ge(ay, az));
  const V major = hn::IfThenElse(along_x, d.x, hn::IfThenElse(along_y, d.y, d.z));
  const Mask negative = hn::Lt(major, zero);
  const V length = negated_if(negative, major);
  const V across = hn::IfThenElse(along_x, negated_if(hn::Not(negative), d.z),
                                  hn::IfThenElse(along_y, d.x, negated_if(negative, d.x)));
  const V down = hn::IfThenElse(along_y, negated_if(negative, d.z), hn::Neg(d.y));
  const V texels = all_lanes(static_cast<float>(environment.side)), half = all_lanes(0.5f), one = all_lanes(1.0f);
  const auto place = [&](V offset) HWY_ATTR {
    const V u = clamp_of(hn::Div(offset, length), -1.0f, 1.0f);
    return hn::Sub(hn::Add(hn::Mul(hn::Add(hn::Mul(u, half), half), texels), one), half);
  };
  const V x = place(across), y = place(down), left = floor_of(x), above = floor_of(y);
  const V fx = hn::Sub(x, left), fy = hn::Sub(y, above);
  const auto mask_of_integers = [](Mask mask) HWY_ATTR { return hn::RebindMask(IntTag(), mask); };
  const VI pair =
      hn::IfThenElse(mask_of_integers(along_x), all_lanes(std::int32_t{0}),
                     hn::IfThenElse(mask_of_integers(along_y), all_lanes(std::int32_t{2}), all_lanes(std::int32_t{4})));
  const VI face = hn::Add(pair, hn::IfThenElseZero(mask_of_integers(negative), all_lanes(std::int32_t{1})));
  const VI pitch = all_lanes(std::int32_t{environment.side + 2});
  const VI row0 = hn::Add(hn::Mul(hn::Add(hn::Mul(face, pitch), integers(above)), pitch), integers(left));
  const VI row1 = hn::Add(row0, pitch), next = all_lanes(std::int32_t{1});
  const auto mixed_row = [&](VI start) HWY_ATTR {
    return mix(texels_at(environment.texels, start), texels_at(environment.texels, hn::Add(start, next)), fx);
  };
  const Colours c = mix(mixed_row(row0), mixed_row(row1), fy);
  return times(Vector3{c.r, c.g, c.b}, all_lanes(1.0f / 255.0f));
}

HWY_INLINE Vector3 refracted_ray(Vector3 n, Vector3 v, V facing, float eta) {
  const V one = all_lanes(1.0f), cosine = clamp_of(facing, 0.0f, 1.0f);
  const V inside2 = hn::Sub(one, hn::Mul(all_lanes(eta * eta), hn::Sub(one, hn::Mul(cosine, cosine))));
  const Mask enters = hn::Gt(inside2, hn::Zero(FloatTag()));
  const V along = hn::Sub(hn::Mul(all_lanes(eta), cosine), hn::Sqrt(hn::IfThenElseZero(enters, inside2)));
  const V of_normal = hn::IfThenElse(enters, along, hn::Mul(all_lanes(2.0f), facing));
  const V of_view = hn::IfThenElse(enters, all_lanes(eta), one);
  return subtract(times(n, of_normal), times(v, of_view));
}

HWY_INLINE V schlick(float straight, V facing) {
  const V rest = hn::Sub(all_lanes(1.0f), clamp_of(facing, 0.0f, 1.0f)), rest2 = hn::Mul(rest, rest);
  return hn::Add(all_lanes(straight), hn::Mul(all_lanes(1.0f - straight), hn::Mul(hn::Mul(rest2, rest2), rest)));
}

HWY_INLINE Vector3 with_environment(const Environment& environment, Vector3 below, Vector3 n, Vector3 v, Vector3 albedo,
                                    Vector3 mask) {
  const V facing = dot(n, v);
  Vector3 sum = below;
  if (environment.refraction > 0.0f) {
    const Vector3 through = times(environment_at(environment, refracted_ray(n, v, facing, environment.eta)), albedo);
    sum = add(times(sum, all_lanes(1.0f - environment.refraction)), times(through, all_lanes(environment.refraction)));
  }
  if (environment.reflection > 0.0f) {
    const V share = hn::Mul(all_lanes(environment.reflection),
                            environment.fresnel ? schlick(environment.straight, facing) : all_lanes(1.0f));
    const Vector3 along = subtract(times(n, hn::Mul(all_lanes(2.0f), facing)), v);
    const Vector3 mirrored = environment_at(environment, along), part = times(mask, share);
    sum = add(times(sum, subtract(all_lanes(Float3{1.0f, 1.0f, 1.0f}), part)), times(mirrored, part));
  }
  return sum;
}

// ---- The triangle of a group of pixels

/// What the pixels of a triangle share. Edge function i is a x + b y + c in units of 1/65536 pixel.
struct FragmentTriangle {
  double a[3], b[3], c[3], scale;
  float inverse_w[3];  ///< 1 with affine interpolation.
  float share_dx[3], share_dy[3], whole_dx, whole_dy;
  int corner1, corner2;  ///< Which corners of the piece are the corners 1 and 2 of the triangle.
  bool back;
  Attributes attributes;
  Light light;              ///< Of the whole triangle, with flat shading.
  bool normal_mapped;       ///< The normal map has a direction on the triangle.
  Float3 along_u, along_v;  ///< The directions of its coordinates.
};

/// Weights that stay finite: beyond these limits a product with 0 could be NaN, which only the general code handles.
HWY_INLINE bool has_tame_weights(const Piece& piece) {
  bool tame = true;
  for (const ScreenVertex& v : piece.corner)
    tame = tame && v.inverse_w > 1e-12f && v.inverse_w < 1e12f;
  return tame;
}

/// `piece` is the whole triangle, unclipped.
HWY_INLINE void set_up_fragments(const Plan& plan, const MeshView& mesh, std::uint32_t triangle, const Piece& piece,
                                 const Light* lights, FragmentTriangle& t) {
  const ScreenTriangle& screen = piece.screen;
  t.scale = weight_scale(piece);
  for (int i = 0; i < 3; ++i) {
    const ScreenVertex& p = piece.corner[(i + 1) % 3];
    t.a[i] = static_cast<double>(screen.a[i]) * subpixel;
    t.b[i] = static_cast<double>(screen.b[i]) * subpixel;
    t.c[i] = -(static_cast<double>(screen.a[i]) * p.x + static_cast<double>(screen.b[i]) * p.y);
    t.inverse_w[i] = plan.interpolation == Interpolation::perspective ? piece.corner[i].inverse_w : 1.0f;
    t.share_dx[i] = static_cast<float>(static_cast<double>(screen.a[i]) * (subpixel * t.scale)) * t.inverse_w[i];
    t.share_dy[i] = static_cast<float>(static_cast<double>(screen.b[i]) * (subpixel * t.scale)) * t.inverse_w[i];
    if (piece.polygon_corner[i] == 1) t.corner1 = i;
    if (piece.polygon_corner[i] == 2) t.corner2 = i;
  }
  t.whole_dx = (t.share_dx[0] + t.share_dx[1]) + t.share_dx[2];
  t.whole_dy = (t.share_dy[0] + t.share_dy[1]) + t.share_dy[2];
  t.back = screen.back;
  t.attributes = shows_environment(plan) ? attributes_of<true>(plan, mesh, triangle, t.back, lights)
                                         : attributes_of<false>(plan, mesh, triangle, t.back, lights);
  const Attributes& a = t.attributes;
  t.light = {0.0f, 0.0f};
  if (plan.shading == Shading::flat)
    t.light = light_at(plan, flat_position(a), flat_normal(a, t.back), a.material->shininess, false);
  t.normal_mapped = plan.textures && a.material->normal_map != no_map &&
                    (plan.shading == Shading::phong || plan.shading == Shading::blinn_phong) &&
                    texture_directions(a.position, a.uv, t.along_u, t.along_v);
}

/// The weights of the corners of the triangle, and their change from pixel to pixel.
struct WeightLanes {
  V at[3], dx[3], dy[3];
};

HWY_INLINE V weighted(const V* part, float a, float b, float c) {
  return hn::Add(hn::Add(hn::Mul(all_lanes(a), part[0]), hn::Mul(all_lanes(b), part[1])),
                 hn::Mul(all_lanes(c), part[2]));
}
HWY_INLINE Vector3 weighted(const V* part, const Float3* v) {
  return {weighted(part, v[0].x, v[1].x, v[2].x), weighted(part, v[0].y, v[1].y, v[2].y),
          weighted(part, v[0].z, v[1].z, v[2].z)};
}

/// The part of an edge function in the doubled area. A vector of floats has half as many doubles.
HWY_INLINE V share_of_edge(const FragmentTriangle& t, int i, const std::int32_t* x, const std::int32_t* y) {
#if HWY_TARGET == HWY_SCALAR
  using Part = FloatTag;
#else
  using Part = hn::Half<FloatTag>;
#endif
  const hn::Rebind<double, Part> d;
  const hn::Rebind<std::int32_t, Part> integers;
  const auto part = [&](std::size_t at) HWY_ATTR {
    const auto along_x = hn::Mul(hn::Set(d, t.a[i]), hn::PromoteTo(d, hn::Load(integers, x + at)));
    const auto along_y = hn::Mul(hn::Set(d, t.b[i]), hn::PromoteTo(d, hn::Load(integers, y + at)));
    return hn::DemoteTo(Part(), hn::Mul(hn::Add(hn::Add(along_x, along_y), hn::Set(d, t.c[i])), hn::Set(d, t.scale)));
  };
#if HWY_TARGET == HWY_SCALAR
  return part(0);
#else
  return hn::Combine(FloatTag(), part(hn::Lanes(d)), part(0));
#endif
}

/// `x` and `y` are aligned.
HWY_INLINE WeightLanes weights_at(const FragmentTriangle& t, const std::int32_t* x, const std::int32_t* y) {
  V share[3];
  for (int i = 0; i < 3; ++i)
    share[i] = hn::Mul(share_of_edge(t, i, x, y), all_lanes(t.inverse_w[i]));
  const V one = all_lanes(1.0f), whole = hn::Div(one, hn::Add(hn::Add(share[0], share[1]), share[2]));
  const V whole_dx = all_lanes(t.whole_dx), whole_dy = all_lanes(t.whole_dy);
  WeightLanes w;
  const auto set = [&](int k, int corner) HWY_ATTR {
    const V part = hn::Mul(share[corner], whole);
    w.at[k] = part;
    w.dx[k] = hn::Mul(hn::Sub(all_lanes(t.share_dx[corner]), hn::Mul(part, whole_dx)), whole);
    w.dy[k] = hn::Mul(hn::Sub(all_lanes(t.share_dy[corner]), hn::Mul(part, whole_dy)), whole);
  };
  set(1, t.corner1);
  set(2, t.corner2);
  w.at[0] = hn::Sub(hn::Sub(one, w.at[1]), w.at[2]);
  w.dx[0] = hn::Neg(hn::Add(w.dx[1], w.dx[2]));
  w.dy[0] = hn::Neg(hn::Add(w.dy[1], w.dy[2]));
  return w;
}

// ---- Surface and light

HWY_INLINE Vector3 mapped_normal(Vector3 normal, const FragmentTriangle& t, const Colours& map) {
  const Vector3 n = unit(normal), along_u = all_lanes(t.along_u);
  const Vector3 tangent = unit(subtract(along_u, times(n, dot(n, along_u)))), side = cross(n, tangent);
  const V sign =
      hn::IfThenElse(hn::Lt(dot(side, all_lanes(t.along_v)), hn::Zero(FloatTag())), all_lanes(-1.0f), all_lanes(1.0f));
  const Vector3 bitangent = times(side, sign);
  const auto part = [&](V value) HWY_ATTR {
    return hn::Sub(hn::Mul(value, all_lanes(255.0f / 127.0f)), all_lanes(128.0f / 127.0f));
  };
  return add(add(times(tangent, part(map.r)), times(bitangent, part(map.g))), times(n, part(map.b)));
}

struct LightLanes {
  V diffuse, specular;
};

HWY_INLINE Vector3 direction_to_eye(const Plan& plan, Vector3 position) {
  return plan.projection == Projection::perspective ? unit(subtract(all_lanes(plan.camera.eye), position))
                                                    : all_lanes(plan.camera.towards_eye);
}

HWY_INLINE LightLanes light_at(const Plan& plan, Vector3 position, Vector3 normal, float shininess, bool reflected) {
  const Vector3 n = unit(normal), light = all_lanes(plan.light);
  const Vector3 v = direction_to_eye(plan, position);
  const V cosine = dot(n, light), zero = hn::Zero(FloatTag());
  const Vector3 along = reflected ? subtract(times(n, hn::Mul(all_lanes(2.0f), cosine)), light) : unit(add(light, v));
  const V highlight = power_of(clamp_of(dot(reflected ? v : n, along), 0.0f, 1.0f), shininess);
  return {max_of(cosine, zero), hn::IfThenElseZero(hn::Gt(cosine, zero), highlight)};
}

struct SurfaceLanes {
  Vector3 position, normal, albedo, specular;
  Vector3 mirror;  ///< Set only for environment maps.
};

HWY_INLINE void apply_maps(const Plan& plan, const MeshView& mesh, const FragmentTriangle& t, const WeightLanes& w,
                           SurfaceLanes& s) {
  const Attributes& a = t.attributes;
  const MeshMaterial& material = *a.material;
  const auto u_of = [&](const V* part) HWY_ATTR { return weighted(part, a.uv[0].x, a.uv[1].x, a.uv[2].x); };
  const auto v_of = [&](const V* part) HWY_ATTR { return weighted(part, a.uv[0].y, a.uv[1].y, a.uv[2].y); };
  const Coordinates at{u_of(w.at), v_of(w.at), u_of(w.dx), v_of(w.dx), u_of(w.dy), v_of(w.dy)};
  if (material.colour_map != no_map) {
    const Colours c = sample(mesh, material.colour_map, at, plan.filter, plan.wrap);
    s.albedo = times(s.albedo, Vector3{c.r, c.g, c.b});
  }
  if (material.overlay_map != no_map) {
    const Colours c = sample(mesh, material.overlay_map, at, plan.filter, plan.wrap);
    s.albedo = add(times(s.albedo, hn::Sub(all_lanes(1.0f), c.a)), times(Vector3{c.r, c.g, c.b}, c.a));
  }
  if (material.specular_map != no_map && (plan.specular || shows_environment(plan))) {
    const Colours c = sample(mesh, material.specular_map, at, plan.filter, plan.wrap);
    s.specular = times(s.specular, Vector3{c.r, c.g, c.b});
    s.mirror = {c.r, c.g, c.b};
  }
  if (t.normal_mapped)
    s.normal = mapped_normal(s.normal, t, sample(mesh, material.normal_map, at, plan.filter, plan.wrap));
}

HWY_INLINE LightLanes light_of(const Plan& plan, const FragmentTriangle& t, const WeightLanes& w,
                               const SurfaceLanes& s) {
  const Light* const l = t.attributes.light;
  switch (plan.shading) {
    case Shading::constant:
      return {all_lanes(1.0f), hn::Zero(FloatTag())};
    case Shading::flat:
      return {all_lanes(t.light.diffuse), all_lanes(t.light.specular)};
    case Shading::gouraud:
      return {weighted(w.at, l[0].diffuse, l[1].diffuse, l[2].diffuse),
              weighted(w.at, l[0].specular, l[1].specular, l[2].specular)};
    case Shading::phong:
    case Shading::blinn_phong:
      break;
  }
  return light_at(plan, s.position, s.normal, t.attributes.material->shininess, plan.shading == Shading::phong);
}

HWY_INLINE VI packed(Vector3 c) {
  const auto byte = [](V v) HWY_ATTR {
    return integers(hn::Add(hn::Mul(clamp_of(v, 0.0f, 1.0f), all_lanes(255.0f)), all_lanes(0.5f)));
  };
  const VI opaque = all_lanes(static_cast<std::int32_t>(0xff000000u));
  return hn::Or(hn::Or(byte(c.x), hn::ShiftLeft<8>(byte(c.y))), hn::Or(hn::ShiftLeft<16>(byte(c.z)), opaque));
}

/// The colours of an opaque triangle at the pixels (x, y) of the lanes, red in the lowest byte.
HWY_INLINE VI shade_lanes(const Plan& plan, const MeshView& mesh, const FragmentTriangle& t, const std::int32_t* x,
                          const std::int32_t* y) {
  const WeightLanes w = weights_at(t, x, y);
  const Attributes& a = t.attributes;
  const MeshMaterial& material = *a.material;
  const bool surrounded = shows_environment(plan);
  const bool normals =
      surrounded ? interpolates_normals<true>(plan.shading) : interpolates_normals<false>(plan.shading);
  const bool lit = plan.shading != Shading::constant;
  SurfaceLanes s{};
  s.albedo = mesh.has_colours() ? times(weighted(w.at, a.colour), all_lanes(1.0f / 255.0f))
                                : all_lanes(Float3{1.0f, 1.0f, 1.0f});
  s.specular = all_lanes(material.specular);
  if (normals) {
    s.position = weighted(w.at, a.position);
    s.normal = weighted(w.at, a.normal);
    if (t.back) s.normal = times(s.normal, all_lanes(-1.0f));
  } else if (surrounded) {
    s.position = all_lanes(flat_position(a));
    s.normal = all_lanes(flat_normal(a, t.back));
  }
  if (surrounded) s.mirror = all_lanes(Float3{1.0f, 1.0f, 1.0f});
  if (plan.textures) apply_maps(plan, mesh, t, w, s);
  const LightLanes light = light_of(plan, t, w, s);
  Vector3 sum = all_lanes(Float3{0.0f, 0.0f, 0.0f});
  if (plan.emission) sum = add(sum, all_lanes(material.emission));
  if (plan.ambient && lit) sum = add(sum, times(all_lanes(material.ambient), s.albedo));
  if (plan.diffuse) sum = add(sum, times(times(all_lanes(material.diffuse), s.albedo), light.diffuse));
  if (surrounded)
    sum =
        with_environment(plan.environment, sum, unit(s.normal), direction_to_eye(plan, s.position), s.albedo, s.mirror);
  if (plan.specular && lit) sum = add(sum, times(s.specular, light.specular));
  return packed(sum);
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::rasterize
HWY_AFTER_NAMESPACE();

#endif  // the toggle of this header
