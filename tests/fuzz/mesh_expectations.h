#pragma once
// What every mesh fulfils that a reader returns.

#include <string>

#include "compute/algorithms/graphics/rasterize/rasterize.h"
#include "compute/core/mesh.h"
#include "tests/fuzz/fuzzing.h"

namespace threadscape::fuzz {

/// Limits for meshes from inputs of fuzzers, which are small.
inline constexpr MeshLimits mesh_limits{.file_bytes = 1 << 20,
                                        .vertices = 1 << 14,
                                        .triangles = 1 << 14,
                                        .materials = 256,
                                        .textures = 16,
                                        .texture_side = 256,
                                        .words = 1 << 20};

/// Throws Violation unless algorithms take the mesh, and its limits and its box hold.
inline void expect_good_mesh(const HostArray& mesh) {
  try {
    check_mesh(mesh.view());
  } catch (const UsageError& error) {
    throw Violation("a mesh was read that no algorithm takes: " + std::string(error.what()));
  }
  const MeshView view(mesh.view());
  expect(view.vertices() <= mesh_limits.vertices && view.triangles() <= mesh_limits.triangles,
         "a mesh is above its limits");
  for (std::uint32_t i = 0; i < view.vertices(); ++i) {
    const Float3 p = view.position(i), low = view.header().low, high = view.header().high;
    expect(p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y && p.z <= high.z,
           "a vertex is outside of the box of its mesh");
  }
  const Rasterize::Params params;
  (void)Rasterize::plan(params, mesh.view());
}

}  // namespace threadscape::fuzz
