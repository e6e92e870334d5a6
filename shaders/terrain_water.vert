#version 450 core
// The surface of the sea: a rectangle over the terrain at the height of the sea.

#include "tiles.glsl"
#include "terrain.glsl"

uniform mat4 clip;
uniform float sea_height;

out vec3 place;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 ground = ground_at(corner * vec2(points - 1));
  place = vec3(ground.x, sea_height, ground.y);
  gl_Position = clip * vec4(place, 1.0);
}
