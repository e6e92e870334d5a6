// The fragment stage for vectors (Google Highway, compiled once per instruction set): each lane is a pixel, and all
// lanes belong to one triangle, or (rasterize_lane_triangles-inl.h) each to a triangle of its own. Every operation and
// its order are those of rasterize_shade.h, so that the colours are equal to the bit. Edge functions are below 2^48 and
// therefore exact in double.

#if defined(THREADSCAPE_RASTERIZE_FRAGMENTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_RASTERIZE_FRAGMENTS_INL_H_
#undef THREADSCAPE_RASTERIZE_FRAGMENTS_INL_H_
#else
#define THREADSCAPE_RASTERIZE_FRAGMENTS_INL_H_
#endif

#include <hwy/highway.h>

#include "compute/algorithms/graphics/rasterize/openmp/rasterize_lanes-inl.h"
#include "compute/algorithms/graphics/rasterize/openmp/rasterize_texture-inl.h"
#include "compute/algorithms/graphics/rasterize/rasterize_shade.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::rasterize {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// ---- The triangle of a group of pixels

/// What the pixels of a triangle share. Edge function i is a x + b y + c in units of 1/65536 pixel.
struct FragmentTriangle {
  static constexpr bool one_for_all_lanes = true;
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
    t.light = light_at(plan, flat_position(a), flat_normal(a, t.back), a.material->shininess);
  t.normal_mapped = plan.textures && a.material->normal_map != no_map && plan.shading == Shading::phong &&
                    texture_directions(a.position, a.uv, t.along_u, t.along_v);
}

/// The weights of the corners of the triangle, and their change from pixel to pixel.
struct WeightLanes {
  V at[3], dx[3], dy[3];
};

/// The corners have one value for all lanes, or a value for each lane.
template <class Value>
HWY_INLINE V weighted(const V* part, Value a, Value b, Value c) {
  return hn::Add(hn::Add(hn::Mul(all_lanes(a), part[0]), hn::Mul(all_lanes(b), part[1])),
                 hn::Mul(all_lanes(c), part[2]));
}
template <class Triple>
HWY_INLINE Vector3 weighted(const V* part, const Triple* v) {
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

HWY_INLINE Vector3 turned_to_eye(const FragmentTriangle& t, Vector3 normal) {
  return t.back ? times(normal, all_lanes(-1.0f)) : normal;
}

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

HWY_INLINE LightLanes light_at(const Plan& plan, Vector3 position, Vector3 normal, float shininess) {
  const bool reflected = plan.lighting == Lighting::phong;
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

template <class Triangle>
HWY_INLINE void apply_maps(const Plan& plan, const MeshView& mesh, const Triangle& t, const WeightLanes& w,
                           SurfaceLanes& s) {
  const auto& a = t.attributes;
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
  if constexpr (Triangle::one_for_all_lanes)
    if (t.normal_mapped)
      s.normal = mapped_normal(s.normal, t, sample(mesh, material.normal_map, at, plan.filter, plan.wrap));
}

template <class Triangle>
HWY_INLINE LightLanes light_of(const Plan& plan, const Triangle& t, const WeightLanes& w, const SurfaceLanes& s) {
  const auto* const l = t.attributes.light;
  switch (plan.shading) {
    case Shading::constant:
      return {all_lanes(1.0f), hn::Zero(FloatTag())};
    case Shading::flat:
      return {all_lanes(t.light.diffuse), all_lanes(t.light.specular)};
    case Shading::gouraud:
      return {weighted(w.at, l[0].diffuse, l[1].diffuse, l[2].diffuse),
              weighted(w.at, l[0].specular, l[1].specular, l[2].specular)};
    case Shading::phong:
      break;
  }
  return light_at(plan, s.position, s.normal, t.attributes.material->shininess);
}

HWY_INLINE VI packed(Vector3 c) {
  const auto byte = [](V v) HWY_ATTR {
    return integers(hn::Add(hn::Mul(clamp_of(v, 0.0f, 1.0f), all_lanes(255.0f)), all_lanes(0.5f)));
  };
  const VI opaque = all_lanes(static_cast<std::int32_t>(0xff000000u));
  return hn::Or(hn::Or(byte(c.x), hn::ShiftLeft<8>(byte(c.y))), hn::Or(hn::ShiftLeft<16>(byte(c.z)), opaque));
}

/// The colours of opaque triangles at the pixels (x, y) of the lanes, red in the lowest byte. `Triangle` is a
/// FragmentTriangle or LaneTriangles.
template <class Triangle>
HWY_INLINE VI shade_lanes(const Plan& plan, const MeshView& mesh, const Triangle& t, const std::int32_t* x,
                          const std::int32_t* y) {
  const WeightLanes w = weights_at(t, x, y);
  const auto& a = t.attributes;
  const MeshMaterial& material = *a.material;
  const bool surrounded = Triangle::one_for_all_lanes && shows_environment(plan);
  const bool normals =
      surrounded ? interpolates_normals<true>(plan.shading) : interpolates_normals<false>(plan.shading);
  const bool lit = plan.shading != Shading::constant;
  SurfaceLanes s{};
  s.albedo = mesh.has_colours() ? times(weighted(w.at, a.colour), all_lanes(1.0f / 255.0f))
                                : all_lanes(Float3{1.0f, 1.0f, 1.0f});
  s.specular = all_lanes(material.specular);
  if (normals) {
    s.position = weighted(w.at, a.position);
    s.normal = turned_to_eye(t, weighted(w.at, a.normal));
  } else if (surrounded) {
    if constexpr (Triangle::one_for_all_lanes) {
      s.position = all_lanes(flat_position(a));
      s.normal = all_lanes(flat_normal(a, t.back));
    }
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
