#pragma once
// What the host prepares for a run of the rasteriser: its plan, and the map of what surrounds the mesh.

#include <cstdint>
#include <memory>
#include <vector>

#include "compute/algorithms/graphics/rasterize/rasterize_objects.h"
#include "compute/algorithms/graphics/rasterize/rasterize_plan.h"
#include "compute/core/mesh.h"
#include "compute/core/preparation.h"

namespace threadscape::rasterize {

class StageClock;

/// A map that the texels of an Environment are a part of.
struct EnvironmentMap {
  std::vector<std::uint32_t> texels;
  int side = 0;
  std::uint64_t version = 0;
};

/// The plan of a run, made from its parameters and the box of its mesh.
struct Prepared final : Preparation {
  Plan plan;
  ObjectList objects;                                 ///< Parts of the mesh, if the plan tests them.
  std::shared_ptr<const EnvironmentMap> environment;  ///< What the plan points to; null if there is no map.
  StageClock* clock = nullptr;  ///< Gets the times of the stages (rasterize_clock.h); null if nobody asks.

  /// Completes a plan of whole triangles: divides them, and finds the objects of the mesh if the plan tests them.
  void complete(int division, const MeshView& mesh) {
    plan.division = division;
    plan.triangles <<= 2 * division;
    if (tests_objects(plan)) objects = rasterize::find_objects(plan, mesh);
  }
};

}  // namespace threadscape::rasterize
