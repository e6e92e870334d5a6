#pragma once
// The fragment stage, shared by all backends: attributes at a pixel, maps, lighting and blending. The colour of a pixel
// depends on its triangle and its place alone. So a picture is drawn in two steps: visibility first, then the colour of
// what is visible. Functions that take `environment` as a template argument have the code for environment maps only if
// it is set, because this code needs registers on CUDA; it has to be shows_environment() of the plan.

#include "compute/algorithms/graphics/rasterize/rasterize_division.h"
#include "compute/algorithms/graphics/rasterize/rasterize_environment.h"

namespace threadscape::rasterize {

/// The part of the three corners of a triangle in a pixel, and the change of that part from pixel to pixel. The parts
/// are those in object space (perspective) or on the screen (affine); their sum is 1.
struct Weights {
  float at[3], dx[3], dy[3];
};

/// One part of an edge function per doubled area.
TS_HD inline double weight_scale(const Piece& piece) {
  return 1.0 / static_cast<double>(doubled_area(piece.corner[0], piece.corner[1], piece.corner[2]));
}

/// `scale` is weight_scale() of the piece.
TS_HD inline Weights weights_at(const Piece& piece, const Polygon& polygon, double scale, int x, int y,
                                Interpolation interpolation) {
  const ScreenVertex* const v = piece.corner;
  const ScreenTriangle& t = piece.screen;
  float share[3], share_dx[3], share_dy[3];
  for (int i = 0; i < 3; ++i) {
    const ScreenVertex& p = v[(i + 1) % 3];
    const std::int64_t edge = static_cast<std::int64_t>(t.a[i]) * (x * subpixel - p.x) +
                              static_cast<std::int64_t>(t.b[i]) * (y * subpixel - p.y);
    const float inverse_w = interpolation == Interpolation::perspective ? v[i].inverse_w : 1.0f;
    share[i] = static_cast<float>(static_cast<double>(edge) * scale) * inverse_w;
    share_dx[i] = static_cast<float>(static_cast<double>(t.a[i]) * (subpixel * scale)) * inverse_w;
    share_dy[i] = static_cast<float>(static_cast<double>(t.b[i]) * (subpixel * scale)) * inverse_w;
  }
  const float whole = 1.0f / ((share[0] + share[1]) + share[2]);
  const float whole_dx = (share_dx[0] + share_dx[1]) + share_dx[2],
              whole_dy = (share_dy[0] + share_dy[1]) + share_dy[2];
  Weights weights{};
  for (int i = 0; i < 3; ++i) {
    const float part = share[i] * whole;
    const float part_dx = (share_dx[i] - part * whole_dx) * whole, part_dy = (share_dy[i] - part * whole_dy) * whole;
    // Corners of a clipped polygon are mixtures of the corners of the triangle.
    const PolygonVertex& corner = polygon.corner[piece.polygon_corner[i]];
    weights.at[1] += part * corner.weight1;
    weights.at[2] += part * corner.weight2;
    weights.dx[1] += part_dx * corner.weight1;
    weights.dx[2] += part_dx * corner.weight2;
    weights.dy[1] += part_dy * corner.weight1;
    weights.dy[2] += part_dy * corner.weight2;
  }
  weights.at[0] = (1.0f - weights.at[1]) - weights.at[2];
  weights.dx[0] = -(weights.dx[1] + weights.dx[2]);
  weights.dy[0] = -(weights.dy[1] + weights.dy[2]);
  return weights;
}

/// The weights of the corners of a triangle, from those of the corners of its part.
TS_HD inline Weights of_whole(const Weights& of_part, int levels, std::uint32_t part) {
  const PartCorners corners = part_corners(levels, part);
  Weights whole{};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      whole.at[k] += of_part.at[i] * corners.weight[i][k];
      whole.dx[k] += of_part.dx[i] * corners.weight[i][k];
      whole.dy[k] += of_part.dy[i] * corners.weight[i][k];
    }
  return whole;
}

// ---- Light

/// How much of the light a place reflects: the cosine of the angle to the light, and the highlight.
struct Light {
  float diffuse, specular;
};

/// Unit vector to the eye from a place in world space.
TS_HD inline Float3 direction_to_eye(const Plan& plan, Float3 position) {
  return plan.projection == Projection::perspective ? unit(plan.camera.eye - position) : plan.camera.towards_eye;
}

