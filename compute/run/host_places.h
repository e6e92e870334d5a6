#pragma once
// The host memory of CUDA runs that take their input from there or leave their result there (registry/traffic.h).

#include "compute/core/data.h"
#include "compute/gpu/device.h"
#include "compute/registry/facets/traffic.h"

namespace threadscape {

/// The number of bytes of host memory in which the input and the result of a CUDA run lie, with rows as in device
/// memory; 0 if both lie in device memory.
[[nodiscard]] inline std::size_t host_bytes_of(const RunPlaces& places, const Shape& input, const Shape& output) {
  return (places.input != Place::device ? array_bytes(input, gpu::row_alignment) : 0) +
         (places.output != Place::device ? array_bytes(output, gpu::row_alignment) : 0);
}

}  // namespace threadscape
