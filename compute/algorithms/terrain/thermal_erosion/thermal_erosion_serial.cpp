// Thermal erosion, the readable reference: two fields are read and written in turn, on one thread.

#include <utility>

#include "compute/algorithms/terrain/thermal_erosion/thermal_erosion_plan.h"
#include "compute/core/rows.h"

namespace threadscape {

void ThermalErosion::serial(const Params& params, const HostRun& run) {
  const thermal_erosion::Plan plan = thermal_erosion::plan_of(params);
  const auto out = run.out.image<float>();
  const auto other = thermal_erosion::take_field<Space::host>(*run.scratch, run.in.shape);
  // The first field is chosen so that the last iteration writes to the output.
  ImageView<float> from = params.iterations % 2 == 0 ? out : other, to = params.iterations % 2 == 0 ? other : out;
  terrain::with_heights(run.in.shape, [&]<class Height>(Height) {
    const auto in = run.in.image<Height>();
    for_rows(
        run, in.height,
        [&](int y) {
          for (int x = 0; x < in.width; ++x)
            from(x, y) = static_cast<float>(in(x, y));
        },
        0.0, 0.0);
  });
  for (int i = 0; i < params.iterations && !run.stop.stop_requested(); ++i) {
    const double begun = static_cast<double>(i) / params.iterations;
    for_rows(
        run, from.height,
        [&](int y) {
          for (int x = 0; x < from.width; ++x)
            to(x, y) = thermal_erosion::eroded_cell(plan, from, x, y);
        },
        begun, static_cast<double>(i + 1) / params.iterations);
    std::swap(from, to);
  }
}

}  // namespace threadscape