/// The light at a place in world space. `normal` need not have length 1.
TS_HD inline Light light_at(const Plan& plan, Float3 position, Float3 normal, float shininess) {
  const bool reflected = plan.lighting == Lighting::phong;
  const Float3 n = unit(normal);
  const Float3 v = direction_to_eye(plan, position);
  const float cosine = dot(n, plan.light);
  const Float3 along = reflected ? n * (2.0f * cosine) - plan.light : unit(plan.light + v);
  const float highlight = power_of(clamp_of(dot(reflected ? v : n, along), 0.0f, 1.0f), shininess);
  return {max_of(cosine, 0.0f), cosine > 0.0f ? highlight : 0.0f};
}

/// The light at a vertex, for Gouraud shading. `back` turns the normal to the side that is seen.
TS_HD inline Light vertex_light(const Plan& plan, const MeshView& mesh, std::uint32_t vertex, float shininess,
                                bool back) {
  const Float3 normal = transform_normal(plan.camera.normal, mesh.normal(vertex));
  return light_at(plan, transform_point(plan.camera.model, mesh.position(vertex)), back ? normal * -1.0f : normal,
                  shininess);
}

// ---- Attributes and maps

/// What the lighting of a pixel needs: where it is, which way it faces, and what it is made of.
struct Surface {
  Float3 position, normal;  ///< In world space; the normal need not have length 1.
  Float3 albedo;            ///< Vertex colour times colour map, with the overlay.
  Float3 ambient, diffuse, specular, emission;
  float shininess, opacity;
  Float3 mirror;  ///< Factor of the reflected surroundings: the specular map. Set only for environment maps.
  Light light;    ///< Set by interpolate() with Gouraud shading, else to be computed by light_at().
};

TS_HD inline float weighted(const Weights& w, float a, float b, float c) {
  return (a * w.at[0] + b * w.at[1]) + c * w.at[2];
}
TS_HD inline Float3 weighted(const Weights& w, Float3 a, Float3 b, Float3 c) {
  return (a * w.at[0] + b * w.at[1]) + c * w.at[2];
}

/// The directions in which the coordinates of a texture grow on a triangle. `p` and `uv` are its corners. Returns false
/// if the texture has no direction there.
TS_HD inline bool texture_directions(const Float3* p, const Float2* uv, Float3& along_u, Float3& along_v) {
  const Float3 e1 = p[1] - p[0], e2 = p[2] - p[0];
  const float u1 = uv[1].x - uv[0].x, v1 = uv[1].y - uv[0].y, u2 = uv[2].x - uv[0].x, v2 = uv[2].y - uv[0].y;
  const float area = u1 * v2 - u2 * v1;
  if (!(area > 1e-30f || area < -1e-30f)) return false;
  along_u = (e1 * v2 - e2 * v1) * (1.0f / area);
  along_v = (e2 * u1 - e1 * u2) * (1.0f / area);
  return true;
}

/// The normal of a normal map, from the space of the texture to that of `normal`. `p` and `uv` are the triangle's
/// corners. Where the texture has no direction on the triangle, the normal stays as it is.
TS_HD inline Float3 mapped_normal(Float3 normal, const Float3* p, const Float2* uv, Colour map) {
  Float3 along_u, along_v;
  if (!texture_directions(p, uv, along_u, along_v)) return normal;
  const Float3 n = unit(normal);
  const Float3 tangent = unit(along_u - n * dot(n, along_u)), side = cross(n, tangent);
  const Float3 bitangent = dot(side, along_v) < 0.0f ? side * -1.0f : side;
  // 128 of 255 stands for 0.
  constexpr float scale = 255.0f / 127.0f, middle = 128.0f / 127.0f;
  return (tangent * (map.r * scale - middle) + bitangent * (map.g * scale - middle)) + n * (map.b * scale - middle);
}

TS_HD inline TextureCoordinates texture_coordinates(const Weights& w, const Float2* uv) {
  const auto along = [&](const float* part, float a, float b, float c) {
    return (a * part[0] + b * part[1]) + c * part[2];
  };
  return {along(w.at, uv[0].x, uv[1].x, uv[2].x), along(w.at, uv[0].y, uv[1].y, uv[2].y),
          along(w.dx, uv[0].x, uv[1].x, uv[2].x), along(w.dx, uv[0].y, uv[1].y, uv[2].y),
          along(w.dy, uv[0].x, uv[1].x, uv[2].x), along(w.dy, uv[0].y, uv[1].y, uv[2].y)};
}

