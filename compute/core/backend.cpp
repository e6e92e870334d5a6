#include "compute/core/backend.h"

#include <string>
#include <vector>

#include "compute/core/errors.h"
#include "compute/core/suggestion.h"

namespace threadscape {

Backend parse_backend(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Backend backend : backends) {
    if (name_of(backend) == name) return backend;
    known.push_back(name_of(backend));
  }
  throw UsageError("backend '" + std::string(name) + "' is unknown: " + suggestion_and_list(name, known));
}

}  // namespace threadscape
