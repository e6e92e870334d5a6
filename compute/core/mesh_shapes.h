#pragma once
// Built-in meshes, which need no file. They fit into the box -1.1..1.1, y is up, and every surface is a grid of
// subdivided patches, so that a subdivision chooses the number of triangles.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compute/core/mesh.h"

namespace threadscape {

/// plane: a square with a checkered texture. cube: bricks, with maps of colours, normals and highlights. sphere, torus:
/// by longitude and latitude, divided at least three times, the torus with coloured vertices. teapot: Newell's 32
/// patches. room: a box with a red and a green wall, a lamp and two blocks, after the Cornell box. crossing: two planes
/// that cross at a small angle, so that depths of few bits fight. glass: five transparent panes of different colours
/// one behind the other, before an opaque wall; one of them has an alpha map.
enum class MeshShape : std::uint8_t { plane, cube, sphere, torus, teapot, room, crossing, glass };
inline constexpr std::array<std::string_view, 8> mesh_shape_names{"plane",  "cube", "sphere",   "torus",
                                                                  "teapot", "room", "crossing", "glass"};

inline constexpr int max_mesh_subdivision = 1024;
inline constexpr int default_mesh_subdivision = 8;

/// The shape of the mesh that make_builtin_mesh() makes. A side of each patch is divided `subdivision` times, in
/// 1..max_mesh_subdivision: with n of them, the teapot has 64 n n - 8 n triangles. Throws UsageError if it is not in
/// this range; so does make_builtin_mesh().
[[nodiscard]] Shape builtin_mesh_shape(MeshShape shape, int subdivision);
/// Makes the mesh. Throws EnvironmentError if memory runs out.
[[nodiscard]] HostArray make_builtin_mesh(MeshShape shape, int subdivision);

/// A built-in mesh as text: "teapot", or "teapot:125" with a subdivision.
struct BuiltinMesh {
  MeshShape shape = MeshShape::teapot;
  int subdivision = default_mesh_subdivision;
};
/// Nothing if the text up to the colon is not the name of a built-in mesh. Throws UsageError if it is, and what follows
/// the colon is not a subdivision.
[[nodiscard]] std::optional<BuiltinMesh> parse_builtin_mesh(std::string_view text);

/// The heights as a grid of (width - 1) x (height - 1) squares of two triangles each. The longer side is 2 long and
/// centred, the first row is at the back (z < 0), and the heights are y: their range is `relief` times the longer side,
/// and centred. Normals follow from central differences, colours from the height. Throws UsageError if an extent is
/// below 2, if a height is not finite, or if the grid is above the limits of meshes; EnvironmentError if memory runs
/// out.
[[nodiscard]] HostArray mesh_of_heights(const HostIn& heights, float relief = 0.15f);
/// The shape of mesh_of_heights() for heights of this shape. Throws UsageError if an extent is below 2, or if the grid
/// is above the limits of meshes.
[[nodiscard]] Shape mesh_shape_of_heights(const Shape& heights);

inline constexpr std::uint32_t smallest_random_mesh = 256;
/// Makes a mesh of mesh_shape(words) for `verify` and the tests: as many triangles as fit, at random places in the box
/// -1.5..1.5, up to `extent` long in each direction, with random normals, colours, texture coordinates and one of two
/// materials, which have a random texture as their maps. It is equal on every machine. Throws UsageError if `words` is
/// below smallest_random_mesh.
[[nodiscard]] HostArray make_random_mesh(std::uint32_t words, float extent, std::uint64_t seed);

}  // namespace threadscape
