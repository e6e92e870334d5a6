#include "compute/algorithms/terrain/thermal_erosion/thermal_erosion.h"

#include "compute/algorithms/terrain/thermal_erosion/thermal_erosion_plan.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

thermal_erosion::Plan thermal_erosion::plan_of(const ThermalErosion::Params& params) {
  return {params.talus, params.talus * diagonal_length};
}

std::size_t ThermalErosion::scratch_bytes(const Params&, const Shape& input, Backend backend, int) {
  const std::size_t field = thermal_erosion::field_bytes(input);
  return backend == Backend::cuda ? 2 * field : field;
}

AlgorithmInfo describe_thermal_erosion() {
  return describe<ThermalErosion>(ThermalErosion::name);
}

}  // namespace threadscape
