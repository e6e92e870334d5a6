#pragma once
// The grid of a volume and its order in memory. The axes are right-handed, and the origin is the centre of the volume.
// The source and the detector of a scanner rotate in the xy-plane, about z.
//
// In memory x is fastest, then z, then y: voxel (x, y, z) has the index x + z * nx + y * nx * nz, so that a slab of
// layers along y is contiguous. As a Shape a volume is therefore nx wide, nz high and ny deep, and VolumeView(x, z, y)
// is voxel (x, y, z). Other files rely on shape() and index() and do not repeat this order.

#include "compute/kernel/shape.h"

namespace threadscape::volumes {

struct Point {
  double x = 0.0, y = 0.0, z = 0.0;
};

struct VolumeGrid {
  int nx = 1, ny = 1, nz = 1;                          ///< Number of voxels along each axis.
  double voxel_x = 1.0, voxel_y = 1.0, voxel_z = 1.0;  ///< Sides of a voxel. Their unit is that of all lengths.

  [[nodiscard]] TS_HD double side_x() const { return nx * voxel_x; }
  [[nodiscard]] TS_HD double side_y() const { return ny * voxel_y; }
  [[nodiscard]] TS_HD double side_z() const { return nz * voxel_z; }
  [[nodiscard]] TS_HD std::ptrdiff_t index(int x, int y, int z) const {
    return x + (z + static_cast<std::ptrdiff_t>(y) * nz) * nx;
  }
  [[nodiscard]] TS_HD Point centre_of(int x, int y, int z) const {
    return {(x + 0.5) * voxel_x - 0.5 * side_x(), (y + 0.5) * voxel_y - 0.5 * side_y(),
            (z + 0.5) * voxel_z - 0.5 * side_z()};
  }
  [[nodiscard]] Shape shape() const { return {Kind::volume, Element::f32, 1, nx, nz, ny}; }
  friend bool operator==(const VolumeGrid&, const VolumeGrid&) = default;
};

/// The grid of a volume in memory: the counts of its shape, and voxels with the given sides.
[[nodiscard]] inline VolumeGrid grid_of(const Shape& volume, double voxel_x, double voxel_y, double voxel_z) {
  return {static_cast<int>(volume.width),
          static_cast<int>(volume.depth),
          static_cast<int>(volume.height),
          voxel_x,
          voxel_y,
          voxel_z};
}

}  // namespace threadscape::volumes
