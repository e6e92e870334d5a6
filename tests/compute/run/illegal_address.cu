#include "compute/gpu/check.h"
#include "tests/compute/run/illegal_address.h"

namespace threadscape::testing {

namespace {
__global__ void write_to(int* address) {
  *address = 1;
}
}  // namespace

void write_to_illegal_address(const DeviceRun& run) {
  write_to<<<1, 1, 0, run.stream>>>(reinterpret_cast<int*>(std::uintptr_t{16}));
  TS_CUDA_LAUNCHED();
}

}  // namespace threadscape::testing
