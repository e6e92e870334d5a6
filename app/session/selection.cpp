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
  intermediate_.reset();
  compute_instead({});
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

std::vector<Intermediate> Selection::intermediates() const {
  if (!work_.algorithm->intermediates) return {};
  try {
    return work_.algorithm->intermediates->list(work_.params);
  } catch (const Error&) {  // for example a missing file; Workspace::problem() reports it
    return {};
  }
}

int Selection::shown_intermediate() const {
  const int last = static_cast<int>(intermediates().size()) - 1;
  return intermediate_ && *intermediate_ < last ? *intermediate_ : last;
}

void Selection::show_intermediate(int index) {
  const int last = static_cast<int>(intermediates().size()) - 1;
  intermediate_ = index >= 0 && index < last ? std::optional(index) : std::nullopt;
}

Work Selection::wanted() const {
  Work work = work_;
  if (intermediate_)
    if (std::vector<Intermediate> all = intermediates(); *intermediate_ + 1 < static_cast<int>(all.size()))
      work.params = std::move(all[static_cast<std::size_t>(*intermediate_)].params);
  if (instead_) work.params = *instead_;
  work.is_stage = run_.has_value();
  return work;
}

Work Selection::measured(Work wanted) const {
  if (run_) wanted.params = *run_;
  wanted.is_stage = false;
  return wanted;
}

}  // namespace threadscape::app
