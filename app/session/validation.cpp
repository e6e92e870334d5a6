#include "app/session/validation.h"

#include "app/session/step_list.h"
#include "compute/core/kind_info.h"
#include "compute/gpu/device.h"

namespace threadscape::app {

namespace {

/// Larger inputs are checked by the run, on its thread: reading them would stop the drawing.
constexpr std::size_t max_checked_bytes = std::size_t{16} << 20;

}  // namespace

std::string find_problem(const Work& work, const Sources& sources) {
  if (std::string refusal = sources.refusal(work); !refusal.empty()) return refusal;
  if (work.before && !work.before->problem.empty()) return work.before->problem;
  const AlgorithmInfo& algorithm = *work.algorithm;
  const bool own = sources.is_own(work);
  const auto input = sources.find(work);
  if (algorithm.input != Kind::none && !input && !own)
    return "no " + std::string(info_of(algorithm.input).user_name) + " is loaded: drop one here or press Ctrl+O";
  if (std::string wrong = work.params.problem(); !wrong.empty()) return wrong;
  try {
    const Shape shape = input ? input->picture.pixels.shape() : own ? Sources::own_shape(work) : Shape{};
    (void)algorithm.output_shape(work.params, shape);
    // An input that the algorithm made was checked by Work::make_input().
    if (algorithm.check_input && input && !own && array_bytes(shape, 1) <= max_checked_bytes)
      algorithm.check_input(work.params, input->picture.pixels.view());
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::string why_absent(Backend backend, gpu::Device* device) {
  if (backend != Backend::cuda) return {};
  return device_of({.device = device}).problem();
}

}  // namespace threadscape::app
