#pragma once
// The planes of the variants that work phase by phase: one per channel, with a ghost area around the picture.
//
//   +--------------------------+
//   |  ghost area              |   Under a neutral border the ghost cells are white for an erosion and black for a
//   |    +----------------+    |   dilation, under the other borders they repeat pixels of the picture. No step has to
//   |    |  picture       |    |   ask whether a pixel of its window lies outside.
//   |    +----------------+    |
//   +--------------------------+
//
//   phase           OpenMP (morphology_phases.cpp)            CUDA (morphology_planes.cu)
//   split           channels into planes, and their ghost     split_channels
//   ghost area      ghost cells of the planes of results      set_default, repeat_border
//   steps           erosions and dilations, per channel       step_plane
//   compose         planes into a picture, with alpha         compose_image

#include <algorithm>
#include <cstddef>

#include "compute/algorithms/morphology/morphology/morphology_plan.h"
#include "compute/core/shape.h"

namespace threadscape::morphology {

/// A plane in cells: the picture, and the ghost cells on each side, as many as the windows of all steps reach out.
struct PlaneExtent {
  int width = 0, height = 0;  ///< Size of the picture.
  int left = 0, top = 0, right = 0, bottom = 0;

  PlaneExtent(const Plan& plan, const Shape& shape)
      : width(static_cast<int>(shape.width)), height(static_cast<int>(shape.height)) {
    for (const auto* steps : {&plan.side, &plan.steps})
      for (const Step& step : *steps) {
        left = std::max(left, -step.window->left);
        top = std::max(top, -step.window->top);
        right = std::max(right, step.window->right());
        bottom = std::max(bottom, step.window->bottom());
      }
  }
  [[nodiscard]] TS_HD int columns() const { return left + width + right; }
  [[nodiscard]] TS_HD int rows() const { return top + height + bottom; }
  [[nodiscard]] std::size_t cells() const {
    return static_cast<std::size_t>(columns()) * static_cast<std::size_t>(rows());
  }
};

/// Planes per channel: those that a step reads and writes, and the side result of the plan.
[[nodiscard]] inline int planes_per_channel(const Plan& plan) {
  return plan.side.empty() ? 2 : 3;
}

/// The two of a channel's planes that a branch of the plan uses: its steps read and write them in turns, from `first`.
struct PlanePair {
  int first = 0, second = 1;

  /// The plane that step `i` reads; step i - 1 has written it.
  [[nodiscard]] int read_by(std::size_t i) const { return i % 2 == 0 ? first : second; }
};
/// The pair for the branch after the one that has left its result in the plane `kept`.
[[nodiscard]] inline PlanePair pair_beside(int kept) {
  return {kept == 0 ? 2 : 0, kept == 1 ? 2 : 1};
}

}  // namespace threadscape::morphology