/// The corners of a triangle with what is interpolated between them; what the plan does not need is not set.
struct Attributes {
  const MeshMaterial* material;
  Float3 position[3], normal[3];  ///< In world space.
  Float3 colour[3];               ///< 0..255.
  Float2 uv[3];
  Light light[3];
};

/// Returns true if a pixel has a normal of its own, between those of the vertices.
template <bool environment>
TS_HD inline bool interpolates_normals(Shading shading) {
  return shading == Shading::phong || (environment && shading != Shading::flat);
}

/// Gathers the attributes of a triangle. `back` is set if its back is seen; `lights` is the light at all vertices, or
/// null.
template <bool environment = false>
TS_HD inline Attributes attributes_of(const Plan& plan, const DrawnMesh& mesh, std::uint32_t triangle, bool back,
                                      const Light* lights) {
  Attributes a;
  a.material = &mesh.material(mesh.material_index(triangle));
  for (int i = 0; i < 3; ++i) {
    const std::uint32_t vertex = mesh.corner(triangle, i);
    a.position[i] = transform_point(plan.camera.model, mesh.position(vertex));
    if (plan.shading == Shading::gouraud)
      a.light[i] = lights && !back ? lights[vertex] : vertex_light(plan, mesh, vertex, a.material->shininess, back);
    if (interpolates_normals<environment>(plan.shading))
      a.normal[i] = transform_normal(plan.camera.normal, mesh.normal(vertex));
    if (plan.textures) a.uv[i] = mesh.texcoord(vertex);
    if (mesh.has_colours()) {
      const Colour c = unpacked(mesh.colour(vertex));
      a.colour[i] = {c.r, c.g, c.b};
    }
  }
  return a;
}

/// Applies the maps of the material.
template <bool environment>
TS_HD inline void apply_maps(const Plan& plan, const MeshView& mesh, const Attributes& a, const Weights& weights,
                             Surface& surface) {
  const MeshMaterial& material = *a.material;
  const TextureCoordinates at = texture_coordinates(weights, a.uv);
  const auto read = [&](std::uint32_t map) { return sample(mesh, map, at, plan.filter, plan.wrap); };
  if (material.colour_map != no_map) {
    const Colour c = read(material.colour_map);
    surface.albedo = surface.albedo * Float3{c.r, c.g, c.b};
  }
  if (material.overlay_map != no_map) {
    const Colour c = read(material.overlay_map);
    surface.albedo = surface.albedo * (1.0f - c.a) + Float3{c.r, c.g, c.b} * c.a;
  }
  if (material.specular_map != no_map) {
    const Colour c = read(material.specular_map);
    surface.specular = surface.specular * Float3{c.r, c.g, c.b};
    if constexpr (environment) surface.mirror = Float3{c.r, c.g, c.b};
  }
  if (material.alpha_map != no_map) surface.opacity = surface.opacity * read(material.alpha_map).r;
  if (material.normal_map != no_map && plan.shading == Shading::phong)
    surface.normal = mapped_normal(surface.normal, a.position, a.uv, read(material.normal_map));
}

/// The only place and the only normal of a triangle with flat shading.
TS_HD inline Float3 flat_position(const Attributes& a) {
  return ((a.position[0] + a.position[1]) + a.position[2]) * (1.0f / 3.0f);
}
TS_HD inline Float3 flat_normal(const Attributes& a, bool back) {
  const Float3 normal = cross(a.position[1] - a.position[0], a.position[2] - a.position[0]);
  return back ? normal * -1.0f : normal;
}

