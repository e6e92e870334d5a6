#pragma once
// What a run of morphology does, step by step, for the OpenMP and the CUDA backend.
//
//          side:   step, step, ... -----> side result --.
// input --|                                             |--> Finish or reconstruction --> output
//          steps:  step, step, ... -----> result -------'

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

/// The branch `side` is executed first, if it has steps, then `steps`, then Finish or the reconstruction.
struct Plan {
  std::vector<Step> side, steps;
  Finish finish = Finish::none;
  /// The result of `steps` grows back as far as the input allows (reconstruction by dilation).
  bool reconstruct = false;
  /// Border::zero is neutral: border_index() then returns -1, and such pixels are left out.
  Border border = Border::zero;

  [[nodiscard]] bool neutral() const { return border == Border::zero; }
};

/// Throws std::logic_error, with what is wrong, unless the fast backends compute the plan: both call it.
void check(const Plan& plan);

}  // namespace threadscape::morphology
