#pragma once
// Kernels of sketches: compiled to PTX without a GPU, and executed by the machine of warps.

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "compute/sketch/plan.h"
#include "compute/warp/compile.h"
#include "compute/warp/program.h"

namespace threadscape::sketch {

/// The kernels of a sketch. Threads may share them.
struct Kernels {
  warp::Module module;
  std::string ptx, cubin;                           ///< The machine code is empty unless it was wanted.
  std::string compiler;                             ///< "NVRTC 13.0"
  int architecture = 0;                             ///< warp::Compiled::architecture
  std::vector<const warp::Function*> of_statement;  ///< By the statement of the head; null for loops.
  mutable warp::Programs programs;
};

/// Compiles the kernels of a sketch for a compute capability, times ten. Multiply-adds are not contracted, as nowhere
/// in this program. Throws CompileError, whose lines are those of the sketch, and EnvironmentError without a compiler.
/// A request to stop ends the compiler. Without machine code it takes half the time.
[[nodiscard]] std::shared_ptr<const Kernels> compile_kernels(const Sketch& sketch, const std::stop_token& stop = {},
                                                             int capability = 90, bool machine_code = true);

/// Loads the compiler ahead of the next compile_kernels() without machine code, and makes the GPU ready, for a caller
/// that waits for its user.
void prepare_for_runs();

/// The kernels of a sketch from PTX that was compiled before.
[[nodiscard]] std::shared_ptr<Kernels> kernels_of(const Sketch& sketch, warp::Compiled compiled);

/// Executes a launch: warp::launch(), or what observes it.
using Launch = std::function<warp::LaunchResult(const warp::LaunchRequest&)>;

/// How a sketch is run.
struct MachineRun {
  int threads = 0;  ///< The number of threads of OpenMP; 0 takes all.
  std::uint64_t seed = 0;
  std::stop_token stop = {};
  Launch launch = warp::launch;
  /// The most instructions of warps, of the run and of one block; kernels that take more do not end. A block of the
  /// second number takes about three seconds of a core.
  std::uint64_t instructions = std::uint64_t{1} << 33;
  std::uint64_t block_instructions = std::uint64_t{1} << 26;
};

/// Executes all launches of a plan, whose input is in the arena. Throws Error with exit code 1 for a fault of a kernel,
/// and for a result that is not written everywhere; EnvironmentError for kernels that do not end, and Cancelled.
void run_on_machine(const Sketch& sketch, const Kernels& kernels, const std::vector<Value>& values, const Plan& plan,
                    const Arena& arena, const MachineRun& run);

}  // namespace threadscape::sketch
