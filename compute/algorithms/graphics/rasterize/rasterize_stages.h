#pragma once
// What each stage does to a vertex, a triangle or a pixel, for views that explain the pipeline. These functions run on
// the host and compute what the backends compute, with the same functions. `mesh` has passed check_mesh().

#include <cstdint>
#include <vector>

#include "compute/algorithms/graphics/rasterize/rasterize.h"
#include "compute/algorithms/graphics/rasterize/rasterize_shade.h"

namespace threadscape::rasterize {

/// A vertex after each stage.
struct VertexStages {
  Float3 object, world, camera;
  ClipVertex clip;
  unsigned outside = 0;            ///< A bit for each plane of the view volume that it is outside of (outcode()).
  bool on_screen = false;          ///< It has a place on the screen: w is positive. The values below are valid if so.
  Float3 normalised;               ///< x, y and z divided by w: -1..1 inside of the view volume.
  ScreenVertex screen{};           ///< In 1/256 pixel.
  float pixel_x = 0, pixel_y = 0;  ///< The same in pixels; the centre of pixel (0, 0) is (0, 0).
  Light light{};                   ///< What Gouraud shading interpolates, for the material of `triangle`.
};
/// The vertex at a corner (0, 1, 2) of a triangle.
[[nodiscard]] VertexStages vertex_stages(const Plan& plan, const MeshView& mesh, std::uint32_t triangle, int corner);

/// A triangle after clipping and set-up.
struct TriangleStages {
  Fate fate = Fate::drawn;
  bool clipped = false;
  Polygon polygon;            ///< What clipping left; empty if the fate is outside or not_finite.
  std::vector<Piece> pieces;  ///< The triangles that are drawn of the polygon.
};
[[nodiscard]] TriangleStages triangle_stages(const Plan& plan, const MeshView& mesh, std::uint32_t triangle);

/// The edge functions of a piece at a pixel, as rasterize_math.h defines them: covered where all are at least 0.
struct Coverage {
  int x, y;
  std::int64_t edge[3];
  bool covered;
};
/// The pixels x0 .. x1 of the rows y0 .. y1; none if x1 < x0 or y1 < y0.
struct PixelRange {
  int x0, y0, x1, y1;
};
/// The pixels of the piece's bounding box, row by row.
[[nodiscard]] std::vector<Coverage> coverage(const Piece& piece);
/// Those of them that are in a range.
[[nodiscard]] std::vector<Coverage> coverage(const Piece& piece, const PixelRange& range);

/// Why a fragment is seen or not.
enum class Outcome : std::uint8_t {
  visible,     ///< Its colour is in the picture.
  covered,     ///< It passed the depth test, and a later fragment replaced it.
  lost_depth,  ///< A fragment before it is in front of it, or at the same depth.
  lost_far,    ///< It is at the depth of an empty pixel.
  blended      ///< It is transparent, and was blended into the pixel.
};

/// A fragment that fell on a pixel.
struct FragmentRecord {
  std::uint32_t triangle = 0;
  float depth = 0.0f;  ///< As the depth buffer stores it.
  Colour colour{};     ///< Of the fragment itself.
  Outcome outcome = Outcome::visible;
  std::uint32_t pixel_after = 0;  ///< The pixel after this fragment, red in the lowest byte.
};
/// All fragments of a pixel in the order in which they are drawn: opaque ones by the number of their triangle, then
/// transparent ones in the order of blending. Empty for wireframes.
[[nodiscard]] std::vector<FragmentRecord> pixel_history(const Plan& plan, const MeshView& mesh, int x, int y);

/// How much work each stage had.
struct Counters {
  std::uint64_t triangles = 0;
  std::uint64_t outside = 0, culled = 0, degenerate = 0, not_finite = 0;  ///< Triangles that ended there.
  std::uint64_t too_small = 0, too_transparent = 0;                       ///< Left out by contribution culling.
  std::uint64_t clipped = 0;                                              ///< Triangles that planes cut.
  std::uint64_t rasterised = 0;  ///< Triangles drawn, pieces of clipped ones counted one by one.
  std::uint64_t objects = 0, hidden_objects = 0, hidden_triangles = 0;  ///< If objects are tested (Plan::occlusion).
  std::uint64_t fragments = 0;
  std::uint64_t killed_early = 0, killed_late = 0;  ///< Lost the depth test before, or after they got a colour.
  std::uint64_t in_blocks = 0;                      ///< Killed early by a test of their whole block.
  std::uint64_t shaded = 0;                         ///< Got a colour.
  std::uint64_t blended = 0;                        ///< Transparent fragments in front of all opaque ones.
};
/// Draws the whole mesh in the order of its triangles, or of its objects if these are tested, and counts. Uses 4 bytes
/// of memory per pixel.
[[nodiscard]] Counters count_work(const Plan& plan, const MeshView& mesh);

}  // namespace threadscape::rasterize
