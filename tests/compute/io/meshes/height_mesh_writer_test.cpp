// Tests that heights are written as models of the right size and orientation, and as solids where they are printed.

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "compute/io/meshes/mesh_file.h"
#include "compute/io/pictures/heightfield_file.h"
#include "compute/kernel/mesh_view.h"
#include "tests/support/compute/terrain_testing.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::testing {
namespace {

class HeightMeshes : public TestFolder {
 protected:
  /// Heights from -2 to 9.5, four columns and three rows.
  static HostArray hills() {
    return heightfield<float>(4, 3, [](int x, int y) { return y == 2 ? 9.5 - x : x * y - 2.0; });
  }
};

TEST_F(HeightMeshes, AreReadBackWithTheirSidesHeightsAndTriangles) {
  const HostArray heights = hills();
  for (const char* name : {"hills.obj", "hills.glb", "hills.ply"}) {
    io::save_heightfield(path(name), heights.view(), 0);
    const io::Loaded loaded = io::load_mesh(path(name), {});
    EXPECT_EQ(loaded.note, "") << name;
    const auto& mesh = *reinterpret_cast<const MeshHeader*>(loaded.pixels.data());
    EXPECT_EQ(mesh.triangles, 12u) << name;
    const bool z_is_up = std::string(name) == "hills.ply";
    const std::array box{mesh.high.x - mesh.low.x, mesh.high.y - mesh.low.y, mesh.high.z - mesh.low.z};
    EXPECT_EQ(box, (z_is_up ? std::array{3.0f, 2.0f, 11.5f} : std::array{3.0f, 11.5f, 2.0f})) << name;
    // All triangles face upwards.
    const auto* words = reinterpret_cast<const std::uint32_t*>(loaded.pixels.data());
    const auto* positions = reinterpret_cast<const Float3*>(words + mesh.positions_at);
    for (std::uint32_t i = 0; i < mesh.triangles; ++i) {
      const std::uint32_t* corner = words + mesh.triangles_at + 3 * i;
      const Float3 a = positions[corner[0]], b = positions[corner[1]], c = positions[corner[2]];
      const float up = z_is_up ? (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
                               : (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z);
      EXPECT_EQ(up, 1.0f) << name << ", triangle " << i;
    }
  }
  const std::string text = read_bytes(path("hills.obj"));
  EXPECT_EQ(text.substr(0, text.find('\n')), "v 0 -2 0");
  EXPECT_NE(text.find("v 3 6.5 2\nf 1 5 2\nf 2 5 6\n"), std::string::npos) << text;
}

TEST_F(HeightMeshes, AreClosedSolidsInStl) {
  io::save_heightfield(path("hills.stl"), hills().view(), 0);
  const std::string file = read_bytes(path("hills.stl"));
  std::uint32_t count = 0;
  std::memcpy(&count, file.data() + 80, sizeof count);
  ASSERT_EQ(count, 12u + 3 * 10);
  ASSERT_EQ(file.size(), 84 + 50 * std::size_t{count});
  using Corner = std::array<float, 3>;
  std::map<std::pair<Corner, Corner>, int> edges;
  double volume = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::array<Corner, 3> c{};
    std::memcpy(c.data(), file.data() + 84 + 50 * std::size_t{i} + 12, sizeof c);
    for (std::size_t j = 0; j < 3; ++j)
      ++edges[{c[j], c[(j + 1) % 3]}];
    const auto determinant = [&](std::size_t x, std::size_t y, std::size_t z) {
      return double{c[0][x]} * double{c[1][y]} * double{c[2][z]};
    };
    volume += (determinant(0, 1, 2) - determinant(0, 2, 1) + determinant(1, 2, 0) - determinant(1, 0, 2) +
               determinant(2, 0, 1) - determinant(2, 1, 0)) /
              6;
  }
  // Every edge belongs to two triangles, which pass it in opposite directions.
  for (const auto& [edge, times] : edges) {
    EXPECT_EQ(times, 1);
    EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
  }
  // The sum over all triangles of their area seen from above times their mean height above the bottom.
  const HostArray heights = hills();
  const auto at = heights.image<float>();
  double expected = 0;
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 3; ++x)
      expected += (double{at(x, y)} + at(x, y + 1) + at(x + 1, y)) / 6 +
                  (double{at(x + 1, y)} + at(x, y + 1) + at(x + 1, y + 1)) / 6;
  const double bottom = -2 - 3.0 / 20;
  EXPECT_NEAR(volume, expected - 6 * bottom, 1e-4);
}

TEST_F(HeightMeshes, HaveGapsWhereHeightsHaveHoles) {
  HostArray heights = hills();
  heights.image<float>()(0, 0) = std::nanf("");
  for (const char* name : {"gap.obj", "gap.glb", "gap.ply"}) {
    io::save_heightfield(path(name), std::as_const(heights).view(), 0);
    EXPECT_EQ(reinterpret_cast<const MeshHeader*>(io::load_mesh(path(name), {}).pixels.data())->triangles, 11u) << name;
  }
  io::save_heightfield(path("gap.stl"), std::as_const(heights).view(), 0);
  EXPECT_EQ(read_bytes(path("gap.stl")).size(), 84u + 50 * (12 + 30));
}

TEST_F(HeightMeshes, NeedAnArea) {
  const HostArray line = heightfield<std::uint8_t>(4, 1, [](int x, int) { return x; });
  for (const char* name : {"line.obj", "line.glb", "line.ply", "line.stl"})
    EXPECT_THROW(io::save_heightfield(path(name), line.view(), 0), UsageError) << name;
  EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace threadscape::testing
