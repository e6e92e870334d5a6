#include "compute/gpu/device.h"
#include "compute/run/device_bench.h"

namespace threadscape::cuda {

struct DeviceBench::State {};

// Every other member needs a constructed object, and here none can exist.
DeviceBench::DeviceBench(const RunRequest&, HostIn, const Shape&) {
  require_device();
}
DeviceBench::DeviceBench(Work, HostIn, const Shape&) {
  require_device();
}
DeviceBench::~DeviceBench() = default;
int DeviceBench::pairs() const {
  return 0;
}
double DeviceBench::compute_ms(int) {
  return 0.0;
}
double DeviceBench::upload_ms(HostIn) {
  return 0.0;
}
double DeviceBench::download_ms(HostOut) {
  return 0.0;
}
Kernels DeviceBench::kernels() {
  return {};
}
std::optional<double> DeviceBench::allocation_ms() {
  return std::nullopt;
}

double device_copy_bandwidth() {
  require_device();
  return 0.0;
}

}  // namespace threadscape::cuda
