// The fragment stage for vectors whose lanes are pixels of different triangles (Google Highway, compiled once per
// instruction set). Where triangles cover one or two pixels each, a vector with the pixels of one triangle would be
// almost empty. Set-up and attributes are gathered and computed in lanes, too, with the operations and the order of
// set_up() and rasterize_shade.h, so that the colours are equal to the bit.

#if defined(THREADSCAPE_RASTERIZE_LANE_TRIANGLES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_RASTERIZE_LANE_TRIANGLES_INL_H_
#undef THREADSCAPE_RASTERIZE_LANE_TRIANGLES_INL_H_
#else
#define THREADSCAPE_RASTERIZE_LANE_TRIANGLES_INL_H_
#endif

#include <hwy/highway.h>

#include "compute/algorithms/graphics/rasterize/openmp/rasterize_doubles-inl.h"
#include "compute/algorithms/graphics/rasterize/openmp/rasterize_fragments-inl.h"
#include "compute/algorithms/graphics/rasterize/openmp/rasterize_tiles.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::rasterize {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct LaneAttributes {
  const MeshMaterial* material;
  Vector3 position[3], normal[3], colour[3];
  struct {
    V x, y;
  } uv[3];
  LightLanes light[3];
};

/// A triangle for each lane, as FragmentTriangle is for all. Corners are in the order of the triangle, unless stated
/// otherwise.
struct LaneTriangles {
  static constexpr bool one_for_all_lanes = false;
  /// The edge function i, opposite to the corner i of the piece, and the corner that it starts from. The corners 1 and
  /// 2 of the triangle are exchanged in the piece in the lanes of `swapped`.
  alignas(64) std::int32_t a[3][most_lanes], b[3][most_lanes], from_x[3][most_lanes], from_y[3][most_lanes];
  alignas(64) double scale[most_lanes];
  V inverse_w[3];    ///< 1 / w at the corners of the piece; 1 with affine interpolation.
  Mask swapped;      ///< Exactly the triangles that show their fronts are exchanged.
  bool derivatives;  ///< The change of the weights is needed.
  LaneAttributes attributes;
  LightLanes light;  ///< Unused: flat shading takes FragmentTriangle.
};

HWY_INLINE Vector3 gathered_triple(const float* base, VI vertex) {
  const VI index = hn::Add(hn::Add(vertex, vertex), vertex);
  return {gathered(base, index), gathered(base + 1, index), gathered(base + 2, index)};
}

HWY_INLINE Vector3 transform_point(const Matrix& t, Vector3 p) {
  const float* const m = t.m;
  const auto row = [&](int i) HWY_ATTR {
    return hn::Add(hn::Add(hn::Add(hn::Mul(all_lanes(m[i]), p.x), hn::Mul(all_lanes(m[i + 1]), p.y)),
                           hn::Mul(all_lanes(m[i + 2]), p.z)),
                   all_lanes(m[i + 3]));
  };
  return {row(0), row(4), row(8)};
}
HWY_INLINE Vector3 transform_normal(const float* m, Vector3 n) {
  const auto row = [&](int i) HWY_ATTR {
    return hn::Add(hn::Add(hn::Mul(all_lanes(m[i]), n.x), hn::Mul(all_lanes(m[i + 1]), n.y)),
                   hn::Mul(all_lanes(m[i + 2]), n.z));
  };
  return {row(0), row(3), row(6)};
}

/// Returns true if pixels of different triangles can be shaded together. Otherwise they need what is computed once per
/// triangle: flat shading, normal maps, several materials, and surroundings.
inline bool shades_lane_triangles(const TileFrame& frame) {
  const Plan& plan = *frame.host.plan;
  if (!plan.one_material || plan.transparent || shows_environment(plan) || plan.shading == Shading::flat) return false;
  if (plan.shading == Shading::gouraud) return frame.host.light_table() != nullptr;
  return !(plan.shading == Shading::phong && plan.textures && frame.host.mesh.material(0).normal_map != no_map);
}

