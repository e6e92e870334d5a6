#include "compute/algorithms/tomography/phantom.h"

#include <cmath>
#include <iterator>
#include <numbers>

#include "compute/algorithms/tomography/phantom_math.h"
#include "compute/core/data.h"

namespace threadscape::volumes {

namespace {

constexpr Ellipsoid head[]{
    {1.0, .69, .92, .81, 0, 0, 0, 0},      {-.8, .6624, .874, .78, 0, -.0184, 0, 0},
    {-.2, .11, .31, .22, .22, 0, 0, -18},  {-.2, .16, .41, .28, -.22, 0, 0, 18},
    {.1, .21, .25, .41, 0, .35, -.15, 0},  {.1, .046, .046, .05, 0, .1, .25, 0},
    {.1, .046, .046, .05, 0, -.1, .25, 0}, {.1, .046, .023, .05, -.08, -.605, 0, 0},
    {.1, .023, .023, .02, 0, -.606, 0, 0}, {.1, .023, .046, .05, .06, -.605, 0, 0},
};

}  // namespace

std::span<const Ellipsoid> shepp_logan_ellipsoids() {
  return head;
}

PhantomPlan phantom_plan(Phantom phantom, const VolumeGrid& grid, double side) {
  if (phantom == Phantom::file)
    throw UsageError("phantom=file needs a volume as INPUT (.mhd, .raw, .dat or a stack of pictures)");
  PhantomPlan plan{.phantom = phantom, .grid = grid, .side = side};
  static_assert(std::size(head) == head_ellipsoids);
  for (std::size_t i = 0; i < head_ellipsoids; ++i) {
    const double angle = head[i].angle * std::numbers::pi / 180;
    plan.head[i] = {head[i], std::sin(angle), std::cos(angle)};
  }
  return plan;
}

HostArray make_phantom(Phantom phantom, const VolumeGrid& grid, double side) {
  const PhantomPlan plan = phantom_plan(phantom, grid, side);
  HostArray volume(grid.shape());
  auto* voxels = reinterpret_cast<float*>(volume.data());
  // Layers along y are computed in parallel, since the user waits for the phantom.
#pragma omp parallel for schedule(static)
  for (int y = 0; y < grid.ny; ++y)
    for (int z = 0; z < grid.nz; ++z)
      for (int x = 0; x < grid.nx; ++x)
        voxels[grid.index(x, y, z)] = plan.at(x, y, z);
  return volume;
}

}  // namespace threadscape::volumes
