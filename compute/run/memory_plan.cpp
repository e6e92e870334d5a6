#include "compute/run/memory_plan.h"

#include <string>

#include "compute/core/machine.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"
#include "compute/run/host_places.h"

namespace threadscape {

namespace {

std::size_t beyond(std::size_t need, std::size_t held) {
  return need > held ? need - held : 0;
}

[[noreturn]] void refuse(std::string_view what, std::string_view memory, std::size_t need, std::size_t usable) {
  throw EnvironmentError(std::string(what) + " needs " + std::to_string(need) + " bytes of " + std::string(memory) +
                         " memory, " + std::to_string(usable) +
                         " are free: a smaller input or another variant may fit");
}

}  // namespace

MemoryPlan plan_memory(const RunRequest& request, const Shape& given) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  const Shape input = input_of(request, given);
  const Shape output = algorithm.output_shape(request.params, input);
  const std::size_t scratch = algorithm.scratch_bytes(request.params, input, request.backend, request.variant);
  MemoryPlan plan{.host_output = HostArray::bytes_for(output)};
  if (request.backend != Backend::cuda) {
    plan.host_scratch = scratch;
  } else {
    plan.device_input = array_bytes(input, gpu::row_alignment);
    plan.device_output = array_bytes(output, gpu::row_alignment);
    plan.device_scratch = scratch;
    plan.host_scratch = host_bytes_of(places_of(algorithm, request.params), input, output);
  }
  return plan;
}

std::size_t device_growth(const MemoryPlan& need, const MemoryPlan& held) {
  return beyond(need.device_input, held.device_input) + beyond(need.device_output, held.device_output) +
         beyond(need.device_scratch, held.device_scratch);
}

void require_memory(std::string_view what, const MemoryPlan& need, const MemoryPlan& held, gpu::Device* device) {
  const std::size_t host_growth =
      beyond(need.host_output, held.host_output) + beyond(need.host_scratch, held.host_scratch);
  if (host_growth > 0)
    if (const std::size_t free = free_host_bytes(); host_growth > free)
      refuse(what, "host", need.host_bytes(), free + need.host_bytes() - host_growth);
  const std::size_t growth = device_growth(need, held);
  if (growth > 0)
    if (const std::size_t free = device != nullptr ? device->free_bytes() : 0; growth > free)
      refuse(what, "device", need.device_bytes(), free + need.device_bytes() - growth);
}

}  // namespace threadscape
