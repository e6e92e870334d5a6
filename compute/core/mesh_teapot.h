#pragma once
// The Utah teapot that Martin Newell described by 32 bicubic Bezier patches in 1975, as tabulated by F. Crow, "The
// Origins of the Teapot", IEEE Computer Graphics and Applications 7(1), 1987.

#include <array>
#include <vector>

namespace threadscape {

/// A point of a patch in double precision.
struct PatchPoint {
  double x = 0.0, y = 0.0, z = 0.0;
};
/// The 4 x 4 control points of a bicubic Bezier patch, row by row. Rows go down the surface from the lid or along the
/// handle and the spout; seen from outside, points of a row go counter-clockwise about the axis of the teapot.
using BezierPatch = std::array<PatchPoint, 16>;

/// The patches in the coordinates of the table: z is up, the bottom is at z = 0, the spout points to +x. First the 24
/// of the surfaces of revolution (rim, body, lid, bottom, four quadrants each), then four of the handle, four of the
/// spout.
[[nodiscard]] std::vector<BezierPatch> teapot_patches();

/// A point of a patch and the direction of its normal, which is undefined where a border has collapsed to a point.
struct PatchSample {
  PatchPoint point, normal;
};
/// The point at (column / steps, row / steps) of the patch. Points of a border are equal to the bit for both patches
/// that share its control points, in either direction.
[[nodiscard]] PatchSample sample_patch(const BezierPatch& patch, int column, int row, int steps);

}  // namespace threadscape
