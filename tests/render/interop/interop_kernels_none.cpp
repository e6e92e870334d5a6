#include "compute/core/errors.h"
#include "tests/render/interop/interop_kernels.h"

namespace threadscape::testing {

void draw_pattern(const DeviceSink&, int, CudaStream) {
  throw BackendAbsent("this build has no CUDA code");
}

void draw_volume_pattern(const DeviceSink&, int, CudaStream) {
  throw BackendAbsent("this build has no CUDA code");
}

}  // namespace threadscape::testing
