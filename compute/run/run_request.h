#pragma once
// What is to be run, as a value; and the checks that hold for every way to run it.

#include <cstdint>

#include "compute/registry/algorithm.h"

namespace threadscape {

struct RunRequest {
  const AlgorithmInfo* algorithm = nullptr;
  ParamBox params;
  Backend backend = Backend::openmp;
  int variant = 0;
  int threads = 0;  ///< Threads of the openmp backend; 0 for all hardware threads.
  std::uint64_t seed = 0;
  int parts_at_once = 0;  ///< CUDA: number of parts (AlgorithmInfo::parts) per call of the algorithm; 0 for all.
};

/// Throws UsageError for parameters, a variant or a number of threads that the algorithm does not take, BackendAbsent
/// when the backend cannot be used.
void check(const RunRequest& request);
/// The shape that the algorithm gets as its input: `given`, or the empty shape for algorithms without input. Throws
/// UsageError when `given` is empty or of another kind than the algorithm's input.
[[nodiscard]] Shape input_of(const RunRequest& request, const Shape& given);

}  // namespace threadscape
