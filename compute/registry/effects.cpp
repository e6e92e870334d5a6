#include "compute/registry/effects.h"

#include <algorithm>

#include "compute/registry/diagram.h"

namespace threadscape {

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

const EffectRule* rule_against(const AlgorithmInfo& algorithm, const ParamBox& params, std::string_view field,
                               bool file_is_open) {
  for (const EffectRule& rule : algorithm.effects)
    if (rule.field == field && (rule.is_of_own_input() ? file_is_open : !rule.holds(params))) return &rule;
  return nullptr;
}

std::optional<std::string> derived_value(const AlgorithmInfo& algorithm, const ParamBox& params, std::string_view field,
                                         const Shape& input) {
  if (field == "count" && input.kind == Kind::sequence) return std::to_string(input.width);
  if (!field.starts_with("voxels")) return {};
  // A scan takes the volume with these voxels; other algorithms make it.
  const auto& scanner = diagrams_of(algorithm).scanner;
  const bool scans = scanner && scanner->output == ScannerDiagram::Holds::views;
  const Shape volume = scans ? input : algorithm.output_shape(params, input);
  if (volume.kind != Kind::volume) return {};
  if (field == "voxels") return std::to_string(volume.width);
  // The slices of a volume follow each other along y (FileNotes::spacing).
  return std::to_string(field == "voxels_y" ? volume.depth : volume.height);
}

}  // namespace threadscape
