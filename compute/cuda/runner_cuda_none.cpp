#include "compute/core/runner.h"
#include "compute/cuda/device.h"

namespace threadscape {

struct Runner::Device {};

Runner::Runner() = default;
Runner::~Runner() = default;

std::size_t Runner::device_bytes_held() const {
  return 0;
}

StageTimes Runner::run_cuda(const RunRequest&, HostIn, HostOut) {
  cuda::require_device();  // throws: there is none in this build
  return {};
}

}  // namespace threadscape
