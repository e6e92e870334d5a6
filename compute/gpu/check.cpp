#include "compute/gpu/check.h"

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

/// Errors after which the context is lost: every later call returns them again.
bool is_sticky(cudaError_t code) {
  switch (code) {
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

}  // namespace

CudaError::CudaError(cudaError_t code, const char* expression, const char* file, int line)
    : DeviceError(describe(code, expression, file, line), is_sticky(code)), code_(code) {
  cudaGetLastError();  // an error that is not sticky must not show up again in a later check
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
