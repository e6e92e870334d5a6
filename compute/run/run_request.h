#pragma once
// The description of a run as a value, and the checks that every executor makes.

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "compute/core/device_run.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

struct RunRequest {
  const AlgorithmInfo* algorithm = nullptr;
  ParamBox params;
  Backend backend = Backend::openmp;
  int variant = 0;
  std::string route = {};  ///< Name of a route (compute/core/route.h) that is forced; "" = the quickest.
  /// Number of threads of the OpenMP backend; 0 = all hardware threads, or fewer in short runs (short_runs.h).
  int threads = 0;
  std::uint64_t seed = 0;
  std::uint64_t frame = 0;  ///< Number of the picture in a moving one, from 0 on; 0 for a single picture.
  /// The preparation (see needs_preparation()); null until it is made.
  std::shared_ptr<const Preparation> preparation = {};
  LayerRange layers = {};  ///< The layers that are to be made, on CUDA (AlgorithmInfo::makes_layers); all by default.
  int parts_at_once = 0;   ///< Number of parts (AlgorithmInfo::parts) per call of the algorithm on CUDA; 0 = all.
  /// Maximum bytes of scratch memory and device memory; 0 = what is free. A run that needs more is cut into slabs.
  std::size_t memory = 0;
  gpu::Device* device = nullptr;  ///< Of the CUDA backend; null = the first one that runs this build.
  /// Several devices of the CUDA backend among which a run is divided, of which `device` is the first; empty otherwise.
  std::vector<gpu::Device*> devices = {};
};

/// Returns whether a run is divided among several devices.
[[nodiscard]] inline bool is_divided(const RunRequest& request) {
  return request.devices.size() > 1;
}

/// The device on which a request of the CUDA backend runs.
[[nodiscard]] gpu::Device& device_of(const RunRequest& request);

/// The number of threads on which a request runs, at most: 1 but for the OpenMP backend.
[[nodiscard]] int threads_of(const RunRequest& request);

/// Throws UsageError for parameters, a variant or a number of threads that the algorithm does not take, BackendAbsent
/// when the backend cannot be used.
void check(const RunRequest& request);
/// Returns whether the run needs a preparation (AlgorithmInfo::preparation) that the request does not have yet.
[[nodiscard]] bool needs_preparation(const RunRequest& request);
/// Makes the preparation that needs_preparation() asks for. This may take seconds, so the drawing thread must not call
/// it. `progress` may be null. Throws what a run throws, and Cancelled if `stop` was requested.
[[nodiscard]] std::shared_ptr<const Preparation> make_preparation(const RunRequest& request, HostIn input,
                                                                  const std::stop_token& stop, Progress* progress);
/// Throws the EnvironmentError that stands for a std::bad_alloc during a run.
[[noreturn]] void throw_out_of_memory(const RunRequest& request);
/// The shape that the algorithm gets as its input: `given`, or the empty shape for algorithms without input. Throws
/// UsageError if `given` is empty or of another kind than the input of the algorithm.
[[nodiscard]] Shape input_of(const RunRequest& request, const Shape& given);

}  // namespace threadscape
