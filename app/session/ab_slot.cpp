#include "app/session/ab_slot.h"

#include <algorithm>
#include <utility>

#include "compute/core/kind_info.h"

namespace threadscape::app {

namespace {

/// The name of the opened file of a kind; "" if there is none.
std::string input_of(const Setting& setting, Kind kind) {
  const auto found = std::ranges::find(setting.inputs, kind, &SettingInput::kind);
  return found == setting.inputs.end() ? std::string{} : found->path.filename().string();
}

std::uint64_t input_id(const Setting& setting, Kind kind) {
  const auto found = std::ranges::find(setting.inputs, kind, &SettingInput::kind);
  return found == setting.inputs.end() ? 0 : found->id;
}

std::string variant_of(const Work& work) {
  return std::string(work.algorithm->variants_of(work.backend)[static_cast<std::size_t>(work.variant)].name);
}

}  // namespace

std::vector<SettingDifference> differences(const Setting& a, const Setting& b) {
  std::vector<SettingDifference> all;
  const auto tell = [&all](std::string title, std::string left, std::string right) {
    if (left != right) all.push_back({std::move(title), std::move(left), std::move(right)});
  };
  const Work &left = a.work, &right = b.work;
  tell("Algorithm", std::string(left.algorithm->title), std::string(right.algorithm->title));
  tell("Backend", std::string(name_of(left.backend)), std::string(name_of(right.backend)));
  if (left.algorithm == right.algorithm || left.variant != 0 || right.variant != 0)
    tell("Variant", variant_of(left), variant_of(right));
  tell("Threads", std::to_string(left.threads), std::to_string(right.threads));
  tell("Seed", std::to_string(left.seed), std::to_string(right.seed));
  if (left.algorithm == right.algorithm) {
    const std::vector<FieldRef> fields = left.params.fields(), others = right.params.fields();
    for (std::size_t i = 0; i < fields.size(); ++i)
      tell(title_of(fields[i]), to_text(fields[i]), to_text(others[i]));
  }
  const Kind kind = left.algorithm->input;
  if (kind == right.algorithm->input && input_id(a, kind) != input_id(b, kind)) {
    const std::string name = input_of(a, kind), other = input_of(b, kind);
    all.push_back({"Input", name.empty() ? "-" : name, other.empty() ? "-" : other});
  }
  return all;
}

void AbSlot::keep(Setting now, std::vector<double> times) {
  kept_ = std::move(now);
  times_ = std::move(times);
}

void AbSlot::clear() {
  kept_.reset();
  times_.clear();
}

Setting AbSlot::swap(Setting now, std::vector<double> times) {
  Setting was = std::move(*kept_);
  keep(std::move(now), std::move(times));
  return was;
}

std::shared_ptr<const Source> AbSlot::source() const {
  const auto found = std::ranges::find(kept_->inputs, kept_->work.algorithm->input, &SettingInput::kind);
  return found == kept_->inputs.end() ? nullptr : found->data;
}

std::optional<Work> AbSlot::work() const {
  if (!kept_ || !compares_pictures) return {};
  Work work = kept_->work;
  const std::shared_ptr<const Source> data = source();
  if (work.algorithm->input != Kind::none && !data) return {};
  // Intermediate results are results of other parameters.
  if (work.algorithm->intermediates && kept_->intermediate >= 0) {
    try {
      std::vector<Intermediate> all = work.algorithm->intermediates->list(work.params);
      if (kept_->intermediate + 1 < static_cast<int>(all.size()))
        work.params = std::move(all[static_cast<std::size_t>(kept_->intermediate)].params);
    } catch (const Error&) {  // A file that the parameters name is missing.
      return {};
    }
  }
  // All backends have the same result, and the worker runs those of the CPU.
  if (work.backend == Backend::cuda) {
    work.backend = Backend::openmp;
    work.variant = 0;
  }
  work.source_id = data ? data->id : 0;
  return work;
}

}  // namespace threadscape::app
