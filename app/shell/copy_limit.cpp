#include "app/shell/copy_limit.h"

#include <chrono>
#include <exception>

#include "compute/core/bandwidth.h"
#include "compute/run/device_bench.h"

namespace threadscape::app {

CopyLimit::Key CopyLimit::key(Backend backend, int threads, const gpu::Device& device) {
  if (backend == Backend::cuda) return {backend, 0, &device};
  return {backend, backend == Backend::serial ? 1 : threads};
}

void CopyLimit::measure(Backend backend, int threads, gpu::Device& device) {
  const Key wanted = key(backend, threads, device);
  if (running_.valid() || known_.contains(wanted)) return;
  measured_ = wanted;
  running_ = std::async(std::launch::async, [wanted, &device] {
    return wanted.backend == Backend::cuda ? cuda::device_copy_bandwidth(device) : host_copy_bandwidth(wanted.threads);
  });
}

bool CopyLimit::update() {
  if (!running_.valid()) return false;
  if (running_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return true;
  try {
    known_[measured_] = running_.get();
  } catch (const std::exception&) {
    // After an error, such as a lack of memory, the bars are drawn without the limit.
    known_[measured_] = 0.0;
  }
  return false;
}

std::optional<double> CopyLimit::of(Backend backend, int threads, const gpu::Device& device) const {
  const auto found = known_.find(key(backend, threads, device));
  return found == known_.end() || found->second <= 0.0 ? std::nullopt : std::optional(found->second);
}

}  // namespace threadscape::app