/// Computes edge functions, areas and the order of the corners from the places of the corners on the screen.
HWY_INLINE void set_up_edges(const VI* x, const VI* y, LaneTriangles& t) {
  const IntTag d;
  const V area = doubled_areas(x, y, [&](std::size_t at, hn::Vec<DoubleTag> exact) HWY_ATTR {
    hn::Store(hn::Div(hn::Set(DoubleTag(), 1.0), hn::Abs(exact)), DoubleTag(), t.scale + at);
  });
  t.swapped = hn::Lt(area, hn::Zero(FloatTag()));
  const auto swapped = hn::RebindMask(d, t.swapped);
  const VI px[3] = {x[0], hn::IfThenElse(swapped, x[2], x[1]), hn::IfThenElse(swapped, x[1], x[2])};
  const VI py[3] = {y[0], hn::IfThenElse(swapped, y[2], y[1]), hn::IfThenElse(swapped, y[1], y[2])};
  for (int i = 0; i < 3; ++i) {
    const int p = (i + 1) % 3, q = (i + 2) % 3;
    hn::Store(hn::Sub(py[p], py[q]), d, t.a[i]);
    hn::Store(hn::Sub(px[q], px[p]), d, t.b[i]);
    hn::Store(px[p], d, t.from_x[i]);
    hn::Store(py[p], d, t.from_y[i]);
  }
}

/// The light at a vertex of each lane, for Gouraud shading. The table has that of fronts; backs are computed one by
/// one.
HWY_INLINE LightLanes lights_at(const TileFrame& frame, VI vertex, Mask back) {
  const auto* const table = reinterpret_cast<const float*>(frame.host.light_table());
  const VI at = hn::ShiftLeft<1>(vertex);
  const LightLanes fronts{gathered(table, at), gathered(table + 1, at)};
  if (hn::AllFalse(FloatTag(), back)) return fronts;
  alignas(64) std::int32_t number[most_lanes], is_back[most_lanes];
  alignas(64) float diffuse[most_lanes], specular[most_lanes];
  hn::Store(vertex, IntTag(), number);
  hn::Store(hn::VecFromMask(IntTag(), hn::RebindMask(IntTag(), back)), IntTag(), is_back);
  hn::Store(fronts.diffuse, FloatTag(), diffuse);
  hn::Store(fronts.specular, FloatTag(), specular);
  const MeshView& mesh = frame.host.mesh;
  for (std::size_t lane = 0; lane < hn::Lanes(FloatTag()); ++lane) {
    if (is_back[lane] == 0) continue;
    const Light light = vertex_light(*frame.host.plan, mesh, static_cast<std::uint32_t>(number[lane]),
                                     mesh.material(0).shininess, true);
    diffuse[lane] = light.diffuse;
    specular[lane] = light.specular;
  }
  return {hn::Load(FloatTag(), diffuse), hn::Load(FloatTag(), specular)};
}

/// `triangle` are the numbers of opaque triangles whose vertices have neither of the flags needs_clipping and
/// untame_weight. The frame is one of shades_lane_triangles().
HWY_INLINE void set_up_lane_triangles(const TileFrame& frame, VI triangle, LaneTriangles& t) {
  const Plan& plan = *frame.host.plan;
  const MeshView& mesh = frame.host.mesh;
  const MeshHeader& header = mesh.header();
  const auto* const corners = reinterpret_cast<const std::int32_t*>(mesh.words + header.triangles_at);
  const VI first = hn::Add(hn::Add(triangle, triangle), triangle);
  VI vertex[3], x[3], y[3];
  V inverse_w[3];
  for (int i = 0; i < 3; ++i) {
    vertex[i] = gathered(corners + i, first);
    const VI at = hn::ShiftLeft<2>(vertex[i]);
    static_assert(sizeof(ScreenVertex) == 4 * sizeof(std::int32_t));
    x[i] = gathered(&frame.screen.data()->x, at);
    y[i] = gathered(&frame.screen.data()->y, at);
    inverse_w[i] = plan.interpolation == Interpolation::perspective ? gathered(&frame.screen.data()->inverse_w, at)
                                                                    : all_lanes(1.0f);
  }
  set_up_edges(x, y, t);
  t.inverse_w[0] = inverse_w[0];
  t.inverse_w[1] = hn::IfThenElse(t.swapped, inverse_w[2], inverse_w[1]);
  t.inverse_w[2] = hn::IfThenElse(t.swapped, inverse_w[1], inverse_w[2]);

  LaneAttributes& a = t.attributes;
  a.material = &mesh.material(0);
  const MeshMaterial& m = *a.material;
  const bool mapped = plan.textures && (m.colour_map != no_map || m.overlay_map != no_map || m.specular_map != no_map);
  t.derivatives = mapped && plan.filter != Filter::nearest && plan.filter != Filter::bilinear;
  for (int i = 0; i < 3; ++i) {
    if (plan.shading == Shading::gouraud) a.light[i] = lights_at(frame, vertex[i], hn::Not(t.swapped));
    if (interpolates_normals<false>(plan.shading)) {
      a.position[i] = transform_point(plan.camera.model, gathered_triple(mesh.floats(header.positions_at), vertex[i]));
      a.normal[i] = transform_normal(plan.camera.normal, gathered_triple(mesh.floats(header.normals_at), vertex[i]));
    }
    a.uv[i] = {all_lanes(0.0f), all_lanes(0.0f)};
    if (mapped && mesh.has_texcoords()) {
      const VI at = hn::ShiftLeft<1>(vertex[i]);
      const float* const uv = mesh.floats(header.texcoords_at);
      a.uv[i] = {gathered(uv, at), gathered(uv + 1, at)};
    }
    if (mesh.has_colours()) {
      const Colours c = texels_at(mesh.words + header.colours_at, vertex[i]);
      a.colour[i] = {c.r, c.g, c.b};
    }
  }
}

