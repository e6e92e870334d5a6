#pragma once
// What a run of morphology does, step by step: the same for the OpenMP and the CUDA backend.

#include <memory>
#include <vector>

#include "compute/algorithms/morphology/morphology/morphology_element.h"
#include "compute/algorithms/morphology/morphology/morphology_math.h"
#include "compute/core/border.h"

namespace threadscape::morphology {

/// One erosion or dilation.
struct Step {
  std::shared_ptr<const Window> window;
  bool erode = true;
};

/// `side` is worked through first, if there is any; its result is kept. Then `steps`. Then Finish, or the
/// reconstruction.
struct Plan {
  std::vector<Step> side, steps;
  Finish finish = Finish::none;
  bool reconstruct = false;  ///< the result of `steps` grows back, as far as the original allows
  /// Border::zero stands for Outside::neutral: border_index() then says -1, and such pixels are left out.
  Border border = Border::zero;

  [[nodiscard]] bool neutral() const { return border == Border::zero; }
};

}  // namespace threadscape::morphology
