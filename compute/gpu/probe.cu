#include "compute/gpu/probe.h"

namespace threadscape::cuda {

namespace {
__global__ void probe() {}
}  // namespace

const void* probe_kernel() {
  return reinterpret_cast<const void*>(&probe);
}

void launch_probe() {
  probe<<<1, 1>>>();
}

bool launches_early(int major, int minor) {
#ifdef __CUDA_ARCH_LIST__
  int best = 0;
  for (const int architecture : {__CUDA_ARCH_LIST__})
    if (architecture <= major * 100 + minor * 10 && architecture > best) best = architecture;
  return best >= 900;
#else
  static_cast<void>(major + minor);
  return false;
#endif
}

}  // namespace threadscape::cuda
