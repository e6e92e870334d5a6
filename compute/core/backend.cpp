#include "compute/core/backend.h"

#include <string>

#include "compute/core/errors.h"

namespace threadscape {

Backend parse_backend(std::string_view name) {
  for (const Backend backend : backends)
    if (name_of(backend) == name) return backend;
  throw UsageError("backend '" + std::string(name) + "' is unknown: serial, openmp or cuda");
}

}  // namespace threadscape