HWY_INLINE Vector3 turned_to_eye(const LaneTriangles& t, Vector3 normal) {
  const Vector3 turned = times(normal, all_lanes(-1.0f));
  return {hn::IfThenElse(t.swapped, normal.x, turned.x), hn::IfThenElse(t.swapped, normal.y, turned.y),
          hn::IfThenElse(t.swapped, normal.z, turned.z)};
}

/// `x` and `y` are aligned.
HWY_INLINE WeightLanes weights_at(const LaneTriangles& t, const std::int32_t* x, const std::int32_t* y) {
  const DoubleTag d;
  const auto pixel = hn::Set(d, static_cast<double>(subpixel));
  V share[3];
  for (int i = 0; i < 3; ++i) {
    const V edge = from_doubles([&](std::size_t at) HWY_ATTR {
      const auto dx = hn::Sub(hn::Mul(doubles(x + at), pixel), doubles(t.from_x[i] + at));
      const auto dy = hn::Sub(hn::Mul(doubles(y + at), pixel), doubles(t.from_y[i] + at));
      return hn::Mul(hn::Add(hn::Mul(doubles(t.a[i] + at), dx), hn::Mul(doubles(t.b[i] + at), dy)),
                     hn::Load(d, t.scale + at));
    });
    share[i] = hn::Mul(edge, t.inverse_w[i]);
  }
  const V one = all_lanes(1.0f), whole = hn::Div(one, hn::Add(hn::Add(share[0], share[1]), share[2]));
  const V part1 = hn::Mul(share[1], whole), part2 = hn::Mul(share[2], whole);
  WeightLanes w{};
  w.at[1] = hn::IfThenElse(t.swapped, part2, part1);
  w.at[2] = hn::IfThenElse(t.swapped, part1, part2);
  w.at[0] = hn::Sub(hn::Sub(one, w.at[1]), w.at[2]);
  if (!t.derivatives) return w;
  const auto changes = [&](const std::int32_t(&edge)[3][most_lanes], V* change) HWY_ATTR {
    V step[3];
    for (int i = 0; i < 3; ++i)
      step[i] = hn::Mul(from_doubles([&](std::size_t at) HWY_ATTR {
                          return hn::Mul(doubles(edge[i] + at), hn::Mul(pixel, hn::Load(d, t.scale + at)));
                        }),
                        t.inverse_w[i]);
    const V sum = hn::Add(hn::Add(step[0], step[1]), step[2]);
    const V change1 = hn::Mul(hn::Sub(step[1], hn::Mul(part1, sum)), whole);
    const V change2 = hn::Mul(hn::Sub(step[2], hn::Mul(part2, sum)), whole);
    change[1] = hn::IfThenElse(t.swapped, change2, change1);
    change[2] = hn::IfThenElse(t.swapped, change1, change2);
    change[0] = hn::Neg(hn::Add(change[1], change[2]));
  };
  changes(t.a, w.dx);
  changes(t.b, w.dy);
  return w;
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::rasterize
HWY_AFTER_NAMESPACE();

#endif  // the toggle of this header
