// Which parameters of the rasterizer have no effect, depending on others.

#include <array>

#include "compute/registry/facets/effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_rasterize() {
  static constexpr std::array rules{
      EffectRule{"mesh"},
      EffectRule{"subdivision"},
      EffectRule{"filter", {"textures", "true"}},
      EffectRule{"wrap", {"textures", "true"}},
      EffectRule{"clip_lines", {"wireframe", "true"}},
      EffectRule{"interpolation", {"projection", "perspective"}, {"projection_matrix", "!"}},
      EffectRule{"ambient", {"shading", "!constant"}},
      EffectRule{"specular", {"shading", "!constant"}},
      EffectRule{"light_azimuth", {"shading", "!constant"}},
      EffectRule{"light_elevation", {"shading", "!constant"}},
      EffectRule{"azimuth", {"view_matrix", ""}},
      EffectRule{"elevation", {"view_matrix", ""}},
      EffectRule{"distance", {"view_matrix", ""}},
      EffectRule{"target_x", {"view_matrix", ""}},
      EffectRule{"target_y", {"view_matrix", ""}},
      EffectRule{"target_z", {"view_matrix", ""}},
      EffectRule{"near", {"projection_matrix", ""}},
      EffectRule{"far", {"projection_matrix", ""}},
      EffectRule{"environment", {"environment_map", ""}},
      EffectRule{"reflection", {"environment", "!none"}, {"environment_map", "!"}},
      EffectRule{"refraction", {"environment", "!none"}, {"environment_map", "!"}},
      EffectRule{"refractive_index", {"environment", "!none"}, {"environment_map", "!"}},
      EffectRule{"fresnel", {"environment", "!none"}, {"environment_map", "!"}},
      EffectRule{"background", {"output", "picture"}},
      EffectRule{"shading", {"output", "picture"}},
      EffectRule{"filter", {"output", "picture"}},
      EffectRule{"wrap", {"output", "picture"}},
      EffectRule{"textures", {"output", "picture"}},
      EffectRule{"ambient", {"output", "picture"}},
      EffectRule{"diffuse", {"output", "picture"}},
      EffectRule{"specular", {"output", "picture"}},
      EffectRule{"light_azimuth", {"output", "picture"}},
      EffectRule{"light_elevation", {"output", "picture"}},
      EffectRule{"interpolation", {"output", "picture"}},
      EffectRule{"environment", {"output", "picture"}},
      EffectRule{"reflection", {"output", "picture"}},
      EffectRule{"refraction", {"output", "picture"}},
      EffectRule{"refractive_index", {"output", "picture"}},
      EffectRule{"fresnel", {"output", "picture"}},
      EffectRule{"shading", {"wireframe", "false"}},
      EffectRule{"filter", {"wireframe", "false"}},
      EffectRule{"wrap", {"wireframe", "false"}},
      EffectRule{"textures", {"wireframe", "false"}},
      EffectRule{"ambient", {"wireframe", "false"}},
      EffectRule{"diffuse", {"wireframe", "false"}},
      EffectRule{"specular", {"wireframe", "false"}},
      EffectRule{"light_azimuth", {"wireframe", "false"}},
      EffectRule{"light_elevation", {"wireframe", "false"}},
      EffectRule{"interpolation", {"wireframe", "false"}},
      EffectRule{"environment", {"wireframe", "false"}},
      EffectRule{"reflection", {"wireframe", "false"}},
      EffectRule{"refraction", {"wireframe", "false"}},
      EffectRule{"refractive_index", {"wireframe", "false"}},
      EffectRule{"fresnel", {"wireframe", "false"}},
      EffectRule{"min_area", {"wireframe", "false"}},
      EffectRule{"guard_band", {"wireframe", "false"}},
      EffectRule{"blend", {"output", "picture"}},
      EffectRule{"order", {"output", "picture"}},
      EffectRule{"blend_factor", {"output", "picture"}},
      EffectRule{"blend", {"wireframe", "false"}},
      EffectRule{"order", {"wireframe", "false"}},
      EffectRule{"blend_factor", {"wireframe", "false"}}};
  return rules;
}

}  // namespace threadscape
