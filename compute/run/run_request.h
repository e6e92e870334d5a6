#pragma once
// What is to be run, as a value; and the checks that hold for every way to run it.

#include <cstdint>
#include <memory>
#include <stop_token>

#include "compute/registry/algorithm.h"

namespace threadscape {

struct RunRequest {
  const AlgorithmInfo* algorithm = nullptr;
  ParamBox params;
  Backend backend = Backend::openmp;
  int variant = 0;
  int threads = 0;  ///< Threads of the openmp backend; 0 for all hardware threads.
  std::uint64_t seed = 0;
  std::shared_ptr<const Preparation> preparation = {};  ///< See needs_preparation(); null until it is made.
  int parts_at_once = 0;  ///< CUDA: number of parts (AlgorithmInfo::parts) per call of the algorithm; 0 for all.
};

/// Throws UsageError for parameters, a variant or a number of threads that the algorithm does not take, BackendAbsent
/// when the backend cannot be used.
void check(const RunRequest& request);
/// Whether the request lacks a preparation that its run must be given (AlgorithmInfo::preparation).
[[nodiscard]] bool needs_preparation(const RunRequest& request);
/// Makes the preparation that needs_preparation() asks for. Takes long: not for the thread that draws. `progress` may
/// be null. Throws as a run does, and Cancelled when `stop` was requested.
[[nodiscard]] std::shared_ptr<const Preparation> make_preparation(const RunRequest& request, HostIn input,
                                                                  const std::stop_token& stop, Progress* progress);
/// Throws the EnvironmentError that stands for a std::bad_alloc during a run.
[[noreturn]] void throw_out_of_memory(const RunRequest& request);
/// The shape that the algorithm gets as its input: `given`, or the empty shape for algorithms without input. Throws
/// UsageError when `given` is empty or of another kind than the algorithm's input.
[[nodiscard]] Shape input_of(const RunRequest& request, const Shape& given);

}  // namespace threadscape
