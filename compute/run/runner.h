#pragma once
// Runs an algorithm on any backend, and waits for the result: for the command line, the benchmark, `verify` and the
// tests. Input and result are in host memory, or pass through it layer by layer.

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "compute/core/machine.h"
#include "compute/run/device_executor.h"
#include "compute/run/host_executor.h"
#include "compute/run/slabs.h"

namespace threadscape {

struct RunResult {
  HostArray output;
  StageTimes times;
};

class DeviceGroup;  // compute/run/device_group.h

/// Why layers of the result cannot be computed alone with these parameters, each from all of the input, as the end of a
/// sentence; "" if they can.
[[nodiscard]] std::string why_no_layers(const RunRequest& request);

/// Keeps an executor for the host and one for a device between runs. Not thread-safe; use one per thread.
class Runner {
 public:
  Runner();
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Checks parameters and memory, runs, waits. What does not fit, or not into RunRequest::memory, is computed in slabs
  /// where the algorithm has the HaloFacet, with equal bits. Throws UsageError, EnvironmentError, BackendAbsent,
  /// Cancelled. `progress` may be null. Makes the preparation where the request needs and lacks it; that time is
  /// compute time.
  [[nodiscard]] RunResult run(const RunRequest& request, HostIn input, const std::stop_token& stop = {},
                              Progress* progress = nullptr);
  /// Runs into memory of the caller, of the shape that AlgorithmInfo::output_shape() says and any pitch; otherwise
  /// equal to run().
  StageTimes run_into(const RunRequest& request, HostIn input, HostOut output, const std::stop_token& stop = {},
                      Progress* progress = nullptr);

  /// Computes the layers of a volume from `first` on, as many as `part` has, from all of the input, with the bits that
  /// a run on the whole gives them. Throws UsageError where why_no_layers() says why not, and what run() throws.
  void run_part_into(const RunRequest& request, HostIn input, std::int64_t first, HostOut part);
  /// Returns true if a volume of this shape is to be read while the run works on it: if the parameters ask for it, or
  /// if it does not fit into memory together with what the run needs. The algorithm must have the LayersFacet. Runs on
  /// several devices have all of it in memory.
  [[nodiscard]] bool wants_layers(const RunRequest& request, const Shape& input);
  /// Runs so on a volume. Otherwise equal to run().
  [[nodiscard]] RunResult run_layers(const RunRequest& request, LayerReader& input, const std::stop_token& stop = {},
                                     Progress* progress = nullptr);
  /// Returns true if a result is to be made while it is written, because it does not fit into memory: if algorithm and
  /// backend allow that (StreamFacet).
  [[nodiscard]] bool wants_stream(const RunRequest& request);
  /// Hands such a result to `sink`, which reads its layers. The time of both is that of the computation.
  StageTimes stream(const RunRequest& request, const std::function<void(LayerReader&)>& sink,
                    const std::stop_token& stop = {}, Progress* progress = nullptr);

 private:
  /// Throws what threadscape::check() throws.
  void check(const RunRequest& request);
  /// The executor on the device of the request. That of another device, or of one that was lost, is given up.
  DeviceExecutor& executor_for(const RunRequest& request);
  /// Returns whether there is memory for `need`, within the limit of the request.
  [[nodiscard]] bool fits(const RunRequest& request, const MemoryPlan& need);
  /// Returns whether a run of CUDA has to make the layers of its volume in parts, because it does not fit.
  [[nodiscard]] bool makes_layers_in_parts(const RunRequest& request, const Shape& input);
  StageTimes run_layers_into(const RunRequest& request, LayerReader& input, HostOut output, const std::stop_token& stop,
                             Progress* progress);
  /// The slabs into which the run is cut; empty if it fits, or cannot be cut. `has_output` says that the memory of the
  /// result is allocated already.
  [[nodiscard]] std::vector<Slab> slabs_of(const RunRequest& request, const Shape& input, bool has_output);
  /// Refuses what does not fit before its first byte is allocated.
  void require(const RunRequest& request, const MemoryPlan& need);
  /// Runs a checked request that holds the preparation that it needs.
  StageTimes run_prepared(const RunRequest& request, HostIn input, HostOut output, const std::stop_token& stop,
                          Progress* progress);
  /// Runs a checked request on several devices.
  StageTimes run_divided(const RunRequest& request, HostIn input, HostOut output, const std::stop_token& stop,
                         Progress* progress);
  StageTimes run_on_device(const RunRequest& request, HostIn input, HostOut output);

  HostExecutor host_;
  std::unique_ptr<DeviceExecutor> executor_;
  std::unique_ptr<DeviceGroup> group_;  ///< For runs on several devices.
};

}  // namespace threadscape
