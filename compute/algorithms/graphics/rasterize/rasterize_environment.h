#pragma once
// Environment maps for the fragment stage: what a mirror or a transparent body shows of its surroundings (Blinn and
// Newell, Texture and reflection in computer generated images, 1976; Greene, Environment mapping and other applications
// of world projections, 1986). The surroundings are infinitely far away, so a map is read by a direction alone. Light
// is refracted once, where it enters the body. rasterize_environment_map.h makes the maps on the host.

#include "compute/algorithms/graphics/rasterize/rasterize_texture.h"

namespace threadscape::rasterize {

/// Where a direction meets the map.
struct EnvironmentPlace {
  int face;
  float x, y;  ///< In texels from the corner of the face with its border; 1..side + 1.
};

/// The place in a map with this many texels a side of a face. What is not a number becomes a corner.
TS_HD inline EnvironmentPlace environment_place(Float3 d, int side) {
  const float ax = d.x < 0.0f ? -d.x : d.x, ay = d.y < 0.0f ? -d.y : d.y, az = d.z < 0.0f ? -d.z : d.z;
  const bool along_x = ax >= ay && ax >= az, along_y = !along_x && ay >= az;
  const float major = along_x ? d.x : along_y ? d.y : d.z;
  const bool negative = major < 0.0f;
  const float length = negative ? -major : major;
  const float across = along_x ? (negative ? d.z : -d.z) : along_y ? d.x : negative ? -d.x : d.x;
  const float down = along_y ? (negative ? -d.z : d.z) : -d.y;
  const auto texels = static_cast<float>(side);
  const float u = clamp_of(across / length, -1.0f, 1.0f), v = clamp_of(down / length, -1.0f, 1.0f);
  return {(along_x   ? 0
           : along_y ? 2
                     : 4) +
              (negative ? 1 : 0),
          (u * 0.5f + 0.5f) * texels + 1.0f, (v * 0.5f + 0.5f) * texels + 1.0f};
}

/// The colour of the surroundings in a direction of any length, 0..1: the weighted mean of four texels.
TS_HD inline Float3 environment_at(const Environment& environment, Float3 direction) {
  const EnvironmentPlace at = environment_place(direction, environment.side);
  const float left = floor_of(at.x - 0.5f), above = floor_of(at.y - 0.5f);
  const float fx = (at.x - 0.5f) - left, fy = (at.y - 0.5f) - above;
  const int pitch = environment.side + 2;
  const std::uint32_t* const row0 = environment.texels +
                                    (static_cast<std::int64_t>(at.face) * pitch + static_cast<int>(above)) * pitch +
                                    static_cast<int>(left);
  const std::uint32_t* const row1 = row0 + pitch;
  const Colour c =
      mix(mix(unpacked(row0[0]), unpacked(row0[1]), fx), mix(unpacked(row1[0]), unpacked(row1[1]), fx), fy);
  return Float3{c.r, c.g, c.b} * (1.0f / 255.0f);
}

/// The direction in which a ray goes on that comes from the eye. `n` is the unit normal, `v` the unit vector to the
/// eye, and `facing` their scalar product.
TS_HD inline Float3 reflected_ray(Float3 n, Float3 v, float facing) {
  return n * (2.0f * facing) - v;
}

/// The same for the ray that enters the body, by Snell's law, where `eta` is the index of refraction outside divided by
/// that inside. A ray from a denser medium that cannot leave it is reflected.
TS_HD inline Float3 refracted_ray(Float3 n, Float3 v, float facing, float eta) {
  const float cosine = clamp_of(facing, 0.0f, 1.0f);
  const float inside2 = 1.0f - (eta * eta) * (1.0f - cosine * cosine);
  if (!(inside2 > 0.0f)) return reflected_ray(n, v, facing);
  return n * (eta * cosine - sqrtf(inside2)) - v * eta;
}

/// The share of the light that is reflected (Schlick, An inexpensive BRDF model for physically-based rendering, 1994).
/// `straight` is the share if the surface is seen straight on.
TS_HD inline float schlick(float straight, float facing) {
  const float rest = 1.0f - clamp_of(facing, 0.0f, 1.0f), rest2 = rest * rest;
  return straight + (1.0f - straight) * ((rest2 * rest2) * rest);
}

/// Two maps one after another, each mixed with what is there by its factor: first refraction, which the colour of the
/// surface tints, then reflection, whose factor `mask` weakens. `below` is the light of the surface itself.
TS_HD inline Float3 with_environment(const Environment& environment, Float3 below, Float3 n, Float3 v, Float3 albedo,
                                     Float3 mask) {
  const float facing = dot(n, v);
  Float3 sum = below;
  if (environment.refraction > 0.0f) {
    const Float3 through = environment_at(environment, refracted_ray(n, v, facing, environment.eta)) * albedo;
    sum = sum * (1.0f - environment.refraction) + through * environment.refraction;
  }
  if (environment.reflection > 0.0f) {
    const float share = environment.reflection * (environment.fresnel ? schlick(environment.straight, facing) : 1.0f);
    const Float3 mirrored = environment_at(environment, reflected_ray(n, v, facing)), part = mask * share;
    sum = sum * (Float3{1.0f, 1.0f, 1.0f} - part) + mirrored * part;
  }
  return sum;
}

}  // namespace threadscape::rasterize
