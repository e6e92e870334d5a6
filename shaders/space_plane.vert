#version 450 core
// A parallelogram in space.

uniform mat4 clip;
uniform vec3 corner, across, up;

out vec2 at;
out vec3 place;

void main() {
  at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  place = corner + at.x * across + at.y * up;
  gl_Position = clip * vec4(place, 1.0);
}
