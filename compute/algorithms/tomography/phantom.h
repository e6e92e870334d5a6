#pragma once
// Phantoms: computed test volumes, the inputs of projection and the ground truth of reconstruction.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "compute/algorithms/tomography/volume_grid.h"
#include "compute/core/data.h"

namespace threadscape::volumes {

/// cube: 1 everywhere.
/// cavity: 1, but 0 where the centre of a voxel is within side / 6 of the point (-side / 4, -side / 4, -side / 4).
/// half_sphere: 1 where the centre of a voxel is within side / 2 of the origin and its x index is below nx / 2, else 0.
/// shepp_logan: the head of ten ellipsoids, see shepp_logan_ellipsoids().
/// file: no phantom; the volume is read from a file.
enum class Phantom : std::uint8_t { cube, cavity, half_sphere, shepp_logan, file };
inline constexpr std::array<std::string_view, 5> phantom_names{"cube", "cavity", "half_sphere", "shepp_logan", "file"};

/// An ellipsoid with the half-axes a, b, c and the centre (x, y, z), in units of half a side of the volume, rotated by
/// `angle` degrees about the z axis (anticlockwise seen from +z). Where ellipsoids overlap, their values are added.
struct Ellipsoid {
  double value, a, b, c, x, y, z, angle;
};
/// The three-dimensional Shepp-Logan head with the contrasts of Toft: The Radon transform, 1996 (the "modified" one).
[[nodiscard]] std::span<const Ellipsoid> shepp_logan_ellipsoids();

/// The phantom sampled at the centres of the voxels of `grid`. `side` is the length by which the cavity and the half
/// sphere are defined. Throws UsageError for Phantom::file and EnvironmentError if there is not enough memory.
[[nodiscard]] HostArray make_phantom(Phantom phantom, const VolumeGrid& grid, double side);

}  // namespace threadscape::volumes
