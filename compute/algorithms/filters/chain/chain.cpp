#include "compute/algorithms/filters/chain/chain.h"

#include <algorithm>

#include "compute/engines/planes/require_planes.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

std::string Chain::Params::problem() const {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    const std::string where = "step " + std::to_string(i + 1) + ", " + std::string(step.algorithm->name);
    if (!is_filter(*step.algorithm)) return where + ": only algorithms from picture to picture can be steps";
    if (std::string wrong = step.params.problem(); step.on && !wrong.empty()) return where + ": " + wrong;
  }
  return {};
}

void Chain::check_input(const Params& params, const HostIn& input) {
  const auto first = std::ranges::find(params.steps, true, &Step::on);
  if (first != params.steps.end() && first->algorithm->check_input) first->algorithm->check_input(first->params, input);
}

Shape Chain::output_shape(const Params& params, const Shape& input) {
  require_planes_of<std::uint8_t, std::uint16_t, float>("chain", "8-bit, 16-bit or float images", input);
  Shape shape = input;
  chain::for_each_step(params, input, 0,
                       [&](const Step&, std::uint64_t, const Shape&, const Shape& result, bool) { shape = result; });
  return shape;
}

Region Chain::input_needed(const Params& params, const Shape& input, const Region& output) {
  std::vector<std::pair<const Step*, Shape>> steps;
  chain::for_each_step(params, input, 0, [&](const Step& step, std::uint64_t, const Shape& from, const Shape&, bool) {
    steps.emplace_back(&step, from);
  });
  Region needed = output;
  for (auto it = steps.rbegin(); it != steps.rend(); ++it) {
    const auto& [step, from] = *it;
    needed = step->algorithm->halo ? step->algorithm->halo->input_needed(step->params, from, needed) : whole_of(from);
  }
  return needed;
}

std::vector<std::pair<std::string, Chain::Params>> Chain::intermediates(const Params& params) {
  std::vector<std::pair<std::string, Params>> pictures;
  // Later steps are switched off, not removed, so that every step keeps its number, which its seed depends on.
  Params so_far = params;
  for (Step& step : so_far.steps)
    step.on = false;
  for (std::size_t i = 0; i < params.steps.size(); ++i) {
    if (!params.steps[i].on) continue;
    so_far.steps[i].on = true;
    pictures.emplace_back(params.steps[i].algorithm->title, so_far);
  }
  return pictures;
}

std::size_t chain::buffer_bytes(const Chain::Params& params, const Shape& input) {
  std::size_t bytes = 0;
  for_each_step(params, input, 0, [&](const Step&, std::uint64_t, const Shape&, const Shape& result, bool is_last) {
    if (!is_last) bytes = std::max(bytes, array_bytes(result, row_alignment));
  });
  return bytes;
}

std::size_t Chain::scratch_bytes(const Params& params, const Shape& input, Backend backend, int) {
  std::size_t of_steps = 0;
  chain::for_each_step(params, input, 0, [&](const Step& step, std::uint64_t, const Shape& from, const Shape&, bool) {
    of_steps = std::max(of_steps, step.algorithm->scratch_bytes(step.params, from, backend, 0));
  });
  return 2 * HostScratch::padded(chain::buffer_bytes(params, input)) + of_steps;
}

AlgorithmInfo describe_chain() {
  return describe<Chain>("chain");
}

}  // namespace threadscape
