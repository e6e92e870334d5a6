#pragma once
// Error checks of the CUDA runtime. Only for code that is compiled with CUDA.

#include <cuda_runtime_api.h>

#include "compute/core/errors.h"

namespace threadscape::cuda {

/// A call of the CUDA runtime failed.
class CudaError : public DeviceError {
 public:
  CudaError(cudaError_t code, const char* expression, const char* file, int line);
  [[nodiscard]] cudaError_t cuda_code() const { return code_; }

 private:
  cudaError_t code_;
};

inline void check(cudaError_t code, const char* expression, const char* file, int line) {
  if (code != cudaSuccess) [[unlikely]]
    throw CudaError(code, expression, file, line);
}
/// Called after a launch. Throws CudaError for errors of the launch configuration, and if the environment contains
/// TS_CUDA_SYNC=1 also for errors during execution.
void check_launch(const char* file, int line);

}  // namespace threadscape::cuda

#define TS_CUDA_CHECK(expression) ::threadscape::cuda::check((expression), #expression, __FILE__, __LINE__)
#define TS_CUDA_LAUNCHED() ::threadscape::cuda::check_launch(__FILE__, __LINE__)
