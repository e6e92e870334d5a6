#pragma once
// Occlusion of whole objects: an object whose box on the screen is behind what has been drawn there loses every test of
// depth, so that its triangles are neither clipped nor set up. The nearer objects are drawn first. The picture is that
// of all triangles.

#include "compute/algorithms/graphics/rasterize/rasterize_math.h"

namespace threadscape::rasterize {

/// Triangles first .. end - 1 of the mesh.
struct MeshObject {
  std::uint32_t first = 0, end = 0;
};
/// The objects of a mesh, from the nearest to the farthest.
struct ObjectList {
  static constexpr int most = 64;
  MeshObject at[most];
  int count = 0;
};

/// Returns true if the plan tests objects.
[[nodiscard]] TS_HD inline bool tests_objects(const Plan& plan) {
  return plan.occlusion && plan.visibility == Visibility::z_buffer && !plan.wireframe &&
         plan.output != Output::overdraw;
}

/// Where an object is on the screen: a box of pixels that contains all of its fragments, empty if x1 < x0 or y1 < y0,
/// and a key of depth that none of them is in front of.
struct ObjectBounds {
  int x0 = 0x7fffffff, y0 = 0x7fffffff, x1 = -0x7fffffff, y1 = -0x7fffffff;
  std::uint32_t nearest = 0xffffffffu;
};

/// The bounds of a corner of triangles. Depths of fragments lie between those of the corners (depth_at()). Planes give
/// triangles that they cut other corners, so that a corner outside of such a plane is everywhere.
[[nodiscard]] TS_HD inline ObjectBounds bounds_of(const ClipVertex& v, const Plan& plan) {
  ScreenVertex on_screen;
  if (!is_finite(v) || outcode(v, plan.guard_band ? 2.0f : 1.0f) != 0 ||
      !to_screen(v, plan.width, plan.height, on_screen))
    return {0, 0, plan.width - 1, plan.height - 1, 0};
  return {first_pixel(on_screen.x), first_pixel(on_screen.y), last_pixel(on_screen.x), last_pixel(on_screen.y),
          depth_key(on_screen.z, plan.depth_bits)};
}

/// Extends `all` by `one`.
TS_HD inline void join(ObjectBounds& all, const ObjectBounds& one) {
  all.x0 = min_of(all.x0, one.x0);
  all.y0 = min_of(all.y0, one.y0);
  all.x1 = max_of(all.x1, one.x1);
  all.y1 = max_of(all.y1, one.y1);
  all.nearest = one.nearest < all.nearest ? one.nearest : all.nearest;
}

/// The part of the bounds in the columns of the picture and in the rows y0 .. y1 - 1.
[[nodiscard]] TS_HD inline ObjectBounds cut_to_rows(ObjectBounds bounds, int width, int y0, int y1) {
  bounds.x0 = max_of(bounds.x0, 0);
  bounds.y0 = max_of(bounds.y0, y0);
  bounds.x1 = min_of(bounds.x1, width - 1);
  bounds.y1 = min_of(bounds.y1, y1 - 1);
  return bounds;
}

/// The objects of a mesh: a triangle belongs to the object of the one before it if it shares a vertex with that object.
/// If there are more than ObjectList::most, neighbours in the mesh are put together.
[[nodiscard]] ObjectList find_objects(const Plan& plan, const MeshView& mesh);

}  // namespace threadscape::rasterize
