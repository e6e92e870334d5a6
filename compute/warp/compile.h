#pragma once
// CUDA C++ sources to PTX with the lines of the source, without a GPU.

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/errors.h"
#include "compute/warp/limited_process.h"

namespace threadscape::warp {

/// A source that does not compile: what() has the first error in one line.
class CompileError : public UsageError {
 public:
  CompileError(const std::string& message, std::string log) : UsageError(message), log_(std::move(log)) {}
  /// All that the compiler says.
  [[nodiscard]] const std::string& log() const { return log_; }

 private:
  std::string log_;
};

struct CompileRequest {
  std::string source;
  std::filesystem::path file;             ///< Where the source is from: the name in lines and messages.
  int capability = 90;                    ///< The compute capability to compile for, times ten.
  std::vector<std::string> expressions;   ///< Instances of kernel templates that are wanted: "scale<float>".
  std::vector<std::string> options = {};  ///< Beyond those that every source gets; NVRTC and nvcc know them.
  bool retry_by_nvcc = true;              ///< Ask nvcc about a source that NVRTC refuses, too.
  bool machine_code = true;               ///< PTX alone takes half the time.
  ProcessLimits limits;
};

struct Compiled {
  std::string ptx;
  std::string cubin;     ///< Machine code for the capability; empty where no compiler made it.
  std::string compiler;  ///< "NVRTC 13.0", "nvcc"; "" for PTX that was a file.
  int architecture = 0;  ///< What was compiled for, 90 for sm_90: the nearest that the compiler knows.
  /// The name in PTX of each of the request's expressions.
  std::vector<std::pair<std::string, std::string>> names;
};

/// Compiles by NVRTC, or where that is absent or refuses the source by nvcc. A file with the extension .ptx is taken as
/// it is. Host functions of the source are left out. Throws CompileError for a wrong source, and EnvironmentError where
/// no compiler is found.
[[nodiscard]] Compiled compile_cuda(const CompileRequest& request);

/// Starts the program that compiles ahead of the next source that is compiled to PTX alone and with these limits, so
/// that it has loaded NVRTC by then.
void prepare_compiler(const ProcessLimits& limits);

/// Machine code of PTX by ptxas; empty where ptxas is absent or refuses it.
[[nodiscard]] std::string assemble(std::string_view ptx, int architecture, const ProcessLimits& limits = {});

/// PTX without its kernels but the one of that name, so that its machine code is made soon. Lines keep their numbers.
[[nodiscard]] std::string kernel_alone(std::string_view ptx, std::string_view kernel);

/// The path of a program of the CUDA Toolkit, for example nvcc; empty where it is not found.
[[nodiscard]] std::filesystem::path toolkit_program(std::string_view name);

/// What to say where no compiler is found.
inline constexpr std::string_view nvrtc_cure =
    "CUDA sources need NVRTC or nvcc: install the CUDA Toolkit, or `pip install nvidia-cuda-nvrtc`, or name "
    "libnvrtc.so in "
    "THREADSCAPE_NVRTC";

}  // namespace threadscape::warp
