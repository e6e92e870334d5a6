#include "compute/run/run_request.h"

#include <new>
#include <stdexcept>
#include <string>

#include "compute/core/machine.h"
#include "compute/gpu/device.h"

namespace threadscape {

gpu::Device& device_of(const RunRequest& request) {
  return request.device != nullptr ? *request.device : gpu::devices().first();
}

int threads_of(const RunRequest& request) {
  if (request.backend != Backend::openmp) return 1;
  return request.threads > 0 ? request.threads : hardware_threads();
}

namespace {

/// Throws UsageError unless the algorithm has the route that the request forces.
void check_route(const RunRequest& request) {
  const std::span<const Route> routes = request.algorithm->routes_of(request.backend);
  const std::string where = std::string(request.algorithm->name) + " on " + std::string(name_of(request.backend));
  if (routes.empty()) throw UsageError("route: " + where + " has one way of computing a run");
  if (request.variant != 0) throw UsageError("route: " + where + " has routes in its default variant alone");
  std::string known;
  for (const Route& route : routes) {
    if (route.name == request.route) return;
    known += (known.empty() ? "" : " | ") + std::string(route.name);
  }
  throw UsageError("route '" + request.route + "': " + where + " has " + known);
}

}  // namespace

void check(const RunRequest& request) {
  if (!request.algorithm) throw std::logic_error("run without an algorithm");
  request.params.check();
  const auto variants = request.algorithm->variants_of(request.backend).size();
  if (request.variant < 0 || static_cast<std::size_t>(request.variant) >= variants)
    throw UsageError(std::string(request.algorithm->name) + " has " + std::to_string(variants) + " variants on " +
                     std::string(name_of(request.backend)));
  if (!request.route.empty()) check_route(request);
  if (request.threads < 0 || request.threads > max_threads())
    throw UsageError("threads: " + std::to_string(request.threads) + ", accepted are 1.." +
                     std::to_string(max_threads()) + ", or 0 for all");
  if (request.backend == Backend::cuda) device_of(request).require();
  for (gpu::Device* const device : request.devices)
    device->require();
}

bool needs_preparation(const RunRequest& request) {
  const auto& facet = request.algorithm->preparation;
  return facet && !request.preparation && facet->needed(request.params, request.backend);
}

std::shared_ptr<const Preparation> make_preparation(const RunRequest& request, HostIn input,
                                                    const std::stop_token& stop, Progress* progress) try {
  auto made =
      request.algorithm->preparation->prepare(request.params, input, request.seed, request.frame, stop, progress);
  if (stop.stop_requested()) throw Cancelled();
  return made;
} catch (const std::bad_alloc&) {
  throw_out_of_memory(request);
}

void throw_out_of_memory(const RunRequest& request) {
  throw EnvironmentError("out of memory while " + std::string(request.algorithm->name) + " ran on " +
                         std::string(name_of(request.backend)));
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
