#include "app/shell/advanced_fields.h"

#include <algorithm>
#include <array>
#include <utility>

namespace threadscape::app {

namespace {

// What changes the picture most, and what one tries first, is never advanced. Conventions, limits and what other fields
// state by default are.
constexpr auto of_convolution =
    std::to_array<std::string_view>({"divisor", "divide_by", "bias", "absolute", "border", "channels", "alpha"});
constexpr auto of_terrain = std::to_array<std::string_view>({"edges", "last_step", "random", "seed_grid", "bits"});
constexpr auto of_morphology = std::to_array<std::string_view>({"origin_x", "origin_y", "element", "flat", "border"});
constexpr auto of_seams =
    std::to_array<std::string_view>({"start", "restore_size", "seams_per_pass", "order", "output", "map"});
constexpr auto of_phantom = std::to_array<std::string_view>({"voxels_y", "voxels_z", "voxel_size_y", "voxel_size_z"});
constexpr auto of_scanner = std::to_array<std::string_view>(
    {"voxels_y", "voxels_z", "voxel_size_y", "voxel_size_z", "detector_rows", "pixel_size_v", "offset_u", "offset_v",
     "turn", "reverse", "angles", "slab", "row", "nonnegative"});
constexpr auto of_rasterizer = std::to_array<std::string_view>({"culling",
                                                                "filter",
                                                                "wrap",
                                                                "blend",
                                                                "order",
                                                                "blend_factor",
                                                                "min_opacity",
                                                                "min_area",
                                                                "depth_bits",
                                                                "depth_test",
                                                                "interpolation",
                                                                "clip_lines",
                                                                "guard_band",
                                                                "emission",
                                                                "ambient",
                                                                "diffuse",
                                                                "specular",
                                                                "environment_map",
                                                                "refractive_index",
                                                                "fresnel",
                                                                "target_x",
                                                                "target_y",
                                                                "target_z",
                                                                "near",
                                                                "far",
                                                                "model",
                                                                "view_matrix",
                                                                "projection_matrix"});

constexpr auto table =
    std::to_array<std::pair<std::string_view, std::span<const std::string_view>>>({{"convolution", of_convolution},
                                                                                   {"diamond_square", of_terrain},
                                                                                   {"morphology", of_morphology},
                                                                                   {"seam_carving", of_seams},
                                                                                   {"phantom", of_phantom},
                                                                                   {"projection", of_scanner},
                                                                                   {"reconstruction", of_scanner},
                                                                                   {"rasterize", of_rasterizer}});

}  // namespace

std::span<const std::string_view> advanced_names(std::string_view algorithm) {
  for (const auto& [name, fields] : table)
    if (name == algorithm) return fields;
  return {};
}

bool AdvancedFields::has(const FieldRef& field) const {
  return std::ranges::find(names_, field.name) != names_.end();
}

bool AdvancedFields::needed(const std::vector<FieldRef>& fields) const {
  return std::ranges::any_of(fields, [this](const FieldRef& field) { return has(field) && needed_(field); });
}

std::string AdvancedFields::title(const std::vector<FieldRef>& fields) const {
  const std::vector<FieldRef> usual = standard_.fields();
  std::size_t changed = 0;
  for (std::size_t i = 0; i < fields.size() && i < usual.size(); ++i)
    if (has(fields[i]) && to_text(fields[i]) != to_text(usual[i])) ++changed;
  return changed == 0 ? "Advanced" : "Advanced (" + std::to_string(changed) + " changed)";
}

}  // namespace threadscape::app
