// Shared by image.frag and difference.frag: where a view pixel lies in the image, and what is drawn over the image.
// Three coordinate systems: gl_FragCoord (y up), view pixels (y down), image pixels (y down; the first covers 0..1).

uniform ivec2 view;     // pixels
uniform vec2 origin;    // view coordinates of the image's top left corner, whole numbers
uniform float zoom;     // view pixels per image pixel
uniform float divider;  // view coordinate of the line between two panes; negative: none
uniform bool grid;
uniform vec4 background;

const vec3 not_a_number = vec3(1.0, 0.0, 1.0);  // no colour map has it

// A texel with one channel is grey.
vec4 widen(vec4 value, bool grey) { return grey ? vec4(value.rrr, 1.0) : value; }

vec2 view_place() { return vec2(gl_FragCoord.x, float(view.y) - gl_FragCoord.y); }

bool inside(vec2 at, ivec2 size) { return all(greaterThanEqual(at, vec2(0.0))) && all(lessThan(at, vec2(size))); }

// `at` are image coordinates; `hit`: inside of the image.
vec3 with_lines(vec3 rgb, vec2 place, vec2 at, bool hit) {
  rgb = clamp(rgb, 0.0, 1.0);
  if (grid && hit && any(lessThan(fract(at) * zoom, vec2(1.0)))) {
    float light = dot(rgb, vec3(0.299, 0.587, 0.114));
    rgb = mix(rgb, vec3(light > 0.5 ? 0.0 : 1.0), 0.2);
  }
  // White with dark edges, so that it shows on any picture.
  float distance = abs(place.x - divider - 0.5);
  if (divider >= 0.0 && distance < 1.6) rgb = distance < 0.6 ? vec3(1.0) : rgb * 0.4;
  return rgb;
}
