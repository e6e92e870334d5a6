#pragma once
// Phantoms: computed test volumes, the inputs of projection and the ground truth of reconstruction.

#include <array>
#include <span>
#include <string_view>

#include "compute/algorithms/tomography/phantom_math.h"
#include "compute/core/data_view.h"

namespace threadscape::volumes {

inline constexpr std::array<std::string_view, 5> phantom_names{"cube", "cavity", "half_sphere", "shepp_logan", "file"};

/// The three-dimensional Shepp-Logan head with the contrasts of Toft: The Radon transform, 1996 (the "modified" one).
[[nodiscard]] std::span<const Ellipsoid> shepp_logan_ellipsoids();

/// The phantom sampled at the centres of the voxels of `grid`. `side` is the length by which the cavity and the half
/// sphere are defined. Throws UsageError for Phantom::file and EnvironmentError if there is not enough memory.
[[nodiscard]] HostArray make_phantom(Phantom phantom, const VolumeGrid& grid, double side);

}  // namespace threadscape::volumes
