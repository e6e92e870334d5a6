#pragma once
// The value of a voxel of a phantom, shared by all backends.

#include "compute/algorithms/tomography/volume_grid.h"

namespace threadscape::volumes {

/// cube: 1 everywhere.
/// cavity: 1, but 0 where the centre of a voxel is within side / 6 of the point (-side / 4, -side / 4, -side / 4).
/// half_sphere: 1 where the centre of a voxel is within side / 2 of the origin and its x index is below nx / 2, else 0.
/// shepp_logan: the head of ten ellipsoids, see shepp_logan_ellipsoids().
/// file: no phantom; the volume is read from a file.
enum class Phantom : std::uint8_t { cube, cavity, half_sphere, shepp_logan, file };

/// An ellipsoid with the half-axes a, b, c and the centre (x, y, z), in units of half a side of the volume, rotated by
/// `angle` degrees about the z axis (anticlockwise seen from +z). Where ellipsoids overlap, their values are added.
struct Ellipsoid {
  double value, a, b, c, x, y, z, angle;
};
/// An ellipsoid as kernels take it: with the sine and the cosine of its angle.
struct TurnedEllipsoid {
  Ellipsoid shape;
  double sine, cosine;

  /// Returns true if a point, in units of half a side of the volume, lies in the ellipsoid.
  [[nodiscard]] TS_HD bool contains(double px, double py, double pz) const {
    const double x = px - shape.x, y = py - shape.y, z = pz - shape.z;
    const double u = (x * cosine + y * sine) / shape.a, v = (y * cosine - x * sine) / shape.b, w = z / shape.c;
    return u * u + v * v + w * w <= 1;
  }
};

inline constexpr int head_ellipsoids = 10;

/// A phantom on a grid, passed to kernels by value.
struct PhantomPlan {
  Phantom phantom = Phantom::cube;
  VolumeGrid grid;
  double side = 1;  ///< The length by which the cavity and the half sphere are defined.
  TurnedEllipsoid head[head_ellipsoids] = {};

  /// The value of the voxel with these indices.
  [[nodiscard]] TS_HD float at(int x, int y, int z) const {
    const Point p = grid.centre_of(x, y, z);
    switch (phantom) {
      case Phantom::cavity: {
        const double dx = p.x + side / 4, dy = p.y + side / 4, dz = p.z + side / 4;
        return dx * dx + dy * dy + dz * dz <= side / 6 * (side / 6) ? 0.0f : 1.0f;
      }
      case Phantom::half_sphere:
        return x < grid.nx / 2 && p.x * p.x + p.y * p.y + p.z * p.z <= side / 2 * (side / 2) ? 1.0f : 0.0f;
      case Phantom::shepp_logan: {
        const double u = p.x / grid.side_x() * 2, v = p.y / grid.side_y() * 2, w = p.z / grid.side_z() * 2;
        double sum = 0;
        for (int i = 0; i < head_ellipsoids; ++i)
          if (head[i].contains(u, v, w)) sum += head[i].shape.value;
        return static_cast<float>(sum);
      }
      default:
        return 1.0f;
    }
  }
};

/// The plan of a phantom. Throws UsageError for Phantom::file.
[[nodiscard]] PhantomPlan phantom_plan(Phantom phantom, const VolumeGrid& grid, double side);

}  // namespace threadscape::volumes
