#include "compute/registry/effects.h"

#include <algorithm>
#include <array>
#include <utility>

namespace threadscape {

#define THREADSCAPE_EFFECTS(name) std::span<const EffectRule> effects_of_##name();
#include "effects.inc"
#undef THREADSCAPE_EFFECTS

bool EffectCondition::holds(const ParamBox& params) const {
  const bool excluded = values.starts_with('!');
  for (const FieldRef& candidate : params.fields()) {
    if (candidate.name != parameter) continue;
    const std::string value = to_text(candidate);
    std::string_view rest = excluded ? values.substr(1) : values;
    while (true) {
      const std::size_t bar = std::min(rest.find('|'), rest.size());
      if (rest.substr(0, bar) == value) return !excluded;
      if (bar == rest.size()) return excluded;
      rest.remove_prefix(bar + 1);
    }
  }
  return true;  // There is no such parameter, so nothing is known.
}

bool EffectRule::holds(const ParamBox& params) const {
  return is_of_own_input() || only.holds(params) || (!or_else.parameter.empty() && or_else.holds(params));
}

std::span<const EffectRule> effect_rules(std::string_view algorithm) {
  static const std::array known{
      std::pair{std::string_view{}, std::span<const EffectRule>{}},
#define THREADSCAPE_EFFECTS(name) std::pair{std::string_view(#name), effects_of_##name()},
#include "effects.inc"
#undef THREADSCAPE_EFFECTS
  };
  for (const auto& [name, rules] : known)
    if (name == algorithm) return rules;
  return {};
}

const EffectRule* rule_against(std::string_view algorithm, const ParamBox& params, std::string_view field,
                               bool file_is_open) {
  for (const EffectRule& rule : effect_rules(algorithm))
    if (rule.field == field && (rule.is_of_own_input() ? file_is_open : !rule.holds(params))) return &rule;
  return nullptr;
}

std::optional<std::string> derived_value(const AlgorithmInfo& algorithm, const ParamBox& params, std::string_view field,
                                         const Shape& input) {
  if (field == "count" && input.kind == Kind::sequence) return std::to_string(input.width);
  if (!field.starts_with("voxels")) return {};
  // A projection takes the volume with these voxels; a phantom and a reconstruction make it.
  const Shape volume = algorithm.name == "projection" ? input : algorithm.output_shape(params, input);
  if (volume.kind != Kind::volume) return {};
  if (field == "voxels") return std::to_string(volume.width);
  return std::to_string(field == "voxels_y" ? volume.height : volume.depth);
}

}  // namespace threadscape
