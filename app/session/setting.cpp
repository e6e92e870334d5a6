#include "app/session/setting.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "app/session/user_folders.h"
#include "compute/core/kind_info.h"
#include "compute/gpu/device.h"
#include "compute/registry/steps.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

/// Texts that are longer are left out of the description of a change.
constexpr std::size_t longest_value = 16;

/// Returns true if a value was painted: a drawn structuring element, or a mask in the program's cache.
bool is_painted(const TextValue& text) {
  return text.is_path && (is_drawn(*text.value) || is_in_cache(*text.value));
}

/// A change of one parameter in words.
std::string describe_field(const FieldRef& before, const FieldRef& after) {
  std::string name(after.name);
  std::ranges::replace(name, '_', ' ');
  const auto *was = std::get_if<TextValue>(&before.value), *is = std::get_if<TextValue>(&after.value);
  if (was != nullptr && is != nullptr && (is_painted(*was) || is_painted(*is))) return "painting of " + name;
  const std::string old_text = to_text(before), new_text = to_text(after);
  if (old_text.empty() || new_text.empty() || old_text.size() > longest_value || new_text.size() > longest_value)
    return name;
  return name + ": " + old_text + " to " + new_text;
}

/// The changes between two sets of parameters of one algorithm; "" if there are none.
std::string describe_params(const ParamBox& before, const ParamBox& after) {
  const std::vector<FieldRef> old_fields = before.fields(), new_fields = after.fields();
  std::vector<std::string> changes;
  std::string painted;
  for (std::size_t i = 0; i < new_fields.size(); ++i) {
    if (to_text(old_fields[i]) == to_text(new_fields[i])) continue;
    changes.push_back(describe_field(old_fields[i], new_fields[i]));
    if (changes.back().starts_with("painting")) painted = changes.back();
  }
  if (changes.size() < 2) return changes.empty() ? "" : changes.front();
  // Painting changes other parameters too, such as the form of the element.
  return painted.empty() ? std::to_string(changes.size()) + " parameters" : painted;
}

std::string title_of(const SettingInput& input) {
  return input.path.empty() ? "the " + std::string(info_of(input.kind).user_name) : input.path.filename().string();
}

std::string describe_inputs(const Setting& before, const Setting& after) {
  const auto find = [](const Setting& setting, Kind kind) {
    const auto found = std::ranges::find(setting.inputs, kind, &SettingInput::kind);
    return found == setting.inputs.end() ? nullptr : &*found;
  };
  for (const SettingInput& input : after.inputs) {
    const SettingInput* was = find(before, input.kind);
    if (was != nullptr && was->id == input.id) continue;
    const bool converted = was != nullptr && was->path == input.path && was->data && input.data;
    if (!converted || was->data->picture.pixels.shape().element == input.data->picture.pixels.shape().element)
      return "opening of " + title_of(input);
    return "numbers of " + title_of(input);
  }
  for (const SettingInput& input : before.inputs)
    if (find(after, input.kind) == nullptr) return "closing of " + title_of(input);
  return "";
}

/// The change of a list of steps in words; "" if both lists have the same algorithms and parameters, or one is empty.
std::string describe_list(const std::vector<Step>& before, const std::vector<Step>& after) {
  if (before.size() != after.size()) {
    const bool added = before.size() < after.size();
    const std::vector<Step>&longer = added ? after : before, &shorter = added ? before : after;
    std::size_t i = 0;
    while (i < shorter.size() && shorter[i].algorithm == longer[i].algorithm)
      ++i;
    if (shorter.empty()) return added ? "list of steps" : "end of the list of steps";
    return (added ? "step " : "removal of step ") + std::string(longer[i].algorithm->title);
  }
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (before[i].algorithm != after[i].algorithm) return "order of the steps";
    if (std::string params = describe_params(before[i].params, after[i].params); !params.empty()) return params;
  }
  return "";
}

}  // namespace

bool same_setting(const Setting& a, const Setting& b) {
  const auto shared = [](const Work& work) { return std::tie(work.backend, work.threads, work.seed); };
  // Where another step of an equal list is chosen, the works differ in what belongs to the step.
  const bool same_work = a.chosen == b.chosen ? a.work == b.work : shared(a.work) == shared(b.work);
  return a.list == b.list && same_work &&
         std::ranges::equal(a.inputs, b.inputs, {}, &SettingInput::id, &SettingInput::id);
}

std::string describe_change(const Setting& before, const Setting& after) {
  const Work &was = before.work, &is = after.work;
  if (std::string list = describe_list(before.list, after.list); !list.empty()) return list;
  if (was.algorithm != is.algorithm) return "algorithm " + std::string(is.algorithm->title);
  std::string input = describe_inputs(before, after);
  if (!input.empty()) return input;
  if (std::string params = describe_params(was.params, is.params); !params.empty()) return params;
  if (was.backend != is.backend) return "backend " + std::string(name_of(is.backend));
  if (was.devices != is.devices && !is.devices.empty()) return std::to_string(is.devices.size()) + " devices";
  if ((was.device != is.device || was.devices != is.devices) && is.device != nullptr)
    return "device " + std::to_string(is.device->info().ordinal);
  if (was.variant != is.variant)
    return "variant " + std::string(is.algorithm->variants_of(is.backend)[static_cast<std::size_t>(is.variant)].name);
  const auto numbers = [](auto old_number, auto new_number) {
    return std::to_string(old_number) + " to " + std::to_string(new_number);
  };
  if (was.threads != is.threads) return "threads: " + numbers(was.threads, is.threads);
  if (was.seed != is.seed) return "seed: " + numbers(was.seed, is.seed);
  return "";
}

bool is_drawn(const std::string& value) {
  const std::size_t cross = value.find('x'), colon = value.find(':');
  return cross != std::string::npos && colon != std::string::npos && 0 < cross && cross < colon &&
         value.find_first_not_of("0123456789x") == colon;
}

bool is_in_cache(const std::string& path) {
  return !path.empty() && path.starts_with((cache_folder() / "").string());
}

void for_each_path(const ParamBox& params, const std::function<void(std::string&)>& f) {
  for (const FieldRef& field : params.fields()) {
    if (const auto* text = std::get_if<TextValue>(&field.value);
        text != nullptr && text->is_path && !text->value->empty())
      f(*text->value);
    if (const auto* steps = std::get_if<StepsValue>(&field.value))
      for (const Step& step : *steps->steps)
        for_each_path(step.params, f);
  }
}

void forget_missing_files(ParamBox& params, const AlgorithmInfo& algorithm, LogBook& log) {
  const ParamBox defaults = algorithm.defaults();
  const std::vector<FieldRef> fields = params.fields(), originals = defaults.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (auto* steps = std::get_if<StepsValue>(&fields[i].value))
      for (Step& step : *steps->steps)
        forget_missing_files(step.params, *step.algorithm, log);
    const auto* text = std::get_if<TextValue>(&fields[i].value);
    std::error_code unknown;
    if (text == nullptr || !text->is_path || text->value->empty() || is_drawn(*text->value)) continue;
    if (fs::exists(*text->value, unknown)) continue;
    log.warning("'" + *text->value + "', which was the " + std::string(fields[i].name) + " of " +
                std::string(algorithm.name) + ", is gone: the default is used");
    *text->value = *std::get<TextValue>(originals[i].value).value;
  }
}

bool names_lost_file(const Setting& setting) {
  bool lost = false;
  for_each_path(setting.work.params, [&lost](const std::string& path) {
    std::error_code unknown;
    lost = lost || (is_in_cache(path) && !fs::exists(path, unknown) && !unknown);
  });
  return lost;
}

}  // namespace threadscape::app
