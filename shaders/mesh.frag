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
SMOOTH in vec4 vertex_light;
flat in vec3 along_u;
flat in vec3 along_v;
flat in uint triangle;

layout(location = 0) out vec4 colour;
layout(location = 1) out uint number_of_triangle;

layout(binding = 0) uniform sampler2D colour_map;
layout(binding = 1) uniform sampler2D normal_map;
layout(binding = 2) uniform sampler2D specular_map;
layout(binding = 3) uniform sampler2D alpha_map;
layout(binding = 4) uniform sampler2D overlay_map;

uniform bool textures;
uniform vec4 terms;  // 1 for those that are added: emission, ambient, diffuse, specular
uniform bool multiply; // the colour is a factor of what is behind it

vec3 mapped_normal(vec3 n, vec3 map) {
  if (along_u == vec3(0.0) && along_v == vec3(0.0)) return n;
  n = unit_of(n);
  vec3 tangent = unit_of(along_u - n * dot(n, along_u)), side = cross(n, tangent);
  vec3 bitangent = dot(side, along_v) < 0.0 ? -side : side;
  // 128 of 255 stands for 0.
  vec3 m = map * (255.0 / 127.0) - 128.0 / 127.0;
  return tangent * m.x + bitangent * m.y + n * m.z;
}

void main() {
  uint material = material_at(triangle);
  vec3 albedo = tint, specular = specular_of(material), n = gl_FrontFacing ? normal : -normal;
  float opacity = opacity_of(material);
  if (textures) {
    if (has_map(material, 0u)) albedo *= texture(colour_map, texcoord).rgb;
    if (has_map(material, 4u)) {
      vec4 over = texture(overlay_map, texcoord);
      albedo = mix(albedo, over.rgb, over.a);
    }
    if (has_map(material, 2u)) specular *= texture(specular_map, texcoord).rgb;
    if (has_map(material, 3u)) opacity *= texture(alpha_map, texcoord).r;
#if SHADING == SHADING_PHONG || SHADING == SHADING_BLINN_PHONG
    if (has_map(material, 1u)) n = mapped_normal(n, texture(normal_map, texcoord).rgb);
#endif
  }
#if SHADING == SHADING_CONSTANT
  vec2 lit = vec2(1.0, 0.0);
  bool is_lit = false;
#elif SHADING == SHADING_GOURAUD
  vec2 lit = gl_FrontFacing ? vertex_light.xy : vertex_light.zw;
  bool is_lit = true;
#else
  vec2 lit = light_at(place, n, shininess_of(material), SHADING == SHADING_PHONG);
  bool is_lit = true;
#endif
  vec3 sum = vec3(0.0);
  if (terms.x > 0.5) sum += emission_of(material);
  if (terms.y > 0.5 && is_lit) sum += ambient_of(material) * albedo;
  if (terms.z > 0.5) sum += diffuse_of(material) * albedo * lit.x;
  if (terms.w > 0.5 && is_lit) sum += specular * lit.y;
  sum = clamp(sum, 0.0, 1.0);
  opacity = clamp(opacity, 0.0, 1.0);
  colour = multiply ? vec4(mix(vec3(1.0), sum, opacity), 1.0) : vec4(sum, opacity);
  number_of_triangle = triangle + 1u;
}
