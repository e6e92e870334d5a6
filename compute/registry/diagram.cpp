#include "compute/registry/diagram.h"

#include <array>
#include <utility>

namespace threadscape {

#define THREADSCAPE_DIAGRAM(name) DiagramInfo describe_##name##_diagram();
#include "diagrams.inc"
#undef THREADSCAPE_DIAGRAM

const DiagramInfo& diagrams_of(std::string_view algorithm) {
  static const std::array known{
      std::pair{std::string_view{}, DiagramInfo{}},
#define THREADSCAPE_DIAGRAM(name) std::pair{std::string_view(#name), describe_##name##_diagram()},
#include "diagrams.inc"
#undef THREADSCAPE_DIAGRAM
  };
  for (const auto& [name, info] : known)
    if (name == algorithm) return info;
  return known.front().second;
}

}  // namespace threadscape
