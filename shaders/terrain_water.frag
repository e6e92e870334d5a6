#version 450 core
// Draws water: the ground shines through less the deeper it is, and the sky is reflected at grazing angles.

#include "tiles.glsl"
#include "terrain.glsl"
#include "terrain_light.glsl"

layout(location = 0) out vec4 colour;

in vec3 place;

layout(binding = 1) uniform sampler2D light_map;
const bool lit_map = LIT;

// The normal of gentle waves; `calm` reduces them in the distance.
vec3 waves(vec2 at, float calm) {
  vec2 slope = vec2(0.0);
  float strength = 0.018;
  for (int i = 0; i < 4; ++i) {
    float turn = 1.1 + 2.4 * float(i);
    vec2 along = vec2(cos(turn), sin(turn));
    float frequency = 210.0 * pow(1.7, float(i));
    slope += along * cos(dot(at, along) * frequency + 1.7 * float(i)) * strength;
    strength *= 0.7;
  }
  return normalize(vec3(-slope.x * calm, 1.0, -slope.y * calm));
}

void main() {
  vec2 cell = cell_at(place.xz);
  float depth = place.y - world_height(cell);
  if (depth <= 0.0) discard;
  vec3 view = towards_eye(place);
  float thickness = depth / max(view.y, 0.15);
  float calm = clamp(0.35 / max(distance(eye, place), 0.05), 0.05, 1.0);
  vec3 normal = waves(place.xz, calm);
  float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(normal, view), 0.0), 5.0);
  vec3 mirrored = reflect(-view, normal);
  mirrored.y = abs(mirrored.y);
  float arrives = lit_map ? texture(light_map, (cell + 0.5) / vec2(points)).r : 1.0;
  vec3 deep = mix(vec3(0.05, 0.22, 0.26), vec3(0.008, 0.05, 0.11), 1.0 - exp(-thickness * 32.0));
  float cosine = max(dot(normal, sun), 0.0);
  vec3 body = deep * (vec3(0.5, 0.62, 0.8) * ambient * 1.6 + sun_colour() * 0.5 * diffuse * cosine * arrives);
  float glint = pow(max(dot(normal, normalize(sun + view)), 0.0), 420.0);
  vec3 lit = mix(body, sky_colour(mirrored) * 0.85, fresnel) + sun_colour() * glint * 1.6 * arrives;
  float cover = 1.0 - exp(-thickness * 75.0);
  float shore = smoothstep(0.0, 0.0010, depth);
  lit = mix(lit + vec3(0.16, 0.18, 0.18) * (0.25 + arrives * cosine), lit, shore);
  float alpha = max(mix(0.35, max(cover, fresnel), shore), 0.15);
  vec4 air = haze(place);
  colour = vec4(finish(mix(lit, air.rgb, air.a)), alpha);
}
