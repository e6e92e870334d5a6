// Files of models: OBJ with its materials, PLY, STL, glTF as text and in one file.

#include <array>
#include <string_view>

#include "compute/io/meshes/mesh_file.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/mesh_expectations.h"
#include "tests/support/compute/scoped_limit.h"

namespace threadscape::fuzz {

FUZZ_TARGET(models) {
  constexpr std::array<std::string_view, 5> extensions{".obj", ".ply", ".stl", ".gltf", ".glb"};
  const std::string_view extension = extensions[input.choice(extensions.size())];
  const ScopedLimit pixels(io::Limit::pixels, 1 << 12);
  // An OBJ file names a file of materials. The input is written as both files, so that it can contain lines of both.
  if (extension == ".obj") (void)scratch_file("model.mtl", input.bytes());
  const auto path = scratch_file("model" + std::string(extension), input.bytes());
  const io::Loaded model = io::load_mesh(path, {}, mesh_limits);
  note_result(model.pixels.view());
  expect_good_mesh(model.pixels);
}

}  // namespace threadscape::fuzz
