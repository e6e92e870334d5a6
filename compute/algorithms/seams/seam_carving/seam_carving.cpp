#include "compute/algorithms/seams/seam_carving/seam_carving.h"

#include <algorithm>
#include <cstdio>

#include "compute/algorithms/seams/seam_carving/cuda/seam_carving_cuda.h"
#include "compute/algorithms/seams/seam_carving/seam_carving_transport.h"
#include "compute/core/errors.h"
#include "compute/core/machine.h"
#include "compute/engines/planes/require_planes.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

std::string SeamCarving::Params::problem() const {
  if (seams > 0 && width > 0) return "width and seams both say how many columns go: leave one of them 0";
  if (!map.empty() && (!protect.empty() || !remove.empty() || restore_size))
    return "a map says which seams there are: it goes without protect, remove and restore_size";
  return {};
}

Shape SeamCarving::output_shape(const Params& params, const Shape& input) {
  require_planes_of<std::uint8_t, std::uint16_t, float>("seam_carving", "8-bit, 16-bit or float images", input);
  if (input.width > max_side || input.height > max_side)
    throw UsageError("seam_carving: pictures have at most " + std::to_string(max_side) + " rows and columns, not " +
                     to_string(input));
  const seam_carving::Plan plan = seam_carving::make_plan(params, input);
  if (params.output == Output::order) return Shape::image(Element::u16, 1, input.width, input.height);
  if (params.output == Output::candidates) return Shape::image(Element::f32, 4, plan.result_width, plan.result_height);
  if (params.output != Output::picture) return Shape::image(Element::f32, 1, plan.result_width, plan.result_height);
  return Shape::image(input.element, input.channels, plan.result_width, plan.result_height);
}

SeamCarving::Params SeamCarving::run_params(Params params, const Shape& input) {
  const bool is_stated = params.width > 0 || params.height > 0 || params.seams > 0 || !params.remove.empty();
  const bool needs_seams = params.output == Output::picture || params.output == Output::order;
  if (!is_stated && needs_seams && params.map.empty() && input.width > 1)
    params.seams = std::max(1, static_cast<int>(input.width / 4));
  return params;
}

std::size_t SeamCarving::scratch_bytes(const Params& params, const Shape& input, Backend backend, int) {
  const seam_carving::Plan plan = seam_carving::make_plan(params, input);
  if (backend == Backend::cuda) return seam_carving::device_bytes(plan, input);
  return seam_carving::host_bytes(plan, input) +
         (backend == Backend::serial ? seam_carving::serial_bytes(plan) : seam_carving::openmp_bytes(plan));
}

int SeamCarving::parts(const Params& params, const Shape& input) {
  return std::max(seam_carving::make_plan(params, input).parts(), 1);
}

bool SeamCarving::shows_parts(const Params& params) {
  return params.output == Output::order;
}

bool SeamCarving::needs_preparation(const Params& params, Backend backend) {
  return backend == Backend::cuda && params.order == Order::optimal;
}

std::shared_ptr<const Preparation> SeamCarving::prepare(const Params& params, const HostIn& in, std::uint64_t,
                                                        std::uint64_t, const std::stop_token& stop,
                                                        Progress* progress) {
  const seam_carving::Plan plan = seam_carving::make_plan(params, in.shape);
  auto order = std::make_shared<seam_carving::PassOrder>();
  if (plan.needs_transport()) order->passes = seam_carving::find_pass_order(plan, in, stop, progress);
  return order;
}

std::string SeamCarving::report(const Params& params, const HostIn& in, const HostIn&) {
  if (params.seams_per_pass == 1 || !params.map.empty()) return {};
  Params exact = params;
  exact.seams_per_pass = 1;
  const double energy = seam_carving::carving_cost(params, in, hardware_threads()).energy;
  const double exact_energy = seam_carving::carving_cost(exact, in, hardware_threads()).energy;
  if (!(exact_energy > 0.0)) return {};
  char text[160];
  std::snprintf(text, sizeof text, "approximate: energy %.6g was taken, one seam at a time %.6g: %.2f %% more\n",
                energy, exact_energy, 100.0 * (energy / exact_energy - 1.0));
  return text;
}

AlgorithmInfo describe_seam_carving() {
  return describe<SeamCarving>("seam_carving");
}

}  // namespace threadscape
