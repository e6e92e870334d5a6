// Files of models: OBJ with its materials, PLY, STL, glTF as text and in one file.

#include <array>
#include <string_view>

#include "compute/algorithms/graphics/rasterize/rasterize.h"
#include "compute/io/mesh_file.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/support/compute/scoped_limit.h"

namespace threadscape::fuzz {

FUZZ_TARGET(meshes) {
  constexpr std::array<std::string_view, 5> extensions{".obj", ".ply", ".stl", ".gltf", ".glb"};
  const std::string_view extension = extensions[input.choice(extensions.size())];
  const ScopedLimit pixels(io::Limit::pixels, 1 << 12);
  // The same bytes are the materials that an OBJ file names, so that one input has both.
  if (extension == ".obj") (void)scratch_file("model.mtl", input.bytes());
  const auto path = scratch_file("model" + std::string(extension), input.bytes());
  constexpr MeshLimits limits{.file_bytes = 1 << 20,
                              .vertices = 1 << 14,
                              .triangles = 1 << 14,
                              .materials = 256,
                              .textures = 16,
                              .texture_side = 256,
                              .words = 1 << 20};
  const HostArray mesh = io::load_mesh(path, {}, limits);
  try {
    check_mesh(mesh.view());
  } catch (const UsageError& error) {
    throw Violation("a mesh was read that no algorithm takes: " + std::string(error.what()));
  }
  const MeshView view(mesh.view());
  expect(view.vertices() <= limits.vertices && view.triangles() <= limits.triangles, "a mesh is above its limits");
  for (std::uint32_t i = 0; i < view.vertices(); ++i) {
    const Float3 p = view.position(i), low = view.header().low, high = view.header().high;
    expect(p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y && p.z <= high.z,
           "a vertex is outside of the box of its mesh");
  }
  const Rasterize::Params params;
  (void)Rasterize::plan(params, mesh.view());
}

}  // namespace threadscape::fuzz
