// Coordinates of the image view, and the lines drawn over the image, for image.frag and difference.frag. There are
// three coordinate systems: gl_FragCoord (y up), view pixels (y down), and image pixels (y down; the first pixel covers
// 0..1).

uniform ivec2 view;     // size of the view in pixels
uniform vec2 origin;    // view coordinates of the top left corner of the image, integers
uniform float zoom;     // view pixels per image pixel
uniform float divider;  // view coordinate of the line between two panes; negative: none
uniform bool grid;
uniform vec4 background;

const vec3 not_a_number = vec3(1.0, 0.0, 1.0);  // magenta, which no colour map contains

// A texel with one channel is grey.
vec4 widen(vec4 value, bool grey) { return grey ? vec4(value.rrr, 1.0) : value; }

vec2 view_place() { return vec2(gl_FragCoord.x, float(view.y) - gl_FragCoord.y); }

bool inside(vec2 at, ivec2 size) { return all(greaterThanEqual(at, vec2(0.0))) && all(lessThan(at, vec2(size))); }

// Draws the pixel grid and the divider over a colour. `at` are image coordinates, `hit` is whether they are inside of
// the image.
vec3 with_lines(vec3 rgb, vec2 place, vec2 at, bool hit) {
  rgb = clamp(rgb, 0.0, 1.0);
  if (grid && hit && any(lessThan(fract(at) * zoom, vec2(1.0)))) {
    float light = dot(rgb, vec3(0.299, 0.587, 0.114));
    rgb = mix(rgb, vec3(light > 0.5 ? 0.0 : 1.0), 0.2);
  }
  // The divider is white with dark edges, so that it is visible on any picture.
  float distance = abs(place.x - divider - 0.5);
  if (divider >= 0.0 && distance < 1.6) rgb = distance < 0.6 ? vec3(1.0) : rgb * 0.4;
  return rgb;
}
