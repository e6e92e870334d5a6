#include "compute/run/run_request.h"

#include <stdexcept>
#include <string>

#include "compute/core/machine.h"
#include "compute/cuda/device.h"

namespace threadscape {

void check(const RunRequest& request) {
  if (!request.algorithm) throw std::logic_error("run without an algorithm");
  request.params.check();
  const auto variants = request.algorithm->variants_of(request.backend).size();
  if (request.variant < 0 || static_cast<std::size_t>(request.variant) >= variants)
    throw UsageError(std::string(request.algorithm->name) + " has " + std::to_string(variants) + " variants on " +
                     std::string(name_of(request.backend)));
  if (request.threads < 0 || request.threads > max_threads())
    throw UsageError("threads: " + std::to_string(request.threads) + ", accepted are 1.." +
                     std::to_string(max_threads()) + ", or 0 for all");
  if (request.backend == Backend::cuda) cuda::require_device();
}

Shape input_of(const RunRequest& request, const Shape& given) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  if (algorithm.input == Kind::none) return {};
  if (given.kind != algorithm.input)
    throw UsageError(std::string(algorithm.name) + " takes one " + std::string(name_of(algorithm.input)) + ", not " +
                     to_string(given));
  if (given.items() <= 0) throw UsageError(std::string(algorithm.name) + ": the input is empty");
  return given;
}

}  // namespace threadscape
