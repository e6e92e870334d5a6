#version 450 core
// Draws the background of a terrain: a sky, or in plain light a plain colour.

#include "terrain_light.glsl"

layout(location = 0) out vec4 colour;

uniform mat4 unproject;  // from clip coordinates to directions
uniform vec2 view_size;
uniform vec3 backdrop;

// Noise of less than a step of 8 bits, so that the gradient has no visible bands.
float grain(vec2 p) { return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715)))) - 0.5; }

void main() {
  vec2 at = gl_FragCoord.xy / view_size * 2.0 - 1.0;
  // All rays of an orthographic camera have the same direction, so its sky is that of a perspective camera.
  vec4 far = unproject * vec4(at, 1.0, 1.0);
  vec3 direction = normalize(far.xyz / far.w);
  vec3 sky = outdoor ? finish(sky_colour(direction)) : backdrop;
  colour = vec4(sky + grain(gl_FragCoord.xy) / 255.0, 1.0);
}
