#include "compute/core/errors.h"
#include "compute/cuda/device.h"
#include "compute/run/device_session.h"

namespace threadscape::cuda {

struct DeviceSession::State {};

// Every other member needs a constructed session, and here none can exist.
DeviceSession::DeviceSession() {
  throw BackendAbsent(device_info().reason);
}
DeviceSession::~DeviceSession() = default;
void DeviceSession::set_input(HostIn) {}
CudaStream DeviceSession::stream() const {
  return nullptr;
}
DeviceOut DeviceSession::linear_output(const Shape&) {
  return {};
}
void DeviceSession::run(const RunRequest&, const DeviceSink&, PartRange) {}
std::optional<StageTimes> DeviceSession::poll() {
  return std::nullopt;
}
void DeviceSession::wait() {}

}  // namespace threadscape::cuda
