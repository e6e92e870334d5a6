// Textures and surroundings for vectors (Google Highway, compiled once per instruction set): each lane is a pixel.
// Every operation and its order are those of rasterize_texture.h and rasterize_environment.h, so that the colours are
// equal to the bit.

#if defined(THREADSCAPE_RASTERIZE_TEXTURE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_RASTERIZE_TEXTURE_INL_H_
#undef THREADSCAPE_RASTERIZE_TEXTURE_INL_H_
#else
#define THREADSCAPE_RASTERIZE_TEXTURE_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "compute/algorithms/graphics/rasterize/openmp/rasterize_lanes-inl.h"
#include "compute/algorithms/graphics/rasterize/rasterize_environment.h"
#include "compute/algorithms/graphics/rasterize/rasterize_texture.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::rasterize {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

/// Not inlined: the shading of a pixel samples up to four maps, and a call costs little beside the gathers of texels.
inline HWY_NOINLINE Colours sample(const MeshView& mesh, std::uint32_t index, const Coordinates& at, Filter filter,
                                   Wrap wrap) {
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

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::rasterize
HWY_AFTER_NAMESPACE();

#endif  // the toggle of this header
