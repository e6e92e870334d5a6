#version 450 core
// Draws the ground: its colour, its light, contour lines and haze.

#include "tiles.glsl"
#include "terrain.glsl"
#include "terrain_light.glsl"
#include "terrain_ground.glsl"

layout(location = 0) out vec4 colour;

in vec3 place;
flat in vec3 corner;
in vec2 cell;
in float hole;
in vec2 light;
flat in int level;
in vec3 wall_normal;
in vec4 air;

layout(binding = 1) uniform sampler2D light_map;  // fractions of the sunlight and of the skylight that arrive
layout(binding = 2) uniform sampler2D drape;
layout(binding = 3) uniform sampler2D detail;

const int wall = WALL;  // 0: the surface, 1: walls from the rim to the floor, 2: the sides of the sea
const bool lit_map = LIT;
const bool draped = DRAPED;
const bool detailed = DETAILED;
const bool contoured = CONTOURED;
uniform float detail_repeat;
const int surface = SURFACE;  // TerrainSettings::surface
uniform float contours;       // distance of contour lines in the range of heights
uniform float wire;       // if > 0, lines in a plain colour with this opacity are drawn

vec3 to_linear(vec3 colour) { return outdoor ? pow(colour, vec3(2.2)) : colour; }

// Number of cells between neighbouring pixels. Slopes over shorter distances would flicker.
float footprint() {
  vec2 across = dFdx(cell), down = dFdy(cell);
  return sqrt(max(length(across), 1e-6) * max(length(down), 1e-6));
}

vec3 wall_colour(float height) {
  // Walls show slightly wavy layers of rock.
  float wave = 0.004 * sin(place.x * 31.0 + place.z * 27.0) + 0.002 * sin(place.x * 77.0 - place.z * 63.0);
  float layer = (place.y + wave) * 70.0;
  vec3 stone = mix(vec3(0.26, 0.21, 0.17), vec3(0.32, 0.26, 0.21), smoothstep(0.2, 0.8, abs(fract(layer) - 0.5) * 2.0));
  return mix(stone, stone * 0.6, smoothstep(0.0, 0.10, height));
}

void main() {
  if (hole > 0.0) discard;
  float height01 = relief > 0.0 ? place.y / relief : 0.0;
  vec2 uv = (cell + 0.5) / vec2(points);
  float reach = max(min_step, footprint());
  vec3 smooth_normal = wall > 0 ? wall_normal : normal_at(cell, reach);
  vec3 normal = smooth_normal;
  vec3 view = towards_eye(place);
  if (shading == 0 && wall == 0) {
    normal = normalize(cross(dFdx(place), dFdy(place)));
    normal *= sign(normal.y);
    view = towards_eye(corner);
  }

  vec3 ground = vec3(1.0);
  if (wall > 0)
    ground = wall == 2 ? vec3(0.03, 0.16, 0.20) : outdoor ? wall_colour(world_height(cell) - place.y) : vec3(0.55);
  else if (draped)
    ground = to_linear(texture(drape, uv).rgb);
  else
    ground = surface_colour(surface, height01, smooth_normal, cell, level);
  if (detailed && wall == 0) ground *= 2.0 * to_linear(texture(detail, uv * detail_repeat).rgb) / (outdoor ? 0.435 : 1.0);

  vec2 arrives = vec2(1.0);
  if (lit_map && wall == 0) arrives = texture(light_map, uv).rg;
  vec2 parts = shading == 1 && wall == 0 ? light : reflected(normal, view);
  vec3 lit;
  if (outdoor) {
    float open = wall > 0 ? 0.8 : arrives.y;
    vec3 above = mix(vec3(0.30, 0.24, 0.18), vec3(0.52, 0.66, 0.95), normal.y * 0.5 + 0.5);
    vec3 bounce = sun_colour() * vec3(0.16, 0.13, 0.10) * (1.0 - open) * arrives.x;
    lit = ground * (above * ambient * 1.7 * open * open + bounce + sun_colour() * parts.x * arrives.x) +
          sun_colour() * parts.y * arrives.x * (surface == 0 ? 0.35 : 1.0);
  } else {
    lit = ground * (ambient * arrives.y + parts.x * arrives.x) + vec3(parts.y * arrives.x);
  }

  if (contoured && wall == 0) {
    float line = height01 / contours;
    float width = max(fwidth(line), 1e-6);
    float near = abs(fract(line + 0.5) - 0.5) / width;
    float thick = mod(floor(line + 0.5), 5.0) == 0.0 ? 1.5 : 0.8;
    lit = mix(lit, lit * 0.25, (1.0 - smoothstep(thick - 0.5, thick + 0.5, near)) * (1.0 - smoothstep(0.25, 0.6, width)));
  }
  lit = mix(lit, air.rgb, air.a);
  if (wire > 0.0) lit = outdoor ? vec3(0.02, 0.03, 0.04) : vec3(0.0);
  colour = vec4(finish(lit), wire > 0.0 ? wire : wall == 2 ? 0.82 : 1.0);
}
