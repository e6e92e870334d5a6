// Window and level: the values shown as black and as white, and the colours between them. Include it after
// colour_map.glsl.

uniform vec2 window;  // the value of black, and 1 / (value of white - value of black)
uniform int map;
uniform bool inverted;

const float not_computed = -1.0;

// The level of a value, 0..1, or not_computed for NaN.
float level_of(float value) { return isnan(value) ? not_computed : clamp((value - window.x) * window.y, 0.0, 1.0); }

vec3 tone(float level) { return colour_of(inverted ? 1.0 - level : level, map); }

// The colour of values that are not computed yet: faint stripes over the background.
vec3 missing(vec3 background, vec2 place) {
  float stripe = smoothstep(0.35, 0.65, abs(fract((place.x + place.y) / 14.0) * 2.0 - 1.0));
  float light = dot(background, vec3(0.299, 0.587, 0.114)) > 0.5 ? -1.0 : 1.0;
  return background + light * mix(0.02, 0.05, stripe);
}
