#pragma once
// A run that is divided among several devices of this host. Each device computes a range of layers of the result, or of
// rows of a picture: from the region of the input that those need (HaloFacet), piece by piece, so that the next piece
// is uploaded while one is computed; or from all of the input (AlgorithmInfo::makes_layers). Sequences are
// computed in parts, whose results are joined on the host (JoinFacet). Results have the bits of a run on one device.

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "compute/core/progress.h"
#include "compute/run/device_executor.h"
#include "compute/run/slabs.h"

namespace threadscape {

/// The sentence that says why runs of this request cannot be divided among several devices; "" if they can.
[[nodiscard]] std::string why_not_divisible(const RunRequest& request);
/// Throws UsageError with that sentence if there is one.
void require_divisible(const RunRequest& request);

/// Keeps the executors of the devices between runs. Not thread-safe.
class DeviceGroup {
 public:
  /// Throws BackendAbsent if one of the devices cannot be used.
  explicit DeviceGroup(std::vector<gpu::Device*> devices);
  [[nodiscard]] const std::vector<gpu::Device*>& devices() const { return devices_; }
  [[nodiscard]] bool usable() const;

  /// Runs into memory of the caller, and waits. The time of the computation is that of the whole, with transfers, since
  /// those run beside it. Throws what Runner::run_into() throws, after all devices have stopped.
  StageTimes run(const RunRequest& request, HostIn input, HostOut output, const std::stop_token& stop,
                 Progress* progress);

 private:
  /// A thread works with one of these. A device has two, of which one uploads while the other computes.
  struct Worker {
    std::size_t device = 0;
    std::unique_ptr<DeviceExecutor> executor;
  };

  struct Shared;  ///< What the threads of a run share.

  void run_layers(const RunRequest& request, HostIn input, HostOut output, Shared& shared);
  /// The bytes on each device that the executors keep for the next run.
  [[nodiscard]] std::vector<std::size_t> bytes_held() const;
  void run_joined(const RunRequest& request, HostIn input, HostOut output, Shared& shared);
  void run_pieces(const RunRequest& request, HostIn input, HostOut output, Shared& shared);
  /// Runs each task in a thread of its own, and waits for all.
  static void run_side_by_side(const std::vector<std::function<void()>>& tasks, Shared& shared);

  std::vector<gpu::Device*> devices_;
  std::vector<Worker> workers_;
};

}  // namespace threadscape
