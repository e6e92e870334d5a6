#include "app/session/step_list.h"

#include <algorithm>
#include <utility>

#include "compute/core/kind_conversion.h"
#include "compute/core/kind_info.h"
#include "compute/registry/file_settings.h"
#include "compute/registry/step_kinds.h"

namespace threadscape::app {

namespace {

template <class Vector>
void move_element(Vector& all, std::size_t from, std::size_t to) {
  auto moved = std::move(all[from]);
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(from));
  all.insert(all.begin() + static_cast<std::ptrdiff_t>(to), std::move(moved));
}

std::uint64_t id_of(const std::shared_ptr<const Source>& source) {
  return source ? source->id : 0;
}

/// The shape of the data that the first step works on. Throws UsageError if there are none.
Shape first_shape(const Step& first, const std::shared_ptr<const Source>& source) {
  if (first.algorithm->input == Kind::none) return {};
  if (source) return source->picture.pixels.shape();
  if (first.algorithm->own_input) return first.algorithm->own_input->shape(first.params);
  throw UsageError("no " + std::string(info_of(first.algorithm->input).user_name) +
                   " is loaded: drop one here or press Ctrl+O");
}

}  // namespace

bool StepsBefore::same_input(const StepsBefore& other) const {
  return steps == other.steps && id_of(source) == id_of(other.source) && seed == other.seed && kind == other.kind &&
         problem == other.problem;
}

HostArray StepsBefore::make(int threads, const std::stop_token& stop, Progress* progress) const {
  Runner runner;
  HostArray data;
  HostIn input;
  if (start)
    input = start->picture.pixels.view();
  else if (source)
    input = source->picture.pixels.view();
  for (std::size_t i = start ? start_steps : 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    const AlgorithmInfo& algorithm = *step.algorithm;
    try {
      if (i == 0 && !source && algorithm.own_input) {
        data = algorithm.own_input->make(step.params, seed);
        input = std::as_const(data).view();
      }
      HostArray converted;
      if (algorithm.input != Kind::none && input.shape.kind != algorithm.input) {
        converted = convert_kind(input, algorithm.input);
        input = std::as_const(converted).view();
      }
      const RunRequest request{.algorithm = &algorithm,
                               .params = step.params,
                               .threads = threads,
                               .seed = seed,
                               .frame = source ? source->frame : 0};
      data = runner.run(request, algorithm.input == Kind::none ? HostIn{} : input, stop, progress).output;
      input = std::as_const(data).view();
    } catch (const UsageError& error) {
      throw UsageError(step_name(i, algorithm) + ": " + error.what());
    }
  }
  return data.shape().kind == kind ? std::move(data) : convert_kind(input, kind);
}

void StepList::store(const Step& step) {
  if (empty()) return;
  // Another algorithm has not been given what the input states.
  if (steps_[chosen_].algorithm != step.algorithm) given_[chosen_] = {};
  steps_[chosen_] = step;
}

void StepList::add(const Step& current, Step next) {
  if (empty()) {
    steps_ = {current};
    given_.resize(1);
    chosen_ = 0;
  }
  ++chosen_;
  const auto at = static_cast<std::ptrdiff_t>(chosen_);
  steps_.insert(steps_.begin() + at, std::move(next));
  given_.insert(given_.begin() + at, Given{});
}

void StepList::remove(std::size_t index) {
  if (index >= steps_.size()) return;
  steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(index));
  given_.erase(given_.begin() + static_cast<std::ptrdiff_t>(index));
  if (chosen_ > index || chosen_ == steps_.size()) --chosen_;
}

void StepList::move(std::size_t from, std::size_t to) {
  if (from >= steps_.size() || to >= steps_.size() || from == to) return;
  move_element(steps_, from, to);
  move_element(given_, from, to);
  if (chosen_ == from)
    chosen_ = to;
  else if (from < chosen_ && to >= chosen_)
    --chosen_;
  else if (from > chosen_ && to <= chosen_)
    ++chosen_;
}

void StepList::assign(std::vector<Step> steps, std::size_t chosen) {
  clear();
  if (steps.size() < 2) return;
  given_.assign(steps.size(), Given{.known = false, .restored = true, .settings = {}});
  chosen_ = std::min(chosen, steps.size() - 1);
  steps_ = std::move(steps);
}

std::shared_ptr<StepsBefore> StepList::connect(const std::shared_ptr<const Source>& source, std::uint64_t seed) {
  auto before = std::make_shared<StepsBefore>();
  before->source = source;
  before->seed = seed;
  before->kind = chosen_step().algorithm->input;
  before->steps.reserve(chosen_);
  ResultSettings settings = source ? source->picture.settings : ResultSettings{};
  Shape shape;
  for (std::size_t i = 0; i <= chosen_; ++i) {
    Step& step = steps_[i];
    const AlgorithmInfo& algorithm = *step.algorithm;
    try {
      if (i == 0) {
        shape = first_shape(step, source);
      } else {
        if (const std::string why = why_not_after(*steps_[i - 1].algorithm, algorithm); !why.empty())
          throw UsageError(why);
        shape = converted_shape(shape, algorithm.input);
        if (Given& given = given_[i]; !given.known || given.settings != settings) {
          if (!given.restored) apply_settings(algorithm, settings, step.params);
          given = {.known = true, .restored = false, .settings = settings};
        }
      }
      if (i == chosen_) break;
      before->steps.push_back(step);
      step.params.check();
      const Shape result = algorithm.output_shape(step.params, shape);
      settings = settings_of_result(algorithm, step.params, shape, settings);
      shape = result;
    } catch (const Error& error) {
      before->problem = step_name(i, algorithm) + ": " + error.what();
      shape = {};
      break;
    }
  }
  if (chosen_ == 0) return nullptr;
  before->shape = shape;
  before->settings = std::move(settings);
  return before;
}

}  // namespace threadscape::app
