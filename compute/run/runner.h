#pragma once
// Runs an algorithm from host memory to host memory on any backend: the one way that the command line, the benchmark,
// `verify` and the tests share. The live view has its own way (app/), which never leaves the device.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>

#include "compute/core/timings.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct RunRequest {
  const AlgorithmInfo* algorithm = nullptr;
  ParamBox params;
  Backend backend = Backend::openmp;
  int variant = 0;
  int threads = 0;  ///< OpenMP threads; 0 = all hardware threads
  std::uint64_t seed = 0;
  int parts_at_once = 0;  ///< CUDA, see AlgorithmInfo::parts; 0 = all
};

/// What a run takes from memory beside its input, so that it can be refused before it starts.
struct MemoryNeed {
  std::size_t host_bytes = 0;    ///< output and working memory
  std::size_t device_bytes = 0;  ///< input, output and working memory on the device
};
[[nodiscard]] MemoryNeed memory_need(const RunRequest& request, const Shape& input);

struct RunResult {
  HostArray output;
  StageTimes times;
};

/// Keeps scratch and device buffers between runs. Not thread-safe; use one per thread.
class Runner {
 public:
  Runner();
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Checks parameters and memory, runs, waits. Throws UsageError, EnvironmentError, BackendAbsent, Cancelled.
  [[nodiscard]] RunResult run(const RunRequest& request, HostIn input, std::stop_token stop = {},
                              Progress* progress = nullptr);
  /// As run(), into memory of the caller (of the shape that output_shape() says; any pitch).
  StageTimes run_into(const RunRequest& request, HostIn input, HostOut output, std::stop_token stop = {},
                      Progress* progress = nullptr);

 private:
  void require_device_memory(const RunRequest& request, const MemoryNeed& need) const;
  // In compute/run/runner_cuda.cpp, or runner_cuda_none.cpp without CUDA.
  [[nodiscard]] std::size_t device_bytes_held() const;
  StageTimes run_cuda(const RunRequest& request, HostIn input, HostOut output);

  HostScratch host_scratch_;
  struct Device;  // device buffers, stream and events; empty without CUDA
  std::unique_ptr<Device> device_;
};

/// Number of hardware threads that this process may use.
[[nodiscard]] int hardware_threads();
/// The most threads a run may ask for. More than the hardware has is fine (and slow); thousands would end the process.
[[nodiscard]] int max_threads();
/// Bytes of host memory that can be taken without swapping.
[[nodiscard]] std::size_t free_host_bytes();

}  // namespace threadscape
