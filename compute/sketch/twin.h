#pragma once
// Twins of kernels for the CPU: compiled by the system's compiler into a program, which runs in a process without
// rights (confine.h). Its input and its result are memory that both processes have.

#include <filesystem>
#include <memory>
#include <stop_token>

#include "compute/sketch/plan.h"
#include "compute/warp/limited_process.h"

namespace threadscape::sketch {

/// A program in a folder of its own, which is removed with it.
class Twin {
 public:
  explicit Twin(std::filesystem::path folder) : folder_(std::move(folder)) {}
  ~Twin();
  Twin(const Twin&) = delete;
  Twin& operator=(const Twin&) = delete;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::filesystem::path program() const { return folder_ / "twin"; }

 private:
  std::filesystem::path folder_;
};

/// Compiles a twin. Throws warp::CompileError with the compiler's words, whose lines are those of the sketch, and
/// EnvironmentError without a compiler.
[[nodiscard]] std::shared_ptr<const Twin> compile_twin(const Sketch& sketch, const std::stop_token& stop = {});

struct TwinRun {
  int threads = 1;  ///< The number of threads of OpenMP.
  std::stop_token stop = {};
  std::chrono::milliseconds time{10'000};  ///< Elapsed time, after which the process is ended.
};

/// Makes all calls of a plan, whose input is in the arena. Throws Error with exit code 1 for a process that ends before
/// its work is done, EnvironmentError where it cannot be confined, and Cancelled.
void run_twin(const Sketch& sketch, const Twin& twin, const std::vector<Value>& values, const Plan& plan,
              const Arena& arena, const TwinRun& run);

}  // namespace threadscape::sketch
