#include <algorithm>

#include "compute/core/diagram.h"
#include "compute/seam_carving/seam_carving_plan.h"

namespace threadscape {

namespace {

using Params = SeamCarving::Params;

/// None where no map can tell the seams: the sequence of order=optimal is only known when it was found.
std::optional<SeamDiagram> seams(const Params& params, const Shape& input) {
  Params map = params;
  map.output = SeamCarving::Output::order;
  const seam_carving::Plan plan = seam_carving::make_plan(map, input);
  if (plan.passes.empty() || plan.needs_transport()) return {};
  SeamDiagram diagram{.map = ParamBox::of(std::move(map)), .runs = {}};
  for (const seam_carving::Pass& pass : plan.passes)
    diagram.runs.push_back({pass.of_rows, pass.enlarges, pass.seams});
  return diagram;
}

ParamBox energy(const Params& params, const Shape& input, int step, bool cumulative) {
  Params view = params;
  view.output = SeamCarving::Output::order;
  int width = static_cast<int>(input.width), height = static_cast<int>(input.height);
  for (const seam_carving::Pass& pass : seam_carving::make_plan(view, input).passes) {
    const int seams = std::clamp(step, 0, pass.seams);
    (pass.of_rows ? height : width) += pass.enlarges ? seams : -seams;
    step -= seams;
  }
  view.width = width;
  view.height = height;
  view.seams = 0;
  view.restore_size = false;
  view.output = cumulative ? SeamCarving::Output::cost : SeamCarving::Output::energy;
  return ParamBox::of(std::move(view));
}

}  // namespace

DiagramInfo describe_seam_carving_diagram() {
  DiagramInfo info;
  info.seams = [](const ParamBox& p, const Shape& in) { return seams(p.as<Params>(), in); };
  info.seam_energy = [](const ParamBox& p, const Shape& in, int step, bool cumulative) {
    return energy(p.as<Params>(), in, step, cumulative);
  };
  return info;
}

}  // namespace threadscape