/// The surface of a triangle at the place with these weights. The back of a triangle is lit as a front is.
template <bool environment = false>
TS_HD inline Surface interpolate(const Plan& plan, const MeshView& mesh, const Attributes& a, const Weights& weights,
                                 bool back) {
  const MeshMaterial& material = *a.material;
  Surface s;
  s.position = weighted(weights, a.position[0], a.position[1], a.position[2]);
  s.normal = {0.0f, 0.0f, 0.0f};
  s.albedo = {1.0f, 1.0f, 1.0f};
  s.ambient = material.ambient;
  s.diffuse = material.diffuse;
  s.specular = material.specular;
  s.emission = material.emission;
  s.shininess = material.shininess;
  s.opacity = material.opacity;
  s.light = {0.0f, 0.0f};
  if constexpr (environment) s.mirror = {1.0f, 1.0f, 1.0f};
  if (plan.shading == Shading::flat) {
    s.position = flat_position(a);
    s.normal = flat_normal(a, back);
  } else if (plan.shading == Shading::gouraud) {
    s.light = {weighted(weights, a.light[0].diffuse, a.light[1].diffuse, a.light[2].diffuse),
               weighted(weights, a.light[0].specular, a.light[1].specular, a.light[2].specular)};
  }
  if (interpolates_normals<environment>(plan.shading))
    s.normal = weighted(weights, a.normal[0], a.normal[1], a.normal[2]);
  if (back && plan.shading != Shading::flat) s.normal = s.normal * -1.0f;
  if (mesh.has_colours()) s.albedo = weighted(weights, a.colour[0], a.colour[1], a.colour[2]) * (1.0f / 255.0f);
  if (plan.textures) apply_maps<environment>(plan, mesh, a, weights, s);
  return s;
}

/// Returns true if the light of a surface is to be computed at the pixel.
TS_HD inline bool lit_at_pixel(Shading shading) {
  return shading != Shading::constant && shading != Shading::gouraud;
}

/// The colour of a surface in this light, 0..1. Constant shading shows the diffuse colour. The opacity has the plan's
/// constant factor already. Highlights are reflections of the lamp, and lie on those of the surroundings.
template <bool environment = false>
TS_HD inline Colour shaded(const Plan& plan, const Surface& s, Light light) {
  const bool lit = plan.shading != Shading::constant;
  Float3 sum{0.0f, 0.0f, 0.0f};
  if (plan.emission) sum = sum + s.emission;
  if (plan.ambient && lit) sum = sum + s.ambient * s.albedo;
  if (plan.diffuse) sum = sum + (s.diffuse * s.albedo) * (lit ? light.diffuse : 1.0f);
  if constexpr (environment)
    sum =
        with_environment(plan.environment, sum, unit(s.normal), direction_to_eye(plan, s.position), s.albedo, s.mirror);
  if (plan.specular && lit) sum = sum + s.specular * light.specular;
  return {clamp_of(sum.x, 0.0f, 1.0f), clamp_of(sum.y, 0.0f, 1.0f), clamp_of(sum.z, 0.0f, 1.0f),
          clamp_of(s.opacity, 0.0f, 1.0f) * plan.blend_factor};
}

/// The colour of the triangle's piece at a pixel.
template <bool environment>
TS_HD inline Colour colour_of_fragment(const Plan& plan, const DrawnMesh& mesh, std::uint32_t triangle,
                                       const Piece& piece, const Polygon& polygon, int x, int y, const Light* lights) {
  const bool back = piece.screen.back;
  Weights weights = weights_at(piece, polygon, weight_scale(piece), x, y, plan.interpolation);
  if (plan.division != 0) weights = of_whole(weights, plan.division, triangle);
  const Surface s = interpolate<environment>(plan, mesh, attributes_of<environment>(plan, mesh, triangle, back, lights),
                                             weights, back);
  const Light light = lit_at_pixel(plan.shading) ? light_at(plan, s.position, s.normal, s.shininess) : s.light;
  return shaded<environment>(plan, s, light);
}

/// The same on the host, with the code that the plan needs.
inline Colour fragment_colour(const Plan& plan, const DrawnMesh& mesh, std::uint32_t triangle, const Piece& piece,
                              const Polygon& polygon, int x, int y, const Light* lights) {
  return shows_environment(plan) ? colour_of_fragment<true>(plan, mesh, triangle, piece, polygon, x, y, lights)
                                 : colour_of_fragment<false>(plan, mesh, triangle, piece, polygon, x, y, lights);
}

// ---- Colours of the picture

