#version 450 core
// Vertices of a mesh from the arrays of a vertex buffer. Triangles that follow each other share them.

#include "mesh.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 vertex_normal;
layout(location = 2) in vec2 vertex_texcoord;
layout(location = 3) in vec3 vertex_tint;

uniform vec4 clip_row[4];
uniform float shininess;  // of all triangles that are drawn at once

#ifdef AFFINE
#define SMOOTH noperspective
#else
#define SMOOTH smooth
#endif

SMOOTH out vec3 place;
SMOOTH out vec3 normal;
SMOOTH out vec2 texcoord;
SMOOTH out vec3 tint;
#if SHADING == SHADING_GOURAUD
SMOOTH out vec4 vertex_light;  // x and y of the front, z and w of the back
#endif

void main() {
  // The order of operations decides the last bits, and with them which pixels are covered.
  precise vec4 at;
  for (int i = 0; i < 4; ++i) {
    precise float sum = clip_row[i].x * position.x;
    precise float y = clip_row[i].y * position.y;
    precise float z = clip_row[i].z * position.z;
    sum = sum + y;
    sum = sum + z;
    at[i] = sum + clip_row[i].w;
  }
  gl_Position = at;

  place = (model * vec4(position, 1.0)).xyz;
  normal = mat3(normal_matrix) * vertex_normal;
  texcoord = vertex_texcoord;
  tint = vertex_tint;
#if SHADING == SHADING_GOURAUD
  vertex_light = vec4(light_at(place, normal, shininess), light_at(place, -normal, shininess));
#endif
}
