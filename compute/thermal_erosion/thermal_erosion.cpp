#include "compute/thermal_erosion/thermal_erosion.h"

#include "compute/io/heightfield_file.h"
#include "compute/thermal_erosion/thermal_erosion_plan.h"

namespace threadscape {

thermal_erosion::Plan thermal_erosion::plan_of(const ThermalErosion::Params& params) {
  return {params.talus, params.talus * diagonal_length};
}

Shape ThermalErosion::output_shape(const Params&, const Shape& input) {
  terrain::require_heights("thermal_erosion", input);
  return terrain::float_heights(input);
}

std::size_t ThermalErosion::scratch_bytes(const Params&, const Shape& input, Backend backend, int) {
  const std::size_t field = thermal_erosion::field_bytes(input);
  return backend == Backend::cuda ? 2 * field : field;
}

std::string ThermalErosion::report(const Params&, const HostIn&, const HostIn& result) {
  return io::range_text(result);
}

AlgorithmInfo describe_thermal_erosion() {
  return describe<ThermalErosion>("thermal_erosion");
}

}  // namespace threadscape
