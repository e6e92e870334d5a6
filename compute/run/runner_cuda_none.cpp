#include "compute/cuda/device.h"
#include "compute/run/runner.h"

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
