#version 450 core
// Vertices of a mesh, three per triangle, in the order of a list of triangles.

#include "mesh.glsl"

layout(std430, binding = 1) readonly buffer Order {
  uint triangles[];
};

uniform vec4 clip_row[4];

#ifdef AFFINE
#define SMOOTH noperspective
#else
#define SMOOTH smooth
#endif

SMOOTH out vec3 place;
SMOOTH out vec3 normal;
SMOOTH out vec2 texcoord;
SMOOTH out vec3 tint;
SMOOTH out vec4 vertex_light;  // x and y of the front, z and w of the back
flat out vec3 along_u;
flat out vec3 along_v;
flat out uint triangle;

vec3 world(uint vertex) {
  return (model * vec4(triple(positions_at() + 3u * vertex), 1.0)).xyz;
}
vec2 texcoord_of(uint vertex) {
  if (texcoords_at() == 0u) return vec2(0.0);
  uint at = texcoords_at() + 2u * vertex;
  return vec2(number(at), number(at + 1u));
}

void main() {
  triangle = triangles[gl_VertexID / 3];
  uint vertex = corner(triangle, uint(gl_VertexID % 3));
  vec3 p = triple(positions_at() + 3u * vertex);
  // The order of operations decides the last bits, and with them which pixels are covered.
  precise vec4 at;
  for (int i = 0; i < 4; ++i) {
    precise float sum = clip_row[i].x * p.x;
    precise float y = clip_row[i].y * p.y;
    precise float z = clip_row[i].z * p.z;
    sum = sum + y;
    sum = sum + z;
    at[i] = sum + clip_row[i].w;
  }
  gl_Position = at;

  uint material = material_at(triangle);
  place = world(vertex);
  normal = mat3(normal_matrix) * triple(normals_at() + 3u * vertex);
  texcoord = texcoord_of(vertex);
  tint = colours_at() == 0u ? vec3(1.0) : unpackUnorm4x8(words[colours_at() + vertex]).rgb;
  vertex_light = vec4(0.0);
  along_u = along_v = vec3(0.0);
#if SHADING == SHADING_GOURAUD
  float shininess = shininess_of(material);
  vertex_light = vec4(light_at(place, normal, shininess, false), light_at(place, -normal, shininess, false));
#else
  uint v0 = corner(triangle, 0u), v1 = corner(triangle, 1u), v2 = corner(triangle, 2u);
  vec3 p0 = world(v0), e1 = world(v1) - p0, e2 = world(v2) - p0;
#if SHADING == SHADING_FLAT
  place = (p0 + world(v1) + world(v2)) * (1.0 / 3.0);
  normal = cross(e1, e2);
#else
  vec2 uv0 = texcoord_of(v0), d1 = texcoord_of(v1) - uv0, d2 = texcoord_of(v2) - uv0;
  float area = d1.x * d2.y - d2.x * d1.y;
  if (abs(area) > 1e-30) {
    along_u = (e1 * d2.y - e2 * d1.y) / area;
    along_v = (e2 * d1.x - e1 * d2.x) / area;
  }
#endif
#endif
}
