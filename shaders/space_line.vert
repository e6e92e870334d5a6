#version 450 core
// A line in space with a width in pixels and round ends; a point if both ends are equal.

layout(location = 0) in vec4 from;   // w is the width in pixels
layout(location = 1) in vec4 to;     // w is 1 for a glow
layout(location = 2) in vec4 colour_in;

uniform mat4 clip;
uniform vec2 view;  // pixels
uniform float near;

out vec3 place;
flat out vec4 ends;  // in pixels
flat out vec4 ink;
flat out vec2 width_glow;

void main() {
  vec4 a = clip * vec4(from.xyz, 1.0), b = clip * vec4(to.xyz, 1.0);
  // The part behind the camera is clipped.
  vec3 start = from.xyz, end = to.xyz;
  if (a.w < near && b.w < near) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  if (a.w < near) {
    start = mix(start, end, (near - a.w) / (b.w - a.w));
    a = clip * vec4(start, 1.0);
  } else if (b.w < near) {
    end = mix(end, start, (near - b.w) / (a.w - b.w));
    b = clip * vec4(end, 1.0);
  }
  vec2 p = (a.xy / a.w * 0.5 + 0.5) * view, q = (b.xy / b.w * 0.5 + 0.5) * view;
  vec2 way = distance(p, q) > 1e-3 ? normalize(q - p) : vec2(1.0, 0.0);
  vec2 side = vec2(-way.y, way.x);
  float reach = (to.w > 0.5 ? 1.6 : 0.5) * from.w + 1.5;

  int corner = gl_VertexID;
  bool at_end = corner == 1 || corner == 3;
  vec4 base = at_end ? b : a;
  vec2 at = (at_end ? q : p) + way * (at_end ? reach : -reach) + side * (corner >= 2 ? reach : -reach);
  place = at_end ? end : start;
  // The line is drawn a little nearer than it is, so that lines on planes are visible.
  gl_Position = vec4((at / view * 2.0 - 1.0) * base.w, base.z - 2e-5 * base.w, base.w);
  ends = vec4(p, q);
  ink = colour_in;
  width_glow = vec2(from.w, to.w);
}