TS_HD inline std::uint32_t byte_of(float v) {
  return static_cast<std::uint32_t>(v * 255.0f + 0.5f);
}
/// An opaque pixel of this colour, red in the lowest byte.
TS_HD inline std::uint32_t packed(Colour c) {
  return byte_of(c.r) | byte_of(c.g) << 8 | byte_of(c.b) << 16 | 0xff000000u;
}

/// A transparent colour over, added to, or multiplied with a pixel. The result is rounded to bytes after every layer,
/// as in a picture with 8 bits per channel. `multiply` mixes with white by the opacity first.
TS_HD inline std::uint32_t blended(std::uint32_t pixel, Colour c, Blend blend) {
  const Colour below = unpacked(pixel) * (1.0f / 255.0f);
  const auto one = [&](float source, float target) {
    if (blend == Blend::over) return source * c.a + target * (1.0f - c.a);
    if (blend == Blend::additive) return min_of(source * c.a + target, 1.0f);
    return target * ((1.0f - c.a) + source * c.a);
  };
  return packed({one(c.r, below.r), one(c.g, below.g), one(c.b, below.b), 1.0f});
}

/// The layers that are blended into a pixel, in the order of the plan. From near to far, `added` is what the layers so
/// far add to all that is behind them, and `through` how much of it they let through (Porter and Duff, Compositing
/// digital images, 1984, with the operator `over` from the front). Both stay floats until the last layer.
struct Layers {
  std::uint32_t pixel;  ///< From far to near: with the layers so far. From near to far: without them.
  Float3 added, through;
};

TS_HD inline Layers no_layers(std::uint32_t pixel) {
  return {pixel, {0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}};
}

/// The next layer in the order of the plan.
TS_HD inline void add_layer(const Plan& plan, Layers& layers, Colour c) {
  if (plan.order != Order::front_to_back) {
    layers.pixel = blended(layers.pixel, c, plan.blend);
    return;
  }
  const Float3 colour = Float3{c.r, c.g, c.b} * c.a;
  const float rest = 1.0f - c.a;
  if (plan.blend != Blend::multiply) layers.added = layers.added + layers.through * colour;
  if (plan.blend == Blend::over) layers.through = layers.through * rest;
  if (plan.blend == Blend::multiply) layers.through = layers.through * (Float3{rest, rest, rest} + colour);
}

/// The pixel with all layers so far.
TS_HD inline std::uint32_t pixel_of(const Plan& plan, const Layers& layers) {
  if (plan.order != Order::front_to_back) return layers.pixel;
  const Colour below = unpacked(layers.pixel) * (1.0f / 255.0f);
  const Float3 sum = layers.added + layers.through * Float3{below.r, below.g, below.b};
  return packed({clamp_of(sum.x, 0.0f, 1.0f), clamp_of(sum.y, 0.0f, 1.0f), clamp_of(sum.z, 0.0f, 1.0f), 1.0f});
}

/// Returns true if contribution culling leaves out the triangles of this material.
TS_HD inline bool is_too_transparent(const Plan& plan, const MeshMaterial& material) {
  return material.opacity < plan.min_opacity;
}

/// Returns true if the triangle is drawn after the opaque ones and blended with them.
TS_HD inline bool is_transparent(const MeshMaterial& material) {
  return material.opacity < 1.0f || material.alpha_map != no_map;
}

/// The place of a transparent fragment in the order of blending, in which smaller keys come first: the triangle that is
/// first in the mesh, or else the farther one, and at equal depth the triangle that is first. The depth is that of the
/// pixel, or with Order::sorted that of the farthest corner. Order::front_to_back is exactly the opposite of
/// Order::peeled. Keys are greater than 0, because depths in front of an opaque surface are less than 1.
TS_HD inline std::uint64_t layer_key(const Plan& plan, const ScreenTriangle& t, std::uint32_t triangle, int x, int y) {
  if (plan.order == Order::given) return std::uint64_t{triangle} + 1;
  const float z = plan.order == Order::sorted ? t.z_high : depth_at(t, x, y);
  const std::uint64_t key = static_cast<std::uint64_t>(~depth_key(z, plan.depth_bits)) << 32 | triangle;
  return plan.order == Order::front_to_back ? ~key : key;
}
/// Greater than all keys of layers.
inline constexpr std::uint64_t no_layer = ~std::uint64_t{0};

}  // namespace threadscape::rasterize
