#pragma once
// The OpenMP variants that work phase by phase (morphology_planes.h), as source document 000, chapter 4.2.2, describes
// them: split the channels, fill the ghost area, erosions and dilations per channel, compose the picture.

#include <cstddef>

#include "compute/algorithms/morphology/morphology/morphology_plan.h"
#include "compute/registry/algorithm.h"

namespace threadscape::morphology {

/// Which phases are OpenMP sections; the loops of the others are shared out among the threads. The initialisation has
/// two sections, one that splits the channels and one that fills the ghost area; the steps have one per channel.
/// Composing is always a loop that is shared out.
struct Sections {
  bool initialisation = false, steps = false;
};

[[nodiscard]] std::size_t phases_scratch_bytes(const Plan& plan, const Shape& input);
void run_phases(const Plan& plan, const HostRun& run, Sections sections);

}  // namespace threadscape::morphology
