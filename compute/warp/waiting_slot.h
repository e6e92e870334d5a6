#pragma once
// Place for a program that was started ahead of its work.

#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "compute/warp/limited_process.h"

namespace threadscape::warp {

/// Keeps one program that comes with this one (program_beside()) waiting for its input. Threads may share it.
class WaitingSlot {
 public:
  explicit WaitingSlot(std::string program) : name_(std::move(program)) {}
  /// The program that waits with these limits; null if there is none.
  [[nodiscard]] std::unique_ptr<WaitingProgram> take(const ProcessLimits& limits);
  /// Starts one, unless one waits, on a thread of its own, since a large process takes milliseconds to be copied. Where
  /// that fails, or the program is missing, none waits. `ended`, a program that has given its answer, is destroyed
  /// behind it.
  void prepare(const ProcessLimits& limits, std::unique_ptr<WaitingProgram> ended = nullptr);

 private:
  std::string name_;
  std::mutex mutex_;
  std::unique_ptr<WaitingProgram> program_;
  bool starting_ = false;
  std::jthread starter_;
};

}  // namespace threadscape::warp
