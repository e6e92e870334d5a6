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
#include "compute/core/run.h"

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
  ColourOrder order = ColourOrder::marginal;

  [[nodiscard]] bool neutral() const { return border == Border::zero; }
};

/// Returns whether pixels of this shape are compared as vectors; grey ones have no order but their own.
[[nodiscard]] inline bool has_vectors(const Plan& plan, const Shape& shape) {
  return plan.order != ColourOrder::marginal && shape.channels == 4;
}
/// Executes a plan for vectors with the threads of the run, which takes serial_scratch_bytes().
void run_vectors(const Plan& plan, const HostRun& run);

/// Throws std::logic_error, with what is wrong, unless the fast backends compute the plan: both call it.
void check(const Plan& plan);

}  // namespace threadscape::morphology
