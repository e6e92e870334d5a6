#pragma once

#include <string>

#include "compute/registry/algorithm.h"

namespace threadscape::app {

struct ListOptions {
  bool json = false;
};

/// Prints every algorithm with its parameters, backends and variants. Returns the exit code.
int list(const ListOptions& options);

/// The parameters of an algorithm as help text: name, range, default, unit, meaning; and its variants.
[[nodiscard]] std::string describe_parameters(const AlgorithmInfo& algorithm);
/// The table of fields in it.
[[nodiscard]] std::string describe_fields(const ParamBox& defaults);

}  // namespace threadscape::app
