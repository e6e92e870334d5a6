// Models in the flat form that the process which reads them hands over. A damaged model may make that process write
// anything.

#include <cstring>
#include <vector>

#include "compute/io/meshes/model_scene.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/mesh_expectations.h"
#include "tests/support/compute/scoped_limit.h"

namespace threadscape::fuzz {

namespace {

/// A scene with the header and the items of these bytes, but with small numbers of items, and cut off or filled up with
/// zeros to the length that they need. Otherwise almost every change of a header would make the length wrong, and no
/// item would be looked at.
std::vector<std::byte> fitting_scene(io::Bytes bytes) {
  io::SceneHeader header;
  std::memcpy(&header, bytes.data(), std::min(bytes.size(), sizeof(header)));
  header.magic = io::scene_magic;
  header.content = io::SceneContent::scene;
  header.vertices %= 32;
  header.triangles = 1 + header.triangles % 32;
  header.materials %= 8;
  header.textures %= 8;
  header.text_bytes %= 128;
  header.data_bytes %= 1024;
  std::vector<std::byte> scene(bytes.begin(), bytes.end());
  scene.resize(sizeof(header) + static_cast<std::size_t>(io::scene_bytes(header, mesh_limits)));
  std::memcpy(scene.data(), &header, sizeof(header));
  return scene;
}

}  // namespace

FUZZ_TARGET(meshes) {
  const bool fitted = input.choice(2) == 1;
  const ScopedLimit pixels(io::Limit::pixels, 1 << 12);
  const auto path = scratch_path("model.obj");
  if (fitted)
    expect_good_mesh(io::mesh_of_scene(fitting_scene(input.bytes()), path, {}, mesh_limits).pixels);
  else
    expect_good_mesh(io::mesh_of_scene(input.bytes(), path, {}, mesh_limits).pixels);
}

}  // namespace threadscape::fuzz
