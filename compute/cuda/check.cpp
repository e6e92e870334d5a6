#include "compute/cuda/check.h"

#include <cstdlib>
#include <string>
#include <string_view>

namespace threadscape::cuda {

namespace {

/// From "compute/..." or "render/..." on: where the sources lay when this was built is nobody's business.
std::string_view within_project(std::string_view file) {
  for (const std::string_view folder : {"compute/", "render/", "app/", "tests/"})
    if (const std::size_t at = file.rfind(folder); at != std::string_view::npos) return file.substr(at);
  return file;
}

std::string describe(cudaError_t code, const char* expression, const char* file, int line) {
  return "CUDA: " + std::string(cudaGetErrorString(code)) + " (" + cudaGetErrorName(code) + ") in " + expression +
         " at " + std::string(within_project(file)) + ":" + std::to_string(line);
}

}  // namespace

CudaError::CudaError(cudaError_t code, const char* expression, const char* file, int line)
    : EnvironmentError(describe(code, expression, file, line)), code_(code) {
  cudaGetLastError();  // an error that is not sticky must not show up again in a later check
}

bool CudaError::sticky() const {
  switch (code_) {
    case cudaErrorECCUncorrectable:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorAssert:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContextIsDestroyed:
    case cudaErrorUnknown:
      return true;
    default:
      return false;
  }
}

void check_launch(const char* file, int line) {
  check(cudaGetLastError(), "kernel launch", file, line);
  static const bool synchronous = [] {
    const char* wish = std::getenv("TS_CUDA_SYNC");
    return wish && std::string_view(wish) == "1";
  }();
  if (synchronous) check(cudaDeviceSynchronize(), "kernel", file, line);
}

}  // namespace threadscape::cuda
