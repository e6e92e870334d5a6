#include "app/session/selection.h"

#include <algorithm>

#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

const AlgorithmInfo& first_choice() {
  const auto all = algorithms();
  const auto found = std::ranges::find(all, true, &AlgorithmInfo::opens_first);
  return found != all.end() ? *found : all.front();
}

}  // namespace

Selection::Selection() {
  work_.threads = hardware_threads();
  choose_algorithm(first_choice());
}

void Selection::keep() {
  Kept& kept = kept_[work_.algorithm->name];
  kept.params = work_.params;
  kept.variants[static_cast<std::size_t>(work_.backend)] = work_.variant;
}

bool Selection::choose_algorithm(const AlgorithmInfo& algorithm) {
  if (work_.algorithm == &algorithm) return false;
  if (work_.algorithm != nullptr) keep();
  work_.algorithm = &algorithm;
  step_.reset();
  instead_.reset();
  const auto [kept, is_new] = kept_.try_emplace(algorithm.name);
  if (is_new) kept->second.params = algorithm.defaults();
  work_.params = kept->second.params;
  work_.variant = kept->second.variants[static_cast<std::size_t>(work_.backend)];
  return true;
}

ParamBox Selection::params_of(const AlgorithmInfo& algorithm) const {
  if (&algorithm == work_.algorithm) return work_.params;
  const auto kept = kept_.find(algorithm.name);
  return kept == kept_.end() ? algorithm.defaults() : kept->second.params;
}

void Selection::give_params(const AlgorithmInfo& algorithm, ParamBox params) {
  if (&algorithm == work_.algorithm)
    work_.params = std::move(params);
  else
    kept_[algorithm.name].params = std::move(params);
}

void Selection::choose_backend(Backend backend) {
  keep();
  work_.backend = backend;
  work_.variant = kept_[work_.algorithm->name].variants[static_cast<std::size_t>(backend)];
}

void Selection::choose_variant(int variant) {
  const auto count = static_cast<int>(work_.algorithm->variants_of(work_.backend).size());
  work_.variant = std::clamp(variant, 0, count - 1);
}

std::vector<ViewStep> Selection::view_steps() const {
  if (!work_.algorithm->views) return {};
  try {
    return work_.algorithm->views->steps(work_.params);
  } catch (const Error&) {  // for example a missing file; Validation reports it
    return {};
  }
}

int Selection::shown_step() const {
  const int last = static_cast<int>(view_steps().size()) - 1;
  return step_ && *step_ < last ? *step_ : last;
}

void Selection::show_step(int index) {
  const int last = static_cast<int>(view_steps().size()) - 1;
  step_ = index >= 0 && index < last ? std::optional(index) : std::nullopt;
}

Work Selection::wanted() const {
  Work work = work_;
  if (step_)
    if (std::vector<ViewStep> steps = view_steps(); *step_ + 1 < static_cast<int>(steps.size()))
      work.params = std::move(steps[static_cast<std::size_t>(*step_)].params);
  if (instead_) work.params = *instead_;
  return work;
}

}  // namespace threadscape::app
