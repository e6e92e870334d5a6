#pragma once
// Volumes made from nothing: what projections are tried on.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "compute/algorithms/tomography/volume_grid.h"
#include "compute/core/data.h"

namespace threadscape::volumes {

/// cube: 1 everywhere. cavity: 1, but 0 where a voxel's centre is within side / 6 of the point -side / 4 on each axis.
/// half_sphere: 1 where a voxel's centre is within side / 2 of the centre and the x index is below nx / 2, else 0.
/// shepp_logan: the head of ten ellipsoids. `file` is none of them: the volume is read.
enum class Phantom : std::uint8_t { cube, cavity, half_sphere, shepp_logan, file };
inline constexpr std::array<std::string_view, 5> phantom_names{"cube", "cavity", "half_sphere", "shepp_logan", "file"};

/// An ellipsoid in units of half a side of the volume, turned by `angle` degrees about the z axis (anticlockwise seen
/// from +z). Ellipsoids add up.
struct Ellipsoid {
  double value, a, b, c, x, y, z, angle;
};
/// The three-dimensional Shepp-Logan head with the contrasts of Toft: The Radon transform, 1996 (the "modified" one).
[[nodiscard]] std::span<const Ellipsoid> shepp_logan_ellipsoids();

/// `side` is the length that the cavity and the half sphere refer to. Throws UsageError for Phantom::file,
/// EnvironmentError when the memory cannot be had.
[[nodiscard]] HostArray make_phantom(Phantom phantom, const VolumeGrid& grid, double side);

}  // namespace threadscape::volumes
