#pragma once
// Work in a process of its own, which ends when it takes too long or too much memory: compilers of text that a user
// wrote may loop, allocate without end, or crash.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace threadscape::warp {

struct ProcessLimits {
  std::chrono::seconds processor{60};  ///< Processor time of each process. It does not depend on the machine's load.
  std::chrono::milliseconds time{300'000};  ///< Elapsed time, which ends what waits without end.
  std::uint64_t memory = 4ull << 30;        ///< Bytes of address space beyond what this process has.
  std::uint64_t output = 256ull << 20;      ///< Bytes that the work may write.
  std::stop_token stop = {};                ///< Ends the process, soon after stop is requested.
};

struct ProcessEnd {
  std::string output;    ///< What the work wrote.
  int exit_code = -1;    ///< What it returned; -1 where it did not end by itself.
  std::string obstacle;  ///< Why it was ended, as "took longer than 300 s"; "" where it ended by itself.
};

/// Runs the work in a child process and returns when that has ended. `work` gets the descriptor to which it writes and
/// returns its exit code; it may replace the process by another program. It must call nothing but the system: a lock
/// that another thread held when the process was copied, for instance that of malloc(), stays locked in the copy.
/// Throws EnvironmentError where no process can be made.
[[nodiscard]] ProcessEnd run_limited(const ProcessLimits& limits, const std::function<int(int output)>& work);

/// Writes all bytes to a descriptor; false where that fails.
bool write_all(int to, const void* bytes, std::size_t size);
/// Reads a descriptor to its end, or to an error.
[[nodiscard]] std::string read_all(int from);

/// A program to run.
struct ProgramCall {
  std::vector<std::string> arguments;  ///< The path of the program, and what it gets.
  std::string input = {};              ///< What it reads from standard input.
  bool errors = true;                  ///< Is standard error a part of the output, too? It is lost otherwise.
};

/// The path of a program that comes with this one: beside it, or where the package has it. Empty where it is missing.
[[nodiscard]] std::filesystem::path program_beside(std::string_view name);

/// A program that was started ahead of its work and waits for its input, so that starting and loading it costs no time
/// later. It ends with this object.
class WaitingProgram {
 public:
  /// Starts the program by its path. Throws EnvironmentError where no process can be made.
  WaitingProgram(const ProcessLimits& limits, const std::string& path);
  ~WaitingProgram();
  WaitingProgram(const WaitingProgram&) = delete;
  WaitingProgram& operator=(const WaitingProgram&) = delete;

  /// Gives it its input, once, and returns when it has ended. `time` and `stop` count from here on. Nothing if the
  /// program has ended before it has read all.
  [[nodiscard]] std::optional<ProcessEnd> finish(const ProcessLimits& limits, std::string_view input) {
    return give(limits, input, /*leave=*/false);
  }
  /// Gives it its input, once, and returns with exit code 0 as soon as the program has written something and closed its
  /// output. It may take a while to end, which this object waits for when it is destroyed. A program without output is
  /// waited for, and nothing is returned where finish() returns nothing.
  [[nodiscard]] std::optional<ProcessEnd> ask(const ProcessLimits& limits, std::string_view input) {
    return give(limits, input, /*leave=*/true);
  }
  /// Returns whether it was started with the limits of the process.
  [[nodiscard]] bool has_limits(const ProcessLimits& limits) const {
    return limits.processor == processor_ && limits.memory == memory_;
  }

 private:
  std::optional<ProcessEnd> give(const ProcessLimits& limits, std::string_view input, bool leave);

  int process_ = -1, input_ = -1, output_ = -1;
  std::chrono::seconds processor_;
  std::uint64_t memory_;
};

/// Runs a program with limits.
[[nodiscard]] ProcessEnd run_program(const ProcessLimits& limits, const ProgramCall& program);

}  // namespace threadscape::warp
