// Environment maps as compute/algorithms/graphics/rasterize/rasterize_environment.h defines them.

// Six faces of a cube, each with a border of one texel.
layout(binding = 5) uniform sampler2DArray environment_map;

uniform float environment_side;  // texels of a face without its border
uniform float reflection, refraction;
uniform float eta;       // 1 / index of refraction
uniform float straight;  // the share of light that is reflected straight back
uniform bool fresnel;

vec3 environment_at(vec3 d) {
  vec3 a = abs(d);
  bool along_x = a.x >= a.y && a.x >= a.z, along_y = !along_x && a.y >= a.z;
  float major = along_x ? d.x : along_y ? d.y : d.z;
  bool negative = major < 0.0;
  vec2 at = along_x ? vec2(negative ? d.z : -d.z, -d.y)
          : along_y ? vec2(d.x, negative ? -d.z : d.z)
                    : vec2(negative ? -d.x : d.x, -d.y);
  at = clamp(at / abs(major), -1.0, 1.0);
  float face = (along_x ? 0.0 : along_y ? 2.0 : 4.0) + (negative ? 1.0 : 0.0);
  vec2 place = ((at * 0.5 + 0.5) * environment_side + 1.0) / (environment_side + 2.0);
  return textureLod(environment_map, vec3(place, face), 0.0).rgb;
}

// Unlike GLSL's refract(), a ray that cannot enter is reflected.
vec3 refracted_ray(vec3 n, vec3 v, float facing) {
  float cosine = clamp(facing, 0.0, 1.0), inside2 = 1.0 - eta * eta * (1.0 - cosine * cosine);
  if (inside2 <= 0.0) return n * (2.0 * facing) - v;
  return n * (eta * cosine - sqrt(inside2)) - v * eta;
}

vec3 with_environment(vec3 below, vec3 n, vec3 v, vec3 albedo, vec3 mirror) {
  float facing = dot(n, v);
  vec3 sum = below;
  if (refraction > 0.0) sum = mix(sum, environment_at(refracted_ray(n, v, facing)) * albedo, refraction);
  if (reflection > 0.0) {
    float share = fresnel ? straight + (1.0 - straight) * pow(1.0 - clamp(facing, 0.0, 1.0), 5.0) : 1.0;
    sum = mix(sum, environment_at(n * (2.0 * facing) - v), mirror * (reflection * share));
  }
  return sum;
}
