#pragma once
// What an NVIDIA GPU counts while kernels run, read by CUPTI, which is opened at run time: from the CUDA Toolkit or the
// package nvidia-cuda-cupti of the Python index. Builds without CUPTI's headers say so.

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace threadscape::gpu {

/// A context of the driver, and the number of its device.
struct GpuContext {
  void* context = nullptr;
  int device = 0;
};
/// The context that is current on the calling thread. Throws EnvironmentError if there is none.
[[nodiscard]] GpuContext current_gpu_context();

/// What one launch of a kernel made the GPU count.
struct LaunchCounts {
  std::string symbol;  ///< The kernel as object files name it.
  std::array<unsigned, 3> grid = {}, block = {};
  std::vector<double> values = {};  ///< One for each metric; NaN for those that the GPU does not have.
};

/// The launches of a run, the first ones if there are more than was asked for.
struct RunCounts {
  std::vector<LaunchCounts> launches;
  std::size_t left_out = 0;  ///< Number of the launches behind them.
};

/// Counts what runs in a context. Only one may exist at a time in a process. Launches take longer while it exists, and
/// about a microsecond of the host longer from then on, since CUPTI stays in the process.
class Counters {
 public:
  /// `metrics` are names of Nsight Compute, for example "smsp__inst_executed.sum". Throws EnvironmentError with one
  /// sentence that says what is missing: the library, the right to count, or a GPU that can.
  Counters(const GpuContext& context, std::vector<std::string> metrics, std::size_t most_launches);
  ~Counters();
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;

  /// How many times count() calls `work`, since a GPU does not count everything at once.
  [[nodiscard]] std::size_t passes() const;
  /// Calls `work`, which launches the same kernels each time and waits for them, and returns what was counted. Throws
  /// what `work` throws, and EnvironmentError if CUPTI fails.
  [[nodiscard]] RunCounts count(const std::function<void()>& work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace threadscape::gpu
