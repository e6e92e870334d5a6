#include "compute/registry/file_settings.h"

#include <algorithm>
#include <string_view>

#include "compute/registry/diagram.h"

namespace threadscape {

std::string apply_settings(const AlgorithmInfo& algorithm,
                           std::span<const std::pair<std::string, std::string>> settings, ParamBox& params) {
  if (settings.empty()) return {};
  std::string_view role = "voxels.", other = "views.";
  const auto& scanner = diagrams_of(algorithm).scanner;
  if (scanner && scanner->input == ScannerDiagram::Holds::views) std::swap(role, other);
  std::string applied;
  for (const auto& [name, value] : settings) {
    if (name.starts_with(other)) continue;
    const std::string own = name.starts_with(role) ? name.substr(role.size()) : name;
    const auto fields = params.fields();
    if (std::ranges::none_of(fields, [&](const FieldRef& field) { return field.name == own; })) continue;
    try {
      params.assign(own, value);
    } catch (const UsageError&) {
      continue;
    }
    applied += (applied.empty() ? "" : ", ") + own + " = " + value;
  }
  return applied;
}

}  // namespace threadscape
