// Window and level: which values are shown from black to white, and in which colours. Behind colour_map.glsl.

uniform vec2 window;  // the value that is black, and 1 / (the value that is white - that)
uniform int map;
uniform bool inverted;

const float not_computed = -1.0;

// 0..1, or not_computed.
float level_of(float value) { return isnan(value) ? not_computed : clamp((value - window.x) * window.y, 0.0, 1.0); }

vec3 tone(float level) { return colour_of(inverted ? 1.0 - level : level, map); }

// What is not computed yet: faint stripes over the background.
vec3 missing(vec3 background, vec2 place) {
  float stripe = smoothstep(0.35, 0.65, abs(fract((place.x + place.y) / 14.0) * 2.0 - 1.0));
  float light = dot(background, vec3(0.299, 0.587, 0.114)) > 0.5 ? -1.0 : 1.0;
  return background + light * mix(0.02, 0.05, stripe);
}
