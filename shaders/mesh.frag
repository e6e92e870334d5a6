#version 450 core
// Fragments of a mesh: maps, lighting, and the triangle for comparisons.

#include "mesh.glsl"

#ifdef AFFINE
#define SMOOTH noperspective
#else
#define SMOOTH smooth
#endif

SMOOTH in vec3 place;
SMOOTH in vec3 normal;
SMOOTH in vec2 texcoord;
SMOOTH in vec3 tint;
#if SHADING == SHADING_GOURAUD
SMOOTH in vec4 vertex_light;
#endif

// The triangles in the order of drawing.
layout(std430, binding = 1) readonly buffer Order {
  uint triangles[];
};
// Two vectors of each triangle in the space of the mesh: with flat shading its centre and its normal, else the
// directions in which the texture coordinates u and v grow.
#ifdef FACETS
layout(std430, binding = 2) readonly buffer Facets {
  float facets[];
};
vec3 facet(uint triangle, uint i) {
  uint at = 6u * triangle + 3u * i;
  return vec3(facets[at], facets[at + 1u], facets[at + 2u]);
}
#endif

layout(location = 0) out vec4 colour;
#ifdef NUMBERED
layout(location = 1) out uint number_of_triangle;
#endif

layout(binding = 0) uniform sampler2D colour_map;
layout(binding = 1) uniform sampler2D normal_map;
layout(binding = 2) uniform sampler2D specular_map;
layout(binding = 3) uniform sampler2D alpha_map;
layout(binding = 4) uniform sampler2D overlay_map;
#ifdef ENVIRONMENT
#include "mesh_environment.glsl"
#endif

uniform bool textures;
uniform vec4 terms;            // 1 for those that are added: emission, ambient, diffuse, specular
uniform bool multiply;         // the colour is a factor of what is behind it
uniform int first_triangle;    // of those that are drawn at once, in the order of drawing
uniform bool in_order;         // the order of drawing is that of the mesh
uniform float handedness;      // -1 if the matrix model mirrors

uint present_triangle() {
  uint at = uint(first_triangle + gl_PrimitiveID);
  return in_order ? at : triangles[at];
}

vec3 mapped_normal(vec3 n, vec3 along_u, vec3 along_v, vec3 map) {
  if (along_u == vec3(0.0) && along_v == vec3(0.0)) return n;
  n = unit_of(n);
  vec3 tangent = unit_of(along_u - n * dot(n, along_u)), side = cross(n, tangent);
  vec3 bitangent = dot(side, along_v) < 0.0 ? -side : side;
  // 128 of 255 stands for 0.
  vec3 m = map * (255.0 / 127.0) - 128.0 / 127.0;
  return tangent * m.x + bitangent * m.y + n * m.z;
}

void main() {
#ifdef ONE_MATERIAL
  uint material = material_number(0u);
#else
  uint material = material_at(present_triangle());
#endif
  vec3 at = place, facing = normal;
#if SHADING == SHADING_FLAT
  at = (model * vec4(facet(present_triangle(), 0u), 1.0)).xyz;
  facing = handedness * (mat3(normal_matrix) * facet(present_triangle(), 1u));
#endif
  vec3 albedo = tint, specular = specular_of(material), n = gl_FrontFacing ? facing : -facing;
  vec3 mirror = vec3(1.0);
  float opacity = opacity_of(material);
  if (textures) {
    if (has_map(material, 0u)) albedo *= texture(colour_map, texcoord).rgb;
    if (has_map(material, 4u)) {
      vec4 over = texture(overlay_map, texcoord);
      albedo = mix(albedo, over.rgb, over.a);
    }
    if (has_map(material, 2u)) {
      mirror = texture(specular_map, texcoord).rgb;
      specular *= mirror;
    }
    if (has_map(material, 3u)) opacity *= texture(alpha_map, texcoord).r;
#if SHADING == SHADING_PHONG && defined(FACETS)
    if (has_map(material, 1u))
      n = mapped_normal(n, mat3(model) * facet(present_triangle(), 0u), mat3(model) * facet(present_triangle(), 1u),
                        texture(normal_map, texcoord).rgb);
#endif
  }
#if SHADING == SHADING_CONSTANT
  vec2 lit = vec2(1.0, 0.0);
  bool is_lit = false;
#elif SHADING == SHADING_GOURAUD
  vec2 lit = gl_FrontFacing ? vertex_light.xy : vertex_light.zw;
  bool is_lit = true;
#else
  vec2 lit = light_at(at, n, shininess_of(material));
  bool is_lit = true;
#endif
  vec3 sum = vec3(0.0);
  if (terms.x > 0.5) sum += emission_of(material);
  if (terms.y > 0.5 && is_lit) sum += ambient_of(material) * albedo;
  if (terms.z > 0.5) sum += diffuse_of(material) * albedo * lit.x;
#ifdef ENVIRONMENT
  sum = with_environment(sum, unit_of(n), direction_to_eye(at), albedo, mirror);
#endif
  if (terms.w > 0.5 && is_lit) sum += specular * lit.y;
  sum = clamp(sum, 0.0, 1.0);
  opacity = clamp(opacity, 0.0, 1.0);
  colour = multiply ? vec4(mix(vec3(1.0), sum, opacity), 1.0) : vec4(sum, opacity);
#ifdef NUMBERED
  number_of_triangle = present_triangle() + 1u;
#endif
}
