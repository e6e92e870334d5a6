#pragma once
// Runs of algorithms with parameters that are set by their names, for tests that go through several algorithms.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/registry/registry.h"
#include "compute/run/runner.h"

namespace threadscape::testing {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// The result of the algorithm for the picture, on two threads, with defaults for all other parameters.
inline HostArray run(std::string_view name, const Settings& settings, const HostArray& in, Backend backend) {
  const AlgorithmInfo& algorithm = find_algorithm(name);
  RunRequest request{.algorithm = &algorithm, .params = algorithm.defaults(), .backend = backend};
  for (const auto& [field, text] : settings)
    request.params.assign(field, text);
  request.threads = 2;
  HostArray out(algorithm.output_shape(request.params, in.shape()));
  Runner runner;
  runner.run_into(request, in.view(), out.view());
  return out;
}

}  // namespace threadscape::testing
